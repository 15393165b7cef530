//! PMI-2, the protocol of Slurm's pmi2 plug-in (hydra supports it, too).
//!
//! The first command is a line of PMI-1. Every later message is its length in six characters, and
//! fields that each end with a semicolon:
//!
//! ```text
//!   > cmd=init pmi_version=2 pmi_subversion=0
//!   < cmd=response_to_init rc=0 pmi_version=2 pmi_subversion=0
//!   > 54    cmd=fullinit;pmijobid=4.0;pmirank=0;threaded=FALSE;
//!   < 92    cmd=fullinit-response;rc=0;rank=0;size=4;appnum=-1;…
//!   > cmd=kvs-put;key=K;value=V;
//!   < cmd=kvs-put-response;rc=0;
//!   > cmd=kvs-fence;
//!   < cmd=kvs-fence-response;rc=0;        (when all ranks are in)
//!   > cmd=kvs-get;jobid=4.0;srcid=-1;key=K;
//!   < cmd=kvs-get-response;rc=0;found=TRUE;value=V;
//! ```

mod client;
mod message;

pub use client::Client;

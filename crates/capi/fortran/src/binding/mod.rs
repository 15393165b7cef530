// generated from api/ by cargo xtask generate; do not edit
//! The procedures, by area.

#![allow(clippy::undocumented_unsafe_blocks)]
#![allow(clippy::macro_metavars_in_unsafe)]

mod abi;
mod attr;
mod coll;
mod coll_neighbor;
mod coll_nonblocking;
mod coll_persistent;
mod comm;
mod conv;
mod dtype;
mod errhan;
mod external;
mod f90;
mod group;
mod info;
mod init;
mod io;
mod io_read;
mod io_write;
mod misc;
mod mpix;
mod part;
mod prof;
mod pt2pt;
mod pt2pt_buffers;
mod rma;
mod session;
mod spawn;
mod topo;

//! Clauses of the MPI standard that are easy to get wrong, each as a short story that the ranks of
//! a simulated job tell.
//!
//! The stories are one program, because each has MPI inside and takes long to link. Those about
//! messages and collectives run on one node, on a node for each rank, and on two nodes.

#![allow(unsafe_code)]

mod attributes;
mod collectives;
mod communicators;
mod errors;
mod intercommunicators;
mod matching;
mod partitioned;
mod requests;
mod sessions;
mod topologies;
mod vocabulary;
mod windows;

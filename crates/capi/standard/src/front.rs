// generated from api/ by cargo xtask generate; do not edit
//! The fronts of the standard ABI, by area.

mod abi;
mod attr;
mod coll;
mod comm;
mod dtype;
mod errhan;
mod external;
mod f90;
mod group;
mod info;
mod init;
mod io;
mod misc;
mod part;
mod prof;
mod pt2pt;
mod rma;
mod session;
mod spawn;
mod tool;
mod topo;

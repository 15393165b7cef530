//! MPI datatypes: type maps, plans, movers, reductions (MPI 5.0 chapter 5 and §6.9.2).
//!
//! A room of pure values: it knows no handle tables, no attributes, no engine. What enters are the arguments of the constructors and
//! user memory as [`Buffer`]s; what leaves are sizes, bounds and moved bytes.
//!
//! ```text
//!  constructors ──► Datatype ──commit──► plan ──walk──► movers ──► packed bytes
//!  (construct,      (facts, map,         (plan)         (movers)
//!   array)           contents)
//! ```
//!
//! | file | what |
//! |---|---|
//! | `basic` | the table of predefined types, by the standard ABI's handle values |
//! | `facts` | size, bounds, alignment, and how constructors change them |
//! | `datatype` | the value: facts, typed map, contents, plan |
//! | `contents` | envelope and contents: how a type was made |
//! | `construct`, `array`, `fortran` | the constructors |
//! | `elements` | counts of basic elements, signatures |
//! | `plan`, `walk`, `movers` | places of bytes; ranges of the packed stream; the copying itself |
//! | `buffer` | (address, count, type); pack and unpack from any byte; local copies |
//! | `area`, `atomic` | memory of windows: places in it, checked; elements combined atomically |
//! | `dense` | the same for the fast path: address and length |
//! | `ranges` | whether the data of an access lie in ranges of memory |
//! | `op`, `reduce`, `quad`, `half` | the predefined operations, their loops, binary128 and floats of 16 bits in software |
//! | `external32` | the portable representation |
//! | `travel` | types described to another process |
//!
//! `unsafe` lives in `buffer`, `area`, `atomic`, `dense`, `movers`, `reduce` and `external32`; each block is proven from the named invariants of its file.

mod array;
mod atomic;
mod basic;
mod buffer;
mod construct;
mod contents;
mod contiguous;
mod datatype;
mod elements;
mod error;
mod external32;
mod facts;
mod fortran;
mod half;
mod op;
mod pack_kernels;
mod plan;
mod quad;
mod ranges;
mod reduce;
mod region;
mod serialize;
mod walk;

pub use array::{DISTRIBUTE_DFLT_DARG, Darray, Distribution, Order};
pub use atomic::{AtomicOp, is_word};
pub use basic::{UNDEFINED, all_predefined, predefined_contiguous_size};
pub use buffer::{Buffer, ByteRange, Copied, Packer, Runs, Unpacker, copy};
pub use contents::{Combiner, Contents};
pub use contiguous::Contiguous;
pub use datatype::Datatype;
pub use elements::{Signature, SignatureRun};
pub use error::{TypeError, TypeErrorKind};
pub use external32::{external32_size, pack_external32, unpack_external32};
pub use fortran::TypeClass;
pub use op::Op;
pub use ranges::Ranges;
pub use reduce::{ReduceKernel, reduce, reduce_slices};
pub use region::{LocalTarget, MemoryRegion, RemoteTarget, combine_packed, is_inside};

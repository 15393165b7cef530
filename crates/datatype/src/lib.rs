//! MPI datatypes: type maps, pack and unpack, reductions (MPI 5.0 chapter 5 and §6.9.2).
//!
//! The crate knows neither handle tables nor attributes nor the engine. Its input are the arguments
//! of type constructors and user memory as [`Buffer`]s; its results are sizes, bounds and copied or
//! combined bytes.
//!
//! ```text
//!  constructors ──► Datatype ──commit──► plan ──walk──► pack kernels ──► packed bytes
//!  (construct,      (facts, map,         (plan)         (pack_kernels)
//!   array)           contents)
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `datatype` | the value: facts, typed map, contents, plan |
//! | `datatype::basic` | the table of predefined types, by the standard ABI's handle values |
//! | `datatype::facts` | size, bounds, alignment, and how constructors change them |
//! | `datatype::contents` | envelope and contents: how a type was made |
//! | `construct`, `array`, `fortran` | the constructors |
//! | `ascending` | whether data lie in ascending order |
//! | `elements` | numbers of basic elements, signatures |
//! | `plan`, `walk`, `pack_kernels` | flattened type maps, their traversal, the copying itself |
//! | `segments` | the runs of one element, by number |
//! | `buffer` | (address, count, type); pack and unpack from any byte; local copies |
//! | `contiguous` | contiguous memory for the fast paths: address and length |
//! | `region`, `remote` | target elements of one-sided accesses, here and in other processes |
//! | `image` | parts of a file in memory, and the data of views in them |
//! | `atomic` | accumulate operations by atomic instructions |
//! | `ranges` | whether address ranges cover the data of an access |
//! | `op`, `reduce` | the predefined operations and their loops |
//! | `quad`, `half` | binary128 and floating-point numbers of 16 bits in software |
//! | `external32` | the portable representation |
//! | `serialize` | descriptions of types for other processes |
//!
//! The modules with `unsafe` code (`buffer`, `region`, `remote`, `atomic`, `contiguous`,
//! `image`, `pack_kernels`, `reduce`, `external32`) prove each block from the invariants that the
//! head of their file names.
//!
//! # Examples
//! A matrix column is packed into contiguous bytes, as a send operation packs it:
//!
//! ```
//! use nemesis_datatype::{Buffer, Datatype};
//!
//! const MPI_INT: usize = 0x209; // handle values are those of the standard ABI
//! let int = Datatype::predefined(MPI_INT).unwrap();
//! let column = Datatype::vector(3, 1, 4, int)?; // of a matrix with three rows of four
//! column.commit();
//!
//! let mut matrix: Vec<i32> = (0..12).collect();
//! // SAFETY: the column spans nine ints of the matrix, which outlives the buffer.
//! let buffer = unsafe { Buffer::new(matrix.as_mut_ptr().cast(), 1, &column) };
//! let mut packed = vec![0; buffer.bytes()];
//! assert_eq!(buffer.pack_at(0, &mut packed), 12);
//! assert_eq!(packed, [0_i32, 4, 8].map(i32::to_ne_bytes).concat());
//! # Ok::<(), nemesis_datatype::TypeError>(())
//! ```
#![warn(missing_docs)]

mod array;
mod ascending;
mod atomic;
mod buffer;
mod class;
mod construct;
mod contiguous;
mod datatype;
mod elements;
mod error;
mod external32;
mod fortran;
mod half;
mod image;
mod op;
mod pack_kernels;
mod plan;
mod quad;
mod ranges;
mod reduce;
mod region;
mod remote;
mod segments;
mod serialize;
mod walk;

pub use array::{DISTRIBUTE_DFLT_DARG, Darray, Distribution, Order};
pub use atomic::{AtomicOp, is_word};
pub use buffer::{Buffer, ByteRange, Copied, Runs, copy};
pub use class::class_name;
pub use contiguous::{Contiguous, NO_MEMORY_MAX};
pub use datatype::Datatype;
pub use datatype::basic::{UNDEFINED, all_predefined, predefined_contiguous_size};
pub use datatype::contents::{Combiner, Contents};
pub use elements::{Signature, SignatureRun};
pub use error::{TypeError, TypeErrorKind};
pub use external32::{external32_size, pack_external32, unpack_external32};
pub use fortran::TypeClass;
pub use op::Op;
pub use ranges::Ranges;
pub use reduce::{ReduceKernel, reduce, reduce_slices};
pub use region::{LocalTarget, MemoryRegion, combine_packed, is_inside};
pub use remote::RemoteTarget;
pub use segments::Segments;

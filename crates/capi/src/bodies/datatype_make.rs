//! Constructors of datatypes (MPI 5.0 §5.1.2 to §5.1.10, §6.9.4, §19.1.5).
//!
//! The rules are the datatype room's; here arrays become slices, handles become types, and the new type a handle.

use super::arguments::negative_count;
use super::{null, put};
use crate::types::{Form, IntArray};
use nemesis_datatype::{DISTRIBUTE_DFLT_DARG, Darray, Distribution, Order, TypeClass, TypeError};
use nemesis_mpi::abi;
use nemesis_mpi::engine::Engine;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Handle};
use nemesis_mpi::types::refused;
use std::ffi::c_int;

type Made = Result<nemesis_datatype::Datatype, TypeError>;

/// The length of a constructor's arrays.
fn length(count: i64) -> Outcome<usize> {
    usize::try_from(count).map_err(|_| negative_count(count))
}

/// An array of counts or displacements; null only when it is empty.
unsafe fn numbers(array: IntArray, len: usize, name: &'static str) -> Outcome<Vec<i64>> {
    if array.is_null() && len > 0 {
        return Err(null(name));
    }
    // SAFETY: not null or without elements, so the caller's array.
    Ok(unsafe { array.to_vec(len) })
}

/// The same for arrays that are of `int` in both forms.
unsafe fn integers(array: *const c_int, len: usize, name: &'static str) -> Outcome<Vec<i64>> {
    // SAFETY: the caller's array.
    unsafe { numbers(IntArray::Int(array), len, name) }
}

/// Gives the new type a handle and writes it.
unsafe fn hand_out(mpi: &mut Engine, made: Made, form: Form, newtype: *mut Datatype) -> Outcome {
    let made = made.map_err(refused)?;
    if newtype.is_null() {
        return Err(null("newtype"));
    }
    let made =
        mpi.types.add(if form == Form::Large { made.into_large_count_form() } else { made })?;
    // SAFETY: not null, so the caller's place.
    unsafe { newtype.write(made) };
    Ok(())
}

pub unsafe fn type_contiguous(
    count: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made = nemesis_datatype::Datatype::contiguous(count, mpi.types.get(oldtype)?);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

pub unsafe fn type_vector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made =
        nemesis_datatype::Datatype::vector(count, blocklength, stride, mpi.types.get(oldtype)?);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

pub unsafe fn type_create_hvector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made =
        nemesis_datatype::Datatype::hvector(count, blocklength, stride, mpi.types.get(oldtype)?);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

/// The constructors that take a length and a displacement for each block.
type Irregular = fn(&[i64], &[i64], &nemesis_datatype::Datatype) -> Made;

unsafe fn irregular(
    make: Irregular,
    count: i64,
    (blocklengths, displacements): (IntArray, IntArray),
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let count = length(count)?;
    // SAFETY: the caller's arrays.
    let blocklengths = unsafe { numbers(blocklengths, count, "array_of_blocklengths") }?;
    // SAFETY: as above.
    let displacements = unsafe { numbers(displacements, count, "array_of_displacements") }?;
    let made = make(&blocklengths, &displacements, mpi.types.get(oldtype)?);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

pub unsafe fn type_indexed(
    count: i64,
    array_of_blocklengths: IntArray,
    array_of_displacements: IntArray,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let arrays = (array_of_blocklengths, array_of_displacements);
    // SAFETY: the caller's arguments.
    unsafe { irregular(nemesis_datatype::Datatype::indexed, count, arrays, oldtype, newtype, form) }
}

pub unsafe fn type_create_hindexed(
    count: i64,
    array_of_blocklengths: IntArray,
    array_of_displacements: IntArray,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let arrays = (array_of_blocklengths, array_of_displacements);
    // SAFETY: the caller's arguments.
    unsafe {
        irregular(nemesis_datatype::Datatype::hindexed, count, arrays, oldtype, newtype, form)
    }
}

/// The constructors that take one length for all blocks.
type Uniform = fn(i64, &[i64], &nemesis_datatype::Datatype) -> Made;

unsafe fn uniform(
    make: Uniform,
    (count, blocklength): (i64, i64),
    displacements: IntArray,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let count = length(count)?;
    // SAFETY: the caller's array.
    let displacements = unsafe { numbers(displacements, count, "array_of_displacements") }?;
    let made = make(blocklength, &displacements, mpi.types.get(oldtype)?);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

pub unsafe fn type_create_indexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: IntArray,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let make = nemesis_datatype::Datatype::indexed_block;
    // SAFETY: the caller's arguments.
    unsafe { uniform(make, (count, blocklength), array_of_displacements, oldtype, newtype, form) }
}

pub unsafe fn type_create_hindexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: IntArray,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let make = nemesis_datatype::Datatype::hindexed_block;
    // SAFETY: the caller's arguments.
    unsafe { uniform(make, (count, blocklength), array_of_displacements, oldtype, newtype, form) }
}

pub unsafe fn type_create_struct(
    count: i64,
    array_of_blocklengths: IntArray,
    array_of_displacements: IntArray,
    array_of_types: *const Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let count = length(count)?;
    // SAFETY: the caller's arrays.
    let blocklengths = unsafe { numbers(array_of_blocklengths, count, "array_of_blocklengths") }?;
    // SAFETY: as above.
    let displacements =
        unsafe { numbers(array_of_displacements, count, "array_of_displacements") }?;
    if array_of_types.is_null() && count > 0 {
        return Err(null("array_of_types"));
    }
    let olds: Vec<nemesis_datatype::Datatype> = (0..count)
        // SAFETY: the caller's array has `count` elements.
        .map(|index| mpi.types.get(unsafe { array_of_types.add(index).read() }).cloned())
        .collect::<Outcome<_>>()?;
    let made = nemesis_datatype::Datatype::structure(&blocklengths, &displacements, &olds);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

pub unsafe fn type_create_resized(
    oldtype: Datatype,
    lb: i64,
    extent: i64,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made = nemesis_datatype::Datatype::resized(mpi.types.get(oldtype)?, lb, extent);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

/// The number of dimensions; that there is one at least is checked with the rest.
fn dimensions(ndims: c_int) -> Outcome<usize> {
    usize::try_from(ndims)
        .map_err(|_| Error::new(abi::MPI_ERR_ARG, format!("ndims is {ndims}, it must be positive")))
}

fn order_of(order: c_int) -> Outcome<Order> {
    let known = Order::from_value(i64::from(order));
    known.ok_or_else(|| {
        Error::new(
            abi::MPI_ERR_ARG,
            format!("order {order} is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN"),
        )
    })
}

pub unsafe fn type_create_subarray(
    ndims: c_int,
    array_of_sizes: IntArray,
    array_of_subsizes: IntArray,
    array_of_starts: IntArray,
    order: c_int,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let len = dimensions(ndims)?;
    // SAFETY: the caller's arrays.
    let sizes = unsafe { numbers(array_of_sizes, len, "array_of_sizes") }?;
    // SAFETY: as above.
    let subsizes = unsafe { numbers(array_of_subsizes, len, "array_of_subsizes") }?;
    // SAFETY: as above.
    let starts = unsafe { numbers(array_of_starts, len, "array_of_starts") }?;
    let made = nemesis_datatype::Datatype::subarray(
        &sizes,
        &subsizes,
        &starts,
        order_of(order)?,
        mpi.types.get(oldtype)?,
    );
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

pub unsafe fn type_create_darray(
    size: c_int,
    rank: c_int,
    ndims: c_int,
    array_of_gsizes: IntArray,
    array_of_distribs: *const c_int,
    array_of_dargs: *const c_int,
    array_of_psizes: *const c_int,
    order: c_int,
    oldtype: Datatype,
    newtype: *mut Datatype,
    form: Form,
) -> Outcome {
    const _: () = assert!(abi::MPI_DISTRIBUTE_DFLT_DARG as i64 == DISTRIBUTE_DFLT_DARG);
    let mut mpi = enter()?;
    let len = dimensions(ndims)?;
    // SAFETY: the caller's arrays.
    let (gsizes, kinds) = unsafe {
        (
            numbers(array_of_gsizes, len, "array_of_gsizes")?,
            integers(array_of_distribs, len, "array_of_distribs")?,
        )
    };
    // SAFETY: as above.
    let (args, psizes) = unsafe {
        (
            integers(array_of_dargs, len, "array_of_dargs")?,
            integers(array_of_psizes, len, "array_of_psizes")?,
        )
    };
    let distribution = |&kind: &i64| {
        let known = Distribution::from_value(kind);
        known.ok_or_else(|| {
            Error::new(abi::MPI_ERR_ARG, format!("distribution {kind} is none of the standard's"))
        })
    };
    let distributions: Vec<Distribution> =
        kinds.iter().map(distribution).collect::<Outcome<_>>()?;
    let array = Darray {
        size: i64::from(size),
        rank: i64::from(rank),
        gsizes: &gsizes,
        distributions: &distributions,
        args: &args,
        psizes: &psizes,
        order: order_of(order)?,
    };
    let made = nemesis_datatype::Datatype::darray(&array, mpi.types.get(oldtype)?);
    // SAFETY: the caller's place.
    unsafe { hand_out(&mut mpi, made, form, newtype) }
}

/// Types that are predefined, though made when asked for: the same arguments give the same handle.
unsafe fn furnish(made: Made, newtype: *mut Datatype) -> Outcome {
    let made = enter()?.types.handle_of(&made.map_err(refused)?)?;
    // SAFETY: the caller's place.
    unsafe { put(newtype, "newtype", made) }
}

pub unsafe fn type_create_f90_real(p: c_int, r: c_int, newtype: *mut Datatype) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { furnish(nemesis_datatype::Datatype::f90_real(i64::from(p), i64::from(r)), newtype) }
}

pub unsafe fn type_create_f90_complex(p: c_int, r: c_int, newtype: *mut Datatype) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { furnish(nemesis_datatype::Datatype::f90_complex(i64::from(p), i64::from(r)), newtype) }
}

pub unsafe fn type_create_f90_integer(r: c_int, newtype: *mut Datatype) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { furnish(nemesis_datatype::Datatype::f90_integer(i64::from(r)), newtype) }
}

pub unsafe fn type_match_size(typeclass: c_int, size: c_int, datatype: *mut Datatype) -> Outcome {
    let class = TypeClass::from_value(i64::from(typeclass));
    let class = class.ok_or_else(|| {
        Error::new(abi::MPI_ERR_ARG, format!("typeclass {typeclass} is none of the standard's"))
    })?;
    // SAFETY: the caller's place.
    unsafe {
        furnish(nemesis_datatype::Datatype::match_size(class, i64::from(size)).cloned(), datatype)
    }
}

/// A pair that nothing can be reduced with is MPI_DATATYPE_NULL, and no error (MPI 5.0 §6.9.4).
pub unsafe fn type_get_value_index(
    value_type: Datatype,
    index_type: Datatype,
    pair_type: *mut Datatype,
) -> Outcome {
    let mut mpi = enter()?;
    let pair = nemesis_datatype::Datatype::value_index(
        mpi.types.get(value_type)?,
        mpi.types.get(index_type)?,
    )
    .map_err(refused)?;
    let pair = match pair {
        Some(pair) => mpi.types.handle_of(&pair)?,
        None => Datatype::NULL,
    };
    // SAFETY: the caller's place.
    unsafe { put(pair_type, "pair_type", pair) }
}

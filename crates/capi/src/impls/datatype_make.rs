//! Constructors of datatypes (MPI 5.0 §5.1.2 to §5.1.10, §6.9.4, §19.1.5).
//!
//! `nemesis_datatype` checks the rules. The functions of this file turn arrays into slices, handles
//! into types, and the new type into a handle.

use super::arguments::negative_count;
use crate::params::{InSlice, IntSlice, Out};
use crate::types::Form;
use nemesis_datatype::{DISTRIBUTE_DFLT_DARG, Darray, Distribution, Order, TypeClass, TypeError};
use nemesis_mpi::abi;
use nemesis_mpi::engine::Engine;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Handle};
use nemesis_mpi::types::refused;
use std::ffi::c_int;

type Made = Result<nemesis_datatype::Datatype, TypeError>;

/// Checks the length of a constructor's arrays.
fn check_length(count: i64) -> Outcome {
    if count < 0 { Err(negative_count(count)) } else { Ok(()) }
}

/// The elements of an array of counts or displacements, which is null only if it is empty.
fn numbers(array: IntSlice<'_>, name: &'static str) -> Outcome<Vec<i64>> {
    Ok(array.require(name)?.iter().collect())
}

/// The elements of an array that is of `int` in both forms.
fn integers(array: InSlice<'_, c_int>, name: &'static str) -> Outcome<Vec<i64>> {
    numbers(IntSlice::Int(array), name)
}

/// Gives the new type a handle and writes it.
fn put_type(mpi: &mut Engine, made: Made, form: Form, newtype: Out<'_, Datatype>) -> Outcome {
    let made = made.map_err(refused)?;
    let newtype = newtype.require("newtype")?;
    let made =
        mpi.types.add(if form == Form::Large { made.into_large_count_form() } else { made })?;
    newtype.write(made);
    Ok(())
}

pub fn type_contiguous(
    count: i64,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made = nemesis_datatype::Datatype::contiguous(count, mpi.types.get(oldtype)?);
    put_type(&mut mpi, made, form, newtype)
}

pub fn type_vector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made =
        nemesis_datatype::Datatype::vector(count, blocklength, stride, mpi.types.get(oldtype)?);
    put_type(&mut mpi, made, form, newtype)
}

pub fn type_create_hvector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made =
        nemesis_datatype::Datatype::hvector(count, blocklength, stride, mpi.types.get(oldtype)?);
    put_type(&mut mpi, made, form, newtype)
}

/// The constructors that take a length and a displacement for each block.
type Irregular = fn(&[i64], &[i64], &nemesis_datatype::Datatype) -> Made;

fn irregular(
    make: Irregular,
    count: i64,
    (blocklengths, displacements): (IntSlice, IntSlice<'_>),
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    check_length(count)?;
    let blocklengths = numbers(blocklengths, "array_of_blocklengths")?;
    let displacements = numbers(displacements, "array_of_displacements")?;
    let made = make(&blocklengths, &displacements, mpi.types.get(oldtype)?);
    put_type(&mut mpi, made, form, newtype)
}

pub fn type_indexed(
    count: i64,
    array_of_blocklengths: IntSlice<'_>,
    array_of_displacements: IntSlice<'_>,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let arrays = (array_of_blocklengths, array_of_displacements);
    irregular(nemesis_datatype::Datatype::indexed, count, arrays, oldtype, newtype, form)
}

pub fn type_create_hindexed(
    count: i64,
    array_of_blocklengths: IntSlice<'_>,
    array_of_displacements: IntSlice<'_>,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let arrays = (array_of_blocklengths, array_of_displacements);
    irregular(nemesis_datatype::Datatype::hindexed, count, arrays, oldtype, newtype, form)
}

/// The constructors that take one length for all blocks.
type Uniform = fn(i64, &[i64], &nemesis_datatype::Datatype) -> Made;

fn uniform(
    make: Uniform,
    (count, blocklength): (i64, i64),
    displacements: IntSlice,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    check_length(count)?;
    let displacements = numbers(displacements, "array_of_displacements")?;
    let made = make(blocklength, &displacements, mpi.types.get(oldtype)?);
    put_type(&mut mpi, made, form, newtype)
}

pub fn type_create_indexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: IntSlice<'_>,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let make = nemesis_datatype::Datatype::indexed_block;
    uniform(make, (count, blocklength), array_of_displacements, oldtype, newtype, form)
}

pub fn type_create_hindexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: IntSlice<'_>,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let make = nemesis_datatype::Datatype::hindexed_block;
    uniform(make, (count, blocklength), array_of_displacements, oldtype, newtype, form)
}

pub fn type_create_struct(
    count: i64,
    array_of_blocklengths: IntSlice<'_>,
    array_of_displacements: IntSlice<'_>,
    array_of_types: InSlice<'_, Datatype>,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    check_length(count)?;
    let blocklengths = numbers(array_of_blocklengths, "array_of_blocklengths")?;
    let displacements = numbers(array_of_displacements, "array_of_displacements")?;
    let olds: Vec<nemesis_datatype::Datatype> = array_of_types
        .require("array_of_types")?
        .iter()
        .map(|&old| mpi.types.get(old).cloned())
        .collect::<Outcome<_>>()?;
    let made = nemesis_datatype::Datatype::structure(&blocklengths, &displacements, &olds);
    put_type(&mut mpi, made, form, newtype)
}

pub fn type_create_resized(
    oldtype: Datatype,
    lb: i64,
    extent: i64,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    let made = nemesis_datatype::Datatype::resized(mpi.types.get(oldtype)?, lb, extent);
    put_type(&mut mpi, made, form, newtype)
}

/// Checks that the number of dimensions is not negative; the constructor checks that it is not 0.
fn check_dimensions(ndims: c_int) -> Outcome {
    if ndims < 0 {
        let why = format!("ndims is {ndims}, it must be positive");
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    }
    Ok(())
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

pub fn type_create_subarray(
    ndims: c_int,
    array_of_sizes: IntSlice<'_>,
    array_of_subsizes: IntSlice<'_>,
    array_of_starts: IntSlice<'_>,
    order: c_int,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    let mut mpi = enter()?;
    check_dimensions(ndims)?;
    let sizes = numbers(array_of_sizes, "array_of_sizes")?;
    let subsizes = numbers(array_of_subsizes, "array_of_subsizes")?;
    let starts = numbers(array_of_starts, "array_of_starts")?;
    let made = nemesis_datatype::Datatype::subarray(
        &sizes,
        &subsizes,
        &starts,
        order_of(order)?,
        mpi.types.get(oldtype)?,
    );
    put_type(&mut mpi, made, form, newtype)
}

pub fn type_create_darray(
    size: c_int,
    rank: c_int,
    ndims: c_int,
    array_of_gsizes: IntSlice<'_>,
    array_of_distribs: InSlice<'_, c_int>,
    array_of_dargs: InSlice<'_, c_int>,
    array_of_psizes: InSlice<'_, c_int>,
    order: c_int,
    oldtype: Datatype,
    newtype: Out<'_, Datatype>,
    form: Form,
) -> Outcome {
    const _: () = assert!(abi::MPI_DISTRIBUTE_DFLT_DARG as i64 == DISTRIBUTE_DFLT_DARG);
    let mut mpi = enter()?;
    check_dimensions(ndims)?;
    let (gsizes, kinds) = (
        numbers(array_of_gsizes, "array_of_gsizes")?,
        integers(array_of_distribs, "array_of_distribs")?,
    );
    let (args, psizes) = (
        integers(array_of_dargs, "array_of_dargs")?,
        integers(array_of_psizes, "array_of_psizes")?,
    );
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
    put_type(&mut mpi, made, form, newtype)
}

/// Writes the handle of a predefined type that is made on demand. Equal arguments give one handle.
fn put_predefined(made: Made, newtype: Out<'_, Datatype>) -> Outcome {
    let made = enter()?.types.handle_of(&made.map_err(refused)?)?;
    newtype.put("newtype", made)
}

pub fn type_create_f90_real(p: c_int, r: c_int, newtype: Out<'_, Datatype>) -> Outcome {
    put_predefined(nemesis_datatype::Datatype::f90_real(i64::from(p), i64::from(r)), newtype)
}

pub fn type_create_f90_complex(p: c_int, r: c_int, newtype: Out<'_, Datatype>) -> Outcome {
    put_predefined(nemesis_datatype::Datatype::f90_complex(i64::from(p), i64::from(r)), newtype)
}

pub fn type_create_f90_integer(r: c_int, newtype: Out<'_, Datatype>) -> Outcome {
    put_predefined(nemesis_datatype::Datatype::f90_integer(i64::from(r)), newtype)
}

pub fn type_match_size(typeclass: c_int, size: c_int, datatype: Out<'_, Datatype>) -> Outcome {
    let class = TypeClass::from_value(i64::from(typeclass));
    let class = class.ok_or_else(|| {
        Error::new(abi::MPI_ERR_ARG, format!("typeclass {typeclass} is none of the standard's"))
    })?;
    put_predefined(
        nemesis_datatype::Datatype::match_size(class, i64::from(size)).cloned(),
        datatype,
    )
}

/// Writes the type of a value and an index. A pair that no reduction supports is
/// `MPI_DATATYPE_NULL`, which is no error (MPI 5.0 §6.9.4).
pub fn type_get_value_index(
    value_type: Datatype,
    index_type: Datatype,
    pair_type: Out<'_, Datatype>,
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
    pair_type.put("pair_type", pair)
}

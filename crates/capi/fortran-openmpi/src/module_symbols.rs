// generated from api/ by cargo xtask generate; do not edit
//! The symbols of Open MPI's modules, as gfortran spells them.

use crate::modules::Class;
use crate::{attributes, classes, exports, modules, others, sizeof};
use std::ffi::c_int;

exports!(others::equal:
    __mpi_f08_types_MOD_ompi_comm_op_eq
    __mpi_f08_types_MOD_ompi_datatype_op_eq
    __mpi_f08_types_MOD_ompi_errhandler_op_eq
    __mpi_f08_types_MOD_ompi_file_op_eq
    __mpi_f08_types_MOD_ompi_group_op_eq
    __mpi_f08_types_MOD_ompi_info_op_eq
    __mpi_f08_types_MOD_ompi_message_op_eq
    __mpi_f08_types_MOD_ompi_op_op_eq
    __mpi_f08_types_MOD_ompi_request_op_eq
    __mpi_f08_types_MOD_ompi_session_op_eq
    __mpi_f08_types_MOD_ompi_win_op_eq
    __mpi_types_MOD_ompi_comm_op_eq
    __mpi_types_MOD_ompi_datatype_op_eq
    __mpi_types_MOD_ompi_errhandler_op_eq
    __mpi_types_MOD_ompi_file_op_eq
    __mpi_types_MOD_ompi_group_op_eq
    __mpi_types_MOD_ompi_info_op_eq
    __mpi_types_MOD_ompi_message_op_eq
    __mpi_types_MOD_ompi_op_op_eq
    __mpi_types_MOD_ompi_request_op_eq
    __mpi_types_MOD_ompi_session_op_eq
    __mpi_types_MOD_ompi_win_op_eq);
exports!(others::different:
    __mpi_f08_types_MOD_ompi_comm_op_ne
    __mpi_f08_types_MOD_ompi_datatype_op_ne
    __mpi_f08_types_MOD_ompi_errhandler_op_ne
    __mpi_f08_types_MOD_ompi_file_op_ne
    __mpi_f08_types_MOD_ompi_group_op_ne
    __mpi_f08_types_MOD_ompi_info_op_ne
    __mpi_f08_types_MOD_ompi_message_op_ne
    __mpi_f08_types_MOD_ompi_op_op_ne
    __mpi_f08_types_MOD_ompi_request_op_ne
    __mpi_f08_types_MOD_ompi_session_op_ne
    __mpi_f08_types_MOD_ompi_win_op_ne
    __mpi_types_MOD_ompi_comm_op_ne
    __mpi_types_MOD_ompi_datatype_op_ne
    __mpi_types_MOD_ompi_errhandler_op_ne
    __mpi_types_MOD_ompi_file_op_ne
    __mpi_types_MOD_ompi_group_op_ne
    __mpi_types_MOD_ompi_info_op_ne
    __mpi_types_MOD_ompi_message_op_ne
    __mpi_types_MOD_ompi_op_op_ne
    __mpi_types_MOD_ompi_request_op_ne
    __mpi_types_MOD_ompi_session_op_ne
    __mpi_types_MOD_ompi_win_op_ne);
exports!(attributes::null_copy:
    __mpi_f08_callbacks_MOD_mpi_comm_null_copy_fn);
exports!(attributes::dup:
    __mpi_f08_callbacks_MOD_mpi_comm_dup_fn);
exports!(attributes::delete:
    __mpi_f08_callbacks_MOD_mpi_comm_null_delete_fn);
exports!(attributes::null_copy:
    __mpi_f08_callbacks_MOD_mpi_win_null_copy_fn);
exports!(attributes::dup:
    __mpi_f08_callbacks_MOD_mpi_win_dup_fn);
exports!(attributes::delete:
    __mpi_f08_callbacks_MOD_mpi_win_null_delete_fn);
exports!(attributes::null_copy:
    __mpi_f08_callbacks_MOD_mpi_type_null_copy_fn);
exports!(attributes::dup:
    __mpi_f08_callbacks_MOD_mpi_type_dup_fn);
exports!(attributes::delete:
    __mpi_f08_callbacks_MOD_mpi_type_null_delete_fn);
exports!(others::conversion_fn_null:
    __mpi_f08_callbacks_MOD_mpi_conversion_fn_null);
exports!(others::conversion_fn_null:
    __mpi_f08_callbacks_MOD_mpi_conversion_fn_null_c);
exports!(sizeof::of::<1>:
    mpi_sizeof_character_r1_
    pmpi_sizeof_character_r1_
    mpi_sizeof_character_r2_
    pmpi_sizeof_character_r2_
    mpi_sizeof_character_r3_
    pmpi_sizeof_character_r3_
    mpi_sizeof_character_r4_
    pmpi_sizeof_character_r4_
    mpi_sizeof_character_r5_
    pmpi_sizeof_character_r5_
    mpi_sizeof_character_r6_
    pmpi_sizeof_character_r6_
    mpi_sizeof_character_r7_
    pmpi_sizeof_character_r7_
    mpi_sizeof_character_r8_
    pmpi_sizeof_character_r8_
    mpi_sizeof_character_r9_
    pmpi_sizeof_character_r9_
    mpi_sizeof_character_r10_
    pmpi_sizeof_character_r10_
    mpi_sizeof_character_r11_
    pmpi_sizeof_character_r11_
    mpi_sizeof_character_r12_
    pmpi_sizeof_character_r12_
    mpi_sizeof_character_r13_
    pmpi_sizeof_character_r13_
    mpi_sizeof_character_r14_
    pmpi_sizeof_character_r14_
    mpi_sizeof_character_r15_
    pmpi_sizeof_character_r15_
    mpi_sizeof_character_scalar_
    pmpi_sizeof_character_scalar_);
exports!(sizeof::of::<32>:
    mpi_sizeof_complex128_r1_
    pmpi_sizeof_complex128_r1_
    mpi_sizeof_complex128_r2_
    pmpi_sizeof_complex128_r2_
    mpi_sizeof_complex128_r3_
    pmpi_sizeof_complex128_r3_
    mpi_sizeof_complex128_r4_
    pmpi_sizeof_complex128_r4_
    mpi_sizeof_complex128_r5_
    pmpi_sizeof_complex128_r5_
    mpi_sizeof_complex128_r6_
    pmpi_sizeof_complex128_r6_
    mpi_sizeof_complex128_r7_
    pmpi_sizeof_complex128_r7_
    mpi_sizeof_complex128_r8_
    pmpi_sizeof_complex128_r8_
    mpi_sizeof_complex128_r9_
    pmpi_sizeof_complex128_r9_
    mpi_sizeof_complex128_r10_
    pmpi_sizeof_complex128_r10_
    mpi_sizeof_complex128_r11_
    pmpi_sizeof_complex128_r11_
    mpi_sizeof_complex128_r12_
    pmpi_sizeof_complex128_r12_
    mpi_sizeof_complex128_r13_
    pmpi_sizeof_complex128_r13_
    mpi_sizeof_complex128_r14_
    pmpi_sizeof_complex128_r14_
    mpi_sizeof_complex128_r15_
    pmpi_sizeof_complex128_r15_
    mpi_sizeof_complex128_scalar_
    pmpi_sizeof_complex128_scalar_);
exports!(sizeof::of::<8>:
    mpi_sizeof_complex32_r1_
    pmpi_sizeof_complex32_r1_
    mpi_sizeof_complex32_r2_
    pmpi_sizeof_complex32_r2_
    mpi_sizeof_complex32_r3_
    pmpi_sizeof_complex32_r3_
    mpi_sizeof_complex32_r4_
    pmpi_sizeof_complex32_r4_
    mpi_sizeof_complex32_r5_
    pmpi_sizeof_complex32_r5_
    mpi_sizeof_complex32_r6_
    pmpi_sizeof_complex32_r6_
    mpi_sizeof_complex32_r7_
    pmpi_sizeof_complex32_r7_
    mpi_sizeof_complex32_r8_
    pmpi_sizeof_complex32_r8_
    mpi_sizeof_complex32_r9_
    pmpi_sizeof_complex32_r9_
    mpi_sizeof_complex32_r10_
    pmpi_sizeof_complex32_r10_
    mpi_sizeof_complex32_r11_
    pmpi_sizeof_complex32_r11_
    mpi_sizeof_complex32_r12_
    pmpi_sizeof_complex32_r12_
    mpi_sizeof_complex32_r13_
    pmpi_sizeof_complex32_r13_
    mpi_sizeof_complex32_r14_
    pmpi_sizeof_complex32_r14_
    mpi_sizeof_complex32_r15_
    pmpi_sizeof_complex32_r15_
    mpi_sizeof_complex32_scalar_
    pmpi_sizeof_complex32_scalar_);
exports!(sizeof::of::<16>:
    mpi_sizeof_complex64_r1_
    pmpi_sizeof_complex64_r1_
    mpi_sizeof_complex64_r2_
    pmpi_sizeof_complex64_r2_
    mpi_sizeof_complex64_r3_
    pmpi_sizeof_complex64_r3_
    mpi_sizeof_complex64_r4_
    pmpi_sizeof_complex64_r4_
    mpi_sizeof_complex64_r5_
    pmpi_sizeof_complex64_r5_
    mpi_sizeof_complex64_r6_
    pmpi_sizeof_complex64_r6_
    mpi_sizeof_complex64_r7_
    pmpi_sizeof_complex64_r7_
    mpi_sizeof_complex64_r8_
    pmpi_sizeof_complex64_r8_
    mpi_sizeof_complex64_r9_
    pmpi_sizeof_complex64_r9_
    mpi_sizeof_complex64_r10_
    pmpi_sizeof_complex64_r10_
    mpi_sizeof_complex64_r11_
    pmpi_sizeof_complex64_r11_
    mpi_sizeof_complex64_r12_
    pmpi_sizeof_complex64_r12_
    mpi_sizeof_complex64_r13_
    pmpi_sizeof_complex64_r13_
    mpi_sizeof_complex64_r14_
    pmpi_sizeof_complex64_r14_
    mpi_sizeof_complex64_r15_
    pmpi_sizeof_complex64_r15_
    mpi_sizeof_complex64_scalar_
    pmpi_sizeof_complex64_scalar_);
exports!(sizeof::of::<2>:
    mpi_sizeof_int16_r1_
    pmpi_sizeof_int16_r1_
    mpi_sizeof_int16_r2_
    pmpi_sizeof_int16_r2_
    mpi_sizeof_int16_r3_
    pmpi_sizeof_int16_r3_
    mpi_sizeof_int16_r4_
    pmpi_sizeof_int16_r4_
    mpi_sizeof_int16_r5_
    pmpi_sizeof_int16_r5_
    mpi_sizeof_int16_r6_
    pmpi_sizeof_int16_r6_
    mpi_sizeof_int16_r7_
    pmpi_sizeof_int16_r7_
    mpi_sizeof_int16_r8_
    pmpi_sizeof_int16_r8_
    mpi_sizeof_int16_r9_
    pmpi_sizeof_int16_r9_
    mpi_sizeof_int16_r10_
    pmpi_sizeof_int16_r10_
    mpi_sizeof_int16_r11_
    pmpi_sizeof_int16_r11_
    mpi_sizeof_int16_r12_
    pmpi_sizeof_int16_r12_
    mpi_sizeof_int16_r13_
    pmpi_sizeof_int16_r13_
    mpi_sizeof_int16_r14_
    pmpi_sizeof_int16_r14_
    mpi_sizeof_int16_r15_
    pmpi_sizeof_int16_r15_
    mpi_sizeof_int16_scalar_
    pmpi_sizeof_int16_scalar_);
exports!(sizeof::of::<4>:
    mpi_sizeof_int32_r1_
    pmpi_sizeof_int32_r1_
    mpi_sizeof_int32_r2_
    pmpi_sizeof_int32_r2_
    mpi_sizeof_int32_r3_
    pmpi_sizeof_int32_r3_
    mpi_sizeof_int32_r4_
    pmpi_sizeof_int32_r4_
    mpi_sizeof_int32_r5_
    pmpi_sizeof_int32_r5_
    mpi_sizeof_int32_r6_
    pmpi_sizeof_int32_r6_
    mpi_sizeof_int32_r7_
    pmpi_sizeof_int32_r7_
    mpi_sizeof_int32_r8_
    pmpi_sizeof_int32_r8_
    mpi_sizeof_int32_r9_
    pmpi_sizeof_int32_r9_
    mpi_sizeof_int32_r10_
    pmpi_sizeof_int32_r10_
    mpi_sizeof_int32_r11_
    pmpi_sizeof_int32_r11_
    mpi_sizeof_int32_r12_
    pmpi_sizeof_int32_r12_
    mpi_sizeof_int32_r13_
    pmpi_sizeof_int32_r13_
    mpi_sizeof_int32_r14_
    pmpi_sizeof_int32_r14_
    mpi_sizeof_int32_r15_
    pmpi_sizeof_int32_r15_
    mpi_sizeof_int32_scalar_
    pmpi_sizeof_int32_scalar_);
exports!(sizeof::of::<8>:
    mpi_sizeof_int64_r1_
    pmpi_sizeof_int64_r1_
    mpi_sizeof_int64_r2_
    pmpi_sizeof_int64_r2_
    mpi_sizeof_int64_r3_
    pmpi_sizeof_int64_r3_
    mpi_sizeof_int64_r4_
    pmpi_sizeof_int64_r4_
    mpi_sizeof_int64_r5_
    pmpi_sizeof_int64_r5_
    mpi_sizeof_int64_r6_
    pmpi_sizeof_int64_r6_
    mpi_sizeof_int64_r7_
    pmpi_sizeof_int64_r7_
    mpi_sizeof_int64_r8_
    pmpi_sizeof_int64_r8_
    mpi_sizeof_int64_r9_
    pmpi_sizeof_int64_r9_
    mpi_sizeof_int64_r10_
    pmpi_sizeof_int64_r10_
    mpi_sizeof_int64_r11_
    pmpi_sizeof_int64_r11_
    mpi_sizeof_int64_r12_
    pmpi_sizeof_int64_r12_
    mpi_sizeof_int64_r13_
    pmpi_sizeof_int64_r13_
    mpi_sizeof_int64_r14_
    pmpi_sizeof_int64_r14_
    mpi_sizeof_int64_r15_
    pmpi_sizeof_int64_r15_
    mpi_sizeof_int64_scalar_
    pmpi_sizeof_int64_scalar_);
exports!(sizeof::of::<1>:
    mpi_sizeof_int8_r1_
    pmpi_sizeof_int8_r1_
    mpi_sizeof_int8_r2_
    pmpi_sizeof_int8_r2_
    mpi_sizeof_int8_r3_
    pmpi_sizeof_int8_r3_
    mpi_sizeof_int8_r4_
    pmpi_sizeof_int8_r4_
    mpi_sizeof_int8_r5_
    pmpi_sizeof_int8_r5_
    mpi_sizeof_int8_r6_
    pmpi_sizeof_int8_r6_
    mpi_sizeof_int8_r7_
    pmpi_sizeof_int8_r7_
    mpi_sizeof_int8_r8_
    pmpi_sizeof_int8_r8_
    mpi_sizeof_int8_r9_
    pmpi_sizeof_int8_r9_
    mpi_sizeof_int8_r10_
    pmpi_sizeof_int8_r10_
    mpi_sizeof_int8_r11_
    pmpi_sizeof_int8_r11_
    mpi_sizeof_int8_r12_
    pmpi_sizeof_int8_r12_
    mpi_sizeof_int8_r13_
    pmpi_sizeof_int8_r13_
    mpi_sizeof_int8_r14_
    pmpi_sizeof_int8_r14_
    mpi_sizeof_int8_r15_
    pmpi_sizeof_int8_r15_
    mpi_sizeof_int8_scalar_
    pmpi_sizeof_int8_scalar_);
exports!(sizeof::of::<4>:
    mpi_sizeof_logical_r1_
    pmpi_sizeof_logical_r1_
    mpi_sizeof_logical_r2_
    pmpi_sizeof_logical_r2_
    mpi_sizeof_logical_r3_
    pmpi_sizeof_logical_r3_
    mpi_sizeof_logical_r4_
    pmpi_sizeof_logical_r4_
    mpi_sizeof_logical_r5_
    pmpi_sizeof_logical_r5_
    mpi_sizeof_logical_r6_
    pmpi_sizeof_logical_r6_
    mpi_sizeof_logical_r7_
    pmpi_sizeof_logical_r7_
    mpi_sizeof_logical_r8_
    pmpi_sizeof_logical_r8_
    mpi_sizeof_logical_r9_
    pmpi_sizeof_logical_r9_
    mpi_sizeof_logical_r10_
    pmpi_sizeof_logical_r10_
    mpi_sizeof_logical_r11_
    pmpi_sizeof_logical_r11_
    mpi_sizeof_logical_r12_
    pmpi_sizeof_logical_r12_
    mpi_sizeof_logical_r13_
    pmpi_sizeof_logical_r13_
    mpi_sizeof_logical_r14_
    pmpi_sizeof_logical_r14_
    mpi_sizeof_logical_r15_
    pmpi_sizeof_logical_r15_
    mpi_sizeof_logical_scalar_
    pmpi_sizeof_logical_scalar_);
exports!(sizeof::of::<16>:
    mpi_sizeof_real128_r1_
    pmpi_sizeof_real128_r1_
    mpi_sizeof_real128_r2_
    pmpi_sizeof_real128_r2_
    mpi_sizeof_real128_r3_
    pmpi_sizeof_real128_r3_
    mpi_sizeof_real128_r4_
    pmpi_sizeof_real128_r4_
    mpi_sizeof_real128_r5_
    pmpi_sizeof_real128_r5_
    mpi_sizeof_real128_r6_
    pmpi_sizeof_real128_r6_
    mpi_sizeof_real128_r7_
    pmpi_sizeof_real128_r7_
    mpi_sizeof_real128_r8_
    pmpi_sizeof_real128_r8_
    mpi_sizeof_real128_r9_
    pmpi_sizeof_real128_r9_
    mpi_sizeof_real128_r10_
    pmpi_sizeof_real128_r10_
    mpi_sizeof_real128_r11_
    pmpi_sizeof_real128_r11_
    mpi_sizeof_real128_r12_
    pmpi_sizeof_real128_r12_
    mpi_sizeof_real128_r13_
    pmpi_sizeof_real128_r13_
    mpi_sizeof_real128_r14_
    pmpi_sizeof_real128_r14_
    mpi_sizeof_real128_r15_
    pmpi_sizeof_real128_r15_
    mpi_sizeof_real128_scalar_
    pmpi_sizeof_real128_scalar_);
exports!(sizeof::of::<4>:
    mpi_sizeof_real32_r1_
    pmpi_sizeof_real32_r1_
    mpi_sizeof_real32_r2_
    pmpi_sizeof_real32_r2_
    mpi_sizeof_real32_r3_
    pmpi_sizeof_real32_r3_
    mpi_sizeof_real32_r4_
    pmpi_sizeof_real32_r4_
    mpi_sizeof_real32_r5_
    pmpi_sizeof_real32_r5_
    mpi_sizeof_real32_r6_
    pmpi_sizeof_real32_r6_
    mpi_sizeof_real32_r7_
    pmpi_sizeof_real32_r7_
    mpi_sizeof_real32_r8_
    pmpi_sizeof_real32_r8_
    mpi_sizeof_real32_r9_
    pmpi_sizeof_real32_r9_
    mpi_sizeof_real32_r10_
    pmpi_sizeof_real32_r10_
    mpi_sizeof_real32_r11_
    pmpi_sizeof_real32_r11_
    mpi_sizeof_real32_r12_
    pmpi_sizeof_real32_r12_
    mpi_sizeof_real32_r13_
    pmpi_sizeof_real32_r13_
    mpi_sizeof_real32_r14_
    pmpi_sizeof_real32_r14_
    mpi_sizeof_real32_r15_
    pmpi_sizeof_real32_r15_
    mpi_sizeof_real32_scalar_
    pmpi_sizeof_real32_scalar_);
exports!(sizeof::of::<8>:
    mpi_sizeof_real64_r1_
    pmpi_sizeof_real64_r1_
    mpi_sizeof_real64_r2_
    pmpi_sizeof_real64_r2_
    mpi_sizeof_real64_r3_
    pmpi_sizeof_real64_r3_
    mpi_sizeof_real64_r4_
    pmpi_sizeof_real64_r4_
    mpi_sizeof_real64_r5_
    pmpi_sizeof_real64_r5_
    mpi_sizeof_real64_r6_
    pmpi_sizeof_real64_r6_
    mpi_sizeof_real64_r7_
    pmpi_sizeof_real64_r7_
    mpi_sizeof_real64_r8_
    pmpi_sizeof_real64_r8_
    mpi_sizeof_real64_r9_
    pmpi_sizeof_real64_r9_
    mpi_sizeof_real64_r10_
    pmpi_sizeof_real64_r10_
    mpi_sizeof_real64_r11_
    pmpi_sizeof_real64_r11_
    mpi_sizeof_real64_r12_
    pmpi_sizeof_real64_r12_
    mpi_sizeof_real64_r13_
    pmpi_sizeof_real64_r13_
    mpi_sizeof_real64_r14_
    pmpi_sizeof_real64_r14_
    mpi_sizeof_real64_r15_
    pmpi_sizeof_real64_r15_
    mpi_sizeof_real64_scalar_
    pmpi_sizeof_real64_scalar_);
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_comm_null: c_int = 2;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_comm_world: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_comm_self: c_int = 1;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_datatype_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_aint: c_int = 66;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_count: c_int = 72;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_offset: c_int = 67;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_packed: c_int = 2;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_short: c_int = 37;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_int: c_int = 39;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_long: c_int = 41;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_long_long_int: c_int = 43;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_long_long: c_int = 43;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_unsigned_short: c_int = 38;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_unsigned: c_int = 40;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_unsigned_long: c_int = 42;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_unsigned_long_long: c_int = 44;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_float: c_int = 45;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_c_complex: c_int = 69;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_c_float_complex: c_int = 69;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_double: c_int = 46;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_c_double_complex: c_int = 70;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_long_double: c_int = 47;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_c_long_double_complex: c_int = 71;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_c_bool: c_int = 68;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_wchar: c_int = 33;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_int8_t: c_int = 58;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_uint8_t: c_int = 59;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_char: c_int = 34;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_signed_char: c_int = 36;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_unsigned_char: c_int = 35;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_byte: c_int = 1;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_int16_t: c_int = 60;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_uint16_t: c_int = 61;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_int32_t: c_int = 62;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_uint32_t: c_int = 63;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_int64_t: c_int = 64;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_uint64_t: c_int = 65;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_logical: c_int = 6;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_integer: c_int = 7;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_real: c_int = 13;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_complex: c_int = 18;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_double_precision: c_int = 17;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_character: c_int = 5;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_cxx_float_complex: c_int = 55;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_cxx_double_complex: c_int = 56;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_cxx_long_double_complex: c_int = 57;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_cxx_bool: c_int = 54;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_double_complex: c_int = 22;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_logical1: c_int = 29;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_logical2: c_int = 30;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_logical4: c_int = 31;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_logical8: c_int = 32;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_integer1: c_int = 8;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_integer2: c_int = 9;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_integer4: c_int = 10;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_integer8: c_int = 11;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_real4: c_int = 14;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_real8: c_int = 15;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_real16: c_int = 16;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_complex8: c_int = 19;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_complex16: c_int = 20;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_complex32: c_int = 21;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_lb: c_int = 4;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_ub: c_int = 3;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_float_int: c_int = 48;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_double_int: c_int = 49;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_long_int: c_int = 51;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_2int: c_int = 52;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_short_int: c_int = 53;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_long_double_int: c_int = 50;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_2real: c_int = 23;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_2double_precision: c_int = 24;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_2integer: c_int = 25;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_message_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_message_no_proc: c_int = 1;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_errhandler_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_errors_are_fatal: c_int = 1;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_errors_abort: c_int = 3;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_errors_return: c_int = 2;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_info_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_info_env: c_int = 1;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_op_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_sum: c_int = 3;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_min: c_int = 2;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_max: c_int = 1;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_prod: c_int = 4;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_band: c_int = 6;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_bor: c_int = 8;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_bxor: c_int = 10;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_land: c_int = 5;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_lor: c_int = 7;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_lxor: c_int = 9;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_minloc: c_int = 12;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_maxloc: c_int = 11;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_replace: c_int = 13;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_no_op: c_int = 14;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_group_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_group_empty: c_int = 1;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_request_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_file_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_session_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_win_null: c_int = 0;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_2complex: c_int = 26;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_2double_complex: c_int = 27;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_cxx_complex: c_int = 55;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_integer16: c_int = 12;
#[unsafe(no_mangle)]
pub static __mpi_f08_types_MOD_mpi_real2: c_int = 28;

classes! {
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_comm
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_comm
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_comm: 4 73600949;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_datatype
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_datatype
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_datatype: 4 86896269;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_errhandler
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_errhandler
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_errhandler: 4 15118478;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_file
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_file
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_file: 4 70760613;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_group
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_group
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_group: 4 20619574;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_info
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_info
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_info: 4 53436151;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_message
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_message
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_message: 4 90857150;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_op
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_op
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_op: 4 68037098;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_request
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_request
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_request: 4 92555974;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_status
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_status
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_status: 24 3872507;
    __mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_win
        __mpi_f08_types_MOD___def_init_mpi_f08_types_Mpi_win
        __mpi_f08_types_MOD___copy_mpi_f08_types_Mpi_win: 4 58701395;
    __mpi_types_MOD___vtab_mpi_types_Mpi_comm
        __mpi_types_MOD___def_init_mpi_types_Mpi_comm
        __mpi_types_MOD___copy_mpi_types_Mpi_comm: 4 65123268;
    __mpi_types_MOD___vtab_mpi_types_Mpi_datatype
        __mpi_types_MOD___def_init_mpi_types_Mpi_datatype
        __mpi_types_MOD___copy_mpi_types_Mpi_datatype: 4 29694876;
    __mpi_types_MOD___vtab_mpi_types_Mpi_errhandler
        __mpi_types_MOD___def_init_mpi_types_Mpi_errhandler
        __mpi_types_MOD___copy_mpi_types_Mpi_errhandler: 4 15295773;
    __mpi_types_MOD___vtab_mpi_types_Mpi_file
        __mpi_types_MOD___def_init_mpi_types_Mpi_file
        __mpi_types_MOD___copy_mpi_types_Mpi_file: 4 62282932;
    __mpi_types_MOD___vtab_mpi_types_Mpi_group
        __mpi_types_MOD___def_init_mpi_types_Mpi_group
        __mpi_types_MOD___copy_mpi_types_Mpi_group: 4 84906471;
    __mpi_types_MOD___vtab_mpi_types_Mpi_info
        __mpi_types_MOD___def_init_mpi_types_Mpi_info
        __mpi_types_MOD___copy_mpi_types_Mpi_info: 4 44958470;
    __mpi_types_MOD___vtab_mpi_types_Mpi_message
        __mpi_types_MOD___def_init_mpi_types_Mpi_message
        __mpi_types_MOD___copy_mpi_types_Mpi_message: 4 93716975;
    __mpi_types_MOD___vtab_mpi_types_Mpi_op
        __mpi_types_MOD___def_init_mpi_types_Mpi_op
        __mpi_types_MOD___copy_mpi_types_Mpi_op: 4 62794105;
    __mpi_types_MOD___vtab_mpi_types_Mpi_request
        __mpi_types_MOD___def_init_mpi_types_Mpi_request
        __mpi_types_MOD___copy_mpi_types_Mpi_request: 4 95415799;
    __mpi_types_MOD___vtab_mpi_types_Mpi_session
        __mpi_types_MOD___def_init_mpi_types_Mpi_session
        __mpi_types_MOD___copy_mpi_types_Mpi_session: 4 44324094;
    __mpi_types_MOD___vtab_mpi_types_Mpi_status
        __mpi_types_MOD___def_init_mpi_types_Mpi_status
        __mpi_types_MOD___copy_mpi_types_Mpi_status: 24 13675146;
    __mpi_types_MOD___vtab_mpi_types_Mpi_win
        __mpi_types_MOD___def_init_mpi_types_Mpi_win
        __mpi_types_MOD___copy_mpi_types_Mpi_win: 4 12067460;
}

// generated from api/ by cargo xtask generate; do not edit
//! The predefined objects of Open MPI's ABI, which programs know by address.

use crate::object::{Addresses, Numbered, Object};
use nemesis_capi::c_objects;
use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Info, Message, Op, Request, Session, Win,
};

c_objects! {
    /// `MPI_COMM_NULL`
    ompi_mpi_comm_null: Object<127> = Object::new(2);
    /// `MPI_COMM_WORLD`
    ompi_mpi_comm_world: Object<127> = Object::new(0);
    /// `MPI_COMM_SELF`
    ompi_mpi_comm_self: Object<127> = Object::new(1);
    /// `MPI_DATATYPE_NULL`
    ompi_mpi_datatype_null: Object<127> = Object::new(0);
    /// `MPI_AINT`
    ompi_mpi_aint: Object<127> = Object::new(66);
    /// `MPI_COUNT`
    ompi_mpi_count: Object<127> = Object::new(72);
    /// `MPI_OFFSET`
    ompi_mpi_offset: Object<127> = Object::new(67);
    /// `MPI_PACKED`
    ompi_mpi_packed: Object<127> = Object::new(2);
    /// `MPI_SHORT`
    ompi_mpi_short: Object<127> = Object::new(37);
    /// `MPI_INT`
    ompi_mpi_int: Object<127> = Object::new(39);
    /// `MPI_LONG`
    ompi_mpi_long: Object<127> = Object::new(41);
    /// `MPI_LONG_LONG_INT`
    ompi_mpi_long_long_int: Object<127> = Object::new(43);
    /// `MPI_UNSIGNED_SHORT`
    ompi_mpi_unsigned_short: Object<127> = Object::new(38);
    /// `MPI_UNSIGNED`
    ompi_mpi_unsigned: Object<127> = Object::new(40);
    /// `MPI_UNSIGNED_LONG`
    ompi_mpi_unsigned_long: Object<127> = Object::new(42);
    /// `MPI_UNSIGNED_LONG_LONG`
    ompi_mpi_unsigned_long_long: Object<127> = Object::new(44);
    /// `MPI_FLOAT`
    ompi_mpi_float: Object<127> = Object::new(45);
    /// `MPI_C_COMPLEX`
    ompi_mpi_c_float_complex: Object<127> = Object::new(69);
    /// `MPI_DOUBLE`
    ompi_mpi_double: Object<127> = Object::new(46);
    /// `MPI_C_DOUBLE_COMPLEX`
    ompi_mpi_c_double_complex: Object<127> = Object::new(70);
    /// `MPI_LONG_DOUBLE`
    ompi_mpi_long_double: Object<127> = Object::new(47);
    /// `MPI_C_LONG_DOUBLE_COMPLEX`
    ompi_mpi_c_long_double_complex: Object<127> = Object::new(71);
    /// `MPI_C_BOOL`
    ompi_mpi_c_bool: Object<127> = Object::new(68);
    /// `MPI_WCHAR`
    ompi_mpi_wchar: Object<127> = Object::new(33);
    /// `MPI_INT8_T`
    ompi_mpi_int8_t: Object<127> = Object::new(58);
    /// `MPI_UINT8_T`
    ompi_mpi_uint8_t: Object<127> = Object::new(59);
    /// `MPI_CHAR`
    ompi_mpi_char: Object<127> = Object::new(34);
    /// `MPI_SIGNED_CHAR`
    ompi_mpi_signed_char: Object<127> = Object::new(36);
    /// `MPI_UNSIGNED_CHAR`
    ompi_mpi_unsigned_char: Object<127> = Object::new(35);
    /// `MPI_BYTE`
    ompi_mpi_byte: Object<127> = Object::new(1);
    /// `MPI_INT16_T`
    ompi_mpi_int16_t: Object<127> = Object::new(60);
    /// `MPI_UINT16_T`
    ompi_mpi_uint16_t: Object<127> = Object::new(61);
    /// `MPI_INT32_T`
    ompi_mpi_int32_t: Object<127> = Object::new(62);
    /// `MPI_UINT32_T`
    ompi_mpi_uint32_t: Object<127> = Object::new(63);
    /// `MPI_INT64_T`
    ompi_mpi_int64_t: Object<127> = Object::new(64);
    /// `MPI_UINT64_T`
    ompi_mpi_uint64_t: Object<127> = Object::new(65);
    /// `MPI_LOGICAL`
    ompi_mpi_logical: Object<127> = Object::new(6);
    /// `MPI_INTEGER`
    ompi_mpi_integer: Object<127> = Object::new(7);
    /// `MPI_REAL`
    ompi_mpi_real: Object<127> = Object::new(13);
    /// `MPI_COMPLEX`
    ompi_mpi_cplex: Object<127> = Object::new(18);
    /// `MPI_DOUBLE_PRECISION`
    ompi_mpi_dblprec: Object<127> = Object::new(17);
    /// `MPI_CHARACTER`
    ompi_mpi_character: Object<127> = Object::new(5);
    /// `MPI_CXX_FLOAT_COMPLEX`
    ompi_mpi_cxx_cplex: Object<127> = Object::new(55);
    /// `MPI_CXX_DOUBLE_COMPLEX`
    ompi_mpi_cxx_dblcplex: Object<127> = Object::new(56);
    /// `MPI_CXX_LONG_DOUBLE_COMPLEX`
    ompi_mpi_cxx_ldblcplex: Object<127> = Object::new(57);
    /// `MPI_CXX_BOOL`
    ompi_mpi_cxx_bool: Object<127> = Object::new(54);
    /// `MPI_DOUBLE_COMPLEX`
    ompi_mpi_dblcplex: Object<127> = Object::new(22);
    /// `MPI_LOGICAL1`
    ompi_mpi_logical1: Object<127> = Object::new(29);
    /// `MPI_LOGICAL2`
    ompi_mpi_logical2: Object<127> = Object::new(30);
    /// `MPI_LOGICAL4`
    ompi_mpi_logical4: Object<127> = Object::new(31);
    /// `MPI_LOGICAL8`
    ompi_mpi_logical8: Object<127> = Object::new(32);
    /// `MPI_INTEGER1`
    ompi_mpi_integer1: Object<127> = Object::new(8);
    /// `MPI_INTEGER2`
    ompi_mpi_integer2: Object<127> = Object::new(9);
    /// `MPI_INTEGER4`
    ompi_mpi_integer4: Object<127> = Object::new(10);
    /// `MPI_INTEGER8`
    ompi_mpi_integer8: Object<127> = Object::new(11);
    /// `MPI_REAL4`
    ompi_mpi_real4: Object<127> = Object::new(14);
    /// `MPI_REAL8`
    ompi_mpi_real8: Object<127> = Object::new(15);
    /// `MPI_REAL16`
    ompi_mpi_real16: Object<127> = Object::new(16);
    /// `MPI_COMPLEX8`
    ompi_mpi_complex8: Object<127> = Object::new(19);
    /// `MPI_COMPLEX16`
    ompi_mpi_complex16: Object<127> = Object::new(20);
    /// `MPI_COMPLEX32`
    ompi_mpi_complex32: Object<127> = Object::new(21);
    /// `MPI_LB`
    ompi_mpi_lb: Object<127> = Object::new(4);
    /// `MPI_UB`
    ompi_mpi_ub: Object<127> = Object::new(3);
    /// `MPI_FLOAT_INT`
    ompi_mpi_float_int: Object<127> = Object::new(48);
    /// `MPI_DOUBLE_INT`
    ompi_mpi_double_int: Object<127> = Object::new(49);
    /// `MPI_LONG_INT`
    ompi_mpi_long_int: Object<127> = Object::new(51);
    /// `MPI_2INT`
    ompi_mpi_2int: Object<127> = Object::new(52);
    /// `MPI_SHORT_INT`
    ompi_mpi_short_int: Object<127> = Object::new(53);
    /// `MPI_LONG_DOUBLE_INT`
    ompi_mpi_longdbl_int: Object<127> = Object::new(50);
    /// `MPI_2REAL`
    ompi_mpi_2real: Object<127> = Object::new(23);
    /// `MPI_2DOUBLE_PRECISION`
    ompi_mpi_2dblprec: Object<127> = Object::new(24);
    /// `MPI_2INTEGER`
    ompi_mpi_2integer: Object<127> = Object::new(25);
    /// `MPI_ERRHANDLER_NULL`
    ompi_mpi_errhandler_null: Object<255> = Object::new(0);
    /// `MPI_ERRORS_ARE_FATAL`
    ompi_mpi_errors_are_fatal: Object<255> = Object::new(1);
    /// `MPI_ERRORS_ABORT`
    ompi_mpi_errors_abort: Object<255> = Object::new(3);
    /// `MPI_ERRORS_RETURN`
    ompi_mpi_errors_return: Object<255> = Object::new(2);
    /// `MPI_FILE_NULL`
    ompi_mpi_file_null: Object<383> = Object::new(0);
    /// `MPI_GROUP_NULL`
    ompi_mpi_group_null: Object<63> = Object::new(0);
    /// `MPI_GROUP_EMPTY`
    ompi_mpi_group_empty: Object<63> = Object::new(1);
    /// `MPI_INFO_NULL`
    ompi_mpi_info_null: Object<63> = Object::new(0);
    /// `MPI_INFO_ENV`
    ompi_mpi_info_env: Object<63> = Object::new(1);
    /// `MPI_MESSAGE_NULL`
    ompi_message_null: Object<63> = Object::new(0);
    /// `MPI_MESSAGE_NO_PROC`
    ompi_message_no_proc: Object<63> = Object::new(1);
    /// `MPI_OP_NULL`
    ompi_mpi_op_null: Object<511> = Object::new(0);
    /// `MPI_SUM`
    ompi_mpi_op_sum: Object<511> = Object::new(3);
    /// `MPI_MIN`
    ompi_mpi_op_min: Object<511> = Object::new(2);
    /// `MPI_MAX`
    ompi_mpi_op_max: Object<511> = Object::new(1);
    /// `MPI_PROD`
    ompi_mpi_op_prod: Object<511> = Object::new(4);
    /// `MPI_BAND`
    ompi_mpi_op_band: Object<511> = Object::new(6);
    /// `MPI_BOR`
    ompi_mpi_op_bor: Object<511> = Object::new(8);
    /// `MPI_BXOR`
    ompi_mpi_op_bxor: Object<511> = Object::new(10);
    /// `MPI_LAND`
    ompi_mpi_op_land: Object<511> = Object::new(5);
    /// `MPI_LOR`
    ompi_mpi_op_lor: Object<511> = Object::new(7);
    /// `MPI_LXOR`
    ompi_mpi_op_lxor: Object<511> = Object::new(9);
    /// `MPI_MINLOC`
    ompi_mpi_op_minloc: Object<511> = Object::new(12);
    /// `MPI_MAXLOC`
    ompi_mpi_op_maxloc: Object<511> = Object::new(11);
    /// `MPI_REPLACE`
    ompi_mpi_op_replace: Object<511> = Object::new(13);
    /// `MPI_NO_OP`
    ompi_mpi_op_no_op: Object<511> = Object::new(14);
    /// `MPI_REQUEST_NULL`
    ompi_request_null: Object<63> = Object::new(0);
    /// `MPI_SESSION_NULL`
    ompi_mpi_instance_null: Object<127> = Object::new(0);
    /// `MPI_WIN_NULL`
    ompi_mpi_win_null: Object<127> = Object::new(0);
    ompi_mpi_c_complex: Object<127> = Object::new(69);
    ompi_mpi_ldblcplex: Object<127> = Object::new(71);
    ompi_mpi_2cplex: Object<127> = Object::new(26);
    ompi_mpi_2dblcplex: Object<127> = Object::new(27);
}

/// The addresses of the objects by the number of their handle.
pub static ADDRESSES: Addresses = Addresses::new(&[
    (256, &raw const ompi_mpi_comm_null as *const Object<0>),
    (257, &raw const ompi_mpi_comm_world as *const Object<0>),
    (258, &raw const ompi_mpi_comm_self as *const Object<0>),
    (512, &raw const ompi_mpi_datatype_null as *const Object<0>),
    (513, &raw const ompi_mpi_aint as *const Object<0>),
    (514, &raw const ompi_mpi_count as *const Object<0>),
    (515, &raw const ompi_mpi_offset as *const Object<0>),
    (519, &raw const ompi_mpi_packed as *const Object<0>),
    (520, &raw const ompi_mpi_short as *const Object<0>),
    (521, &raw const ompi_mpi_int as *const Object<0>),
    (522, &raw const ompi_mpi_long as *const Object<0>),
    (523, &raw const ompi_mpi_long_long_int as *const Object<0>),
    (524, &raw const ompi_mpi_unsigned_short as *const Object<0>),
    (525, &raw const ompi_mpi_unsigned as *const Object<0>),
    (526, &raw const ompi_mpi_unsigned_long as *const Object<0>),
    (527, &raw const ompi_mpi_unsigned_long_long as *const Object<0>),
    (528, &raw const ompi_mpi_float as *const Object<0>),
    (530, &raw const ompi_mpi_c_float_complex as *const Object<0>),
    (532, &raw const ompi_mpi_double as *const Object<0>),
    (534, &raw const ompi_mpi_c_double_complex as *const Object<0>),
    (544, &raw const ompi_mpi_long_double as *const Object<0>),
    (548, &raw const ompi_mpi_c_long_double_complex as *const Object<0>),
    (568, &raw const ompi_mpi_c_bool as *const Object<0>),
    (572, &raw const ompi_mpi_wchar as *const Object<0>),
    (576, &raw const ompi_mpi_int8_t as *const Object<0>),
    (577, &raw const ompi_mpi_uint8_t as *const Object<0>),
    (579, &raw const ompi_mpi_char as *const Object<0>),
    (580, &raw const ompi_mpi_signed_char as *const Object<0>),
    (581, &raw const ompi_mpi_unsigned_char as *const Object<0>),
    (583, &raw const ompi_mpi_byte as *const Object<0>),
    (584, &raw const ompi_mpi_int16_t as *const Object<0>),
    (585, &raw const ompi_mpi_uint16_t as *const Object<0>),
    (592, &raw const ompi_mpi_int32_t as *const Object<0>),
    (593, &raw const ompi_mpi_uint32_t as *const Object<0>),
    (600, &raw const ompi_mpi_int64_t as *const Object<0>),
    (601, &raw const ompi_mpi_uint64_t as *const Object<0>),
    (536, &raw const ompi_mpi_logical as *const Object<0>),
    (537, &raw const ompi_mpi_integer as *const Object<0>),
    (538, &raw const ompi_mpi_real as *const Object<0>),
    (539, &raw const ompi_mpi_cplex as *const Object<0>),
    (540, &raw const ompi_mpi_dblprec as *const Object<0>),
    (542, &raw const ompi_mpi_character as *const Object<0>),
    (531, &raw const ompi_mpi_cxx_cplex as *const Object<0>),
    (535, &raw const ompi_mpi_cxx_dblcplex as *const Object<0>),
    (549, &raw const ompi_mpi_cxx_ldblcplex as *const Object<0>),
    (569, &raw const ompi_mpi_cxx_bool as *const Object<0>),
    (541, &raw const ompi_mpi_dblcplex as *const Object<0>),
    (704, &raw const ompi_mpi_logical1 as *const Object<0>),
    (712, &raw const ompi_mpi_logical2 as *const Object<0>),
    (720, &raw const ompi_mpi_logical4 as *const Object<0>),
    (728, &raw const ompi_mpi_logical8 as *const Object<0>),
    (705, &raw const ompi_mpi_integer1 as *const Object<0>),
    (713, &raw const ompi_mpi_integer2 as *const Object<0>),
    (721, &raw const ompi_mpi_integer4 as *const Object<0>),
    (729, &raw const ompi_mpi_integer8 as *const Object<0>),
    (722, &raw const ompi_mpi_real4 as *const Object<0>),
    (730, &raw const ompi_mpi_real8 as *const Object<0>),
    (738, &raw const ompi_mpi_real16 as *const Object<0>),
    (731, &raw const ompi_mpi_complex8 as *const Object<0>),
    (739, &raw const ompi_mpi_complex16 as *const Object<0>),
    (747, &raw const ompi_mpi_complex32 as *const Object<0>),
    (516, &raw const ompi_mpi_lb as *const Object<0>),
    (517, &raw const ompi_mpi_ub as *const Object<0>),
    (552, &raw const ompi_mpi_float_int as *const Object<0>),
    (553, &raw const ompi_mpi_double_int as *const Object<0>),
    (554, &raw const ompi_mpi_long_int as *const Object<0>),
    (555, &raw const ompi_mpi_2int as *const Object<0>),
    (556, &raw const ompi_mpi_short_int as *const Object<0>),
    (557, &raw const ompi_mpi_longdbl_int as *const Object<0>),
    (560, &raw const ompi_mpi_2real as *const Object<0>),
    (561, &raw const ompi_mpi_2dblprec as *const Object<0>),
    (562, &raw const ompi_mpi_2integer as *const Object<0>),
    (320, &raw const ompi_mpi_errhandler_null as *const Object<0>),
    (321, &raw const ompi_mpi_errors_are_fatal as *const Object<0>),
    (322, &raw const ompi_mpi_errors_abort as *const Object<0>),
    (323, &raw const ompi_mpi_errors_return as *const Object<0>),
    (280, &raw const ompi_mpi_file_null as *const Object<0>),
    (264, &raw const ompi_mpi_group_null as *const Object<0>),
    (265, &raw const ompi_mpi_group_empty as *const Object<0>),
    (304, &raw const ompi_mpi_info_null as *const Object<0>),
    (305, &raw const ompi_mpi_info_env as *const Object<0>),
    (296, &raw const ompi_message_null as *const Object<0>),
    (297, &raw const ompi_message_no_proc as *const Object<0>),
    (32, &raw const ompi_mpi_op_null as *const Object<0>),
    (33, &raw const ompi_mpi_op_sum as *const Object<0>),
    (34, &raw const ompi_mpi_op_min as *const Object<0>),
    (35, &raw const ompi_mpi_op_max as *const Object<0>),
    (36, &raw const ompi_mpi_op_prod as *const Object<0>),
    (40, &raw const ompi_mpi_op_band as *const Object<0>),
    (41, &raw const ompi_mpi_op_bor as *const Object<0>),
    (42, &raw const ompi_mpi_op_bxor as *const Object<0>),
    (48, &raw const ompi_mpi_op_land as *const Object<0>),
    (49, &raw const ompi_mpi_op_lor as *const Object<0>),
    (50, &raw const ompi_mpi_op_lxor as *const Object<0>),
    (56, &raw const ompi_mpi_op_minloc as *const Object<0>),
    (57, &raw const ompi_mpi_op_maxloc as *const Object<0>),
    (60, &raw const ompi_mpi_op_replace as *const Object<0>),
    (61, &raw const ompi_mpi_op_no_op as *const Object<0>),
    (384, &raw const ompi_request_null as *const Object<0>),
    (288, &raw const ompi_mpi_instance_null as *const Object<0>),
    (272, &raw const ompi_mpi_win_null as *const Object<0>),
]);

impl Numbered for Comm {
    const NUMBERS: &'static [u16] = &[257, 258, 256];
}

impl Numbered for Datatype {
    const NUMBERS: &'static [u16] = &[
        512, 583, 519, 517, 516, 542, 536, 537, 705, 713, 721, 729, 0, 538, 722, 730, 738, 540,
        539, 731, 739, 747, 541, 560, 561, 562, 0, 0, 0, 704, 712, 720, 728, 572, 579, 581, 580,
        520, 524, 521, 525, 522, 526, 523, 527, 528, 532, 544, 552, 553, 557, 554, 555, 556, 569,
        531, 535, 549, 576, 577, 584, 585, 592, 593, 600, 601, 513, 515, 568, 530, 534, 548, 514,
    ];
}

impl Numbered for Errhandler {
    const NUMBERS: &'static [u16] = &[320, 321, 323, 322];
}

impl Numbered for File {
    const NUMBERS: &'static [u16] = &[280];
}

impl Numbered for Group {
    const NUMBERS: &'static [u16] = &[264, 265];
}

impl Numbered for Info {
    const NUMBERS: &'static [u16] = &[304, 305];
}

impl Numbered for Message {
    const NUMBERS: &'static [u16] = &[296, 297];
}

impl Numbered for Op {
    const NUMBERS: &'static [u16] = &[32, 35, 34, 33, 36, 48, 40, 49, 41, 50, 42, 57, 56, 60, 61];
}

impl Numbered for Request {
    const NUMBERS: &'static [u16] = &[384];
}

impl Numbered for Session {
    const NUMBERS: &'static [u16] = &[288];
}

impl Numbered for Win {
    const NUMBERS: &'static [u16] = &[272];
}

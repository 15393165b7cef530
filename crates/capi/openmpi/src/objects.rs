// generated from api/ by cargo xtask generate; do not edit
//! The predefined objects of Open MPI's ABI, which programs know by address.

use crate::object::{Addresses, Numbered, Object};
use nemesis_capi::c_objects;
use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Info, Message, Op, Request, Session, Win,
};

c_objects! {
    /// `MPI_COMM_NULL`
    ompi_mpi_comm_null: Object<124> = Object::new(256, 2);
    /// `MPI_COMM_WORLD`
    ompi_mpi_comm_world: Object<124> = Object::new(257, 0);
    /// `MPI_COMM_SELF`
    ompi_mpi_comm_self: Object<124> = Object::new(258, 1);
    /// `MPI_DATATYPE_NULL`
    ompi_mpi_datatype_null: Object<124> = Object::new(512, 0);
    /// `MPI_AINT`
    ompi_mpi_aint: Object<124> = Object::new(513, 66);
    /// `MPI_COUNT`
    ompi_mpi_count: Object<124> = Object::new(514, 72);
    /// `MPI_OFFSET`
    ompi_mpi_offset: Object<124> = Object::new(515, 67);
    /// `MPI_PACKED`
    ompi_mpi_packed: Object<124> = Object::new(519, 2);
    /// `MPI_SHORT`
    ompi_mpi_short: Object<124> = Object::new(520, 37);
    /// `MPI_INT`
    ompi_mpi_int: Object<124> = Object::new(521, 39);
    /// `MPI_LONG`
    ompi_mpi_long: Object<124> = Object::new(522, 41);
    /// `MPI_LONG_LONG_INT`
    ompi_mpi_long_long_int: Object<124> = Object::new(523, 43);
    /// `MPI_UNSIGNED_SHORT`
    ompi_mpi_unsigned_short: Object<124> = Object::new(524, 38);
    /// `MPI_UNSIGNED`
    ompi_mpi_unsigned: Object<124> = Object::new(525, 40);
    /// `MPI_UNSIGNED_LONG`
    ompi_mpi_unsigned_long: Object<124> = Object::new(526, 42);
    /// `MPI_UNSIGNED_LONG_LONG`
    ompi_mpi_unsigned_long_long: Object<124> = Object::new(527, 44);
    /// `MPI_FLOAT`
    ompi_mpi_float: Object<124> = Object::new(528, 45);
    /// `MPI_C_COMPLEX`
    ompi_mpi_c_float_complex: Object<124> = Object::new(530, 69);
    /// `MPI_DOUBLE`
    ompi_mpi_double: Object<124> = Object::new(532, 46);
    /// `MPI_C_DOUBLE_COMPLEX`
    ompi_mpi_c_double_complex: Object<124> = Object::new(534, 70);
    /// `MPI_LONG_DOUBLE`
    ompi_mpi_long_double: Object<124> = Object::new(544, 47);
    /// `MPI_C_LONG_DOUBLE_COMPLEX`
    ompi_mpi_c_long_double_complex: Object<124> = Object::new(548, 71);
    /// `MPI_C_BOOL`
    ompi_mpi_c_bool: Object<124> = Object::new(568, 68);
    /// `MPI_WCHAR`
    ompi_mpi_wchar: Object<124> = Object::new(572, 33);
    /// `MPI_INT8_T`
    ompi_mpi_int8_t: Object<124> = Object::new(576, 58);
    /// `MPI_UINT8_T`
    ompi_mpi_uint8_t: Object<124> = Object::new(577, 59);
    /// `MPI_CHAR`
    ompi_mpi_char: Object<124> = Object::new(579, 34);
    /// `MPI_SIGNED_CHAR`
    ompi_mpi_signed_char: Object<124> = Object::new(580, 36);
    /// `MPI_UNSIGNED_CHAR`
    ompi_mpi_unsigned_char: Object<124> = Object::new(581, 35);
    /// `MPI_BYTE`
    ompi_mpi_byte: Object<124> = Object::new(583, 1);
    /// `MPI_INT16_T`
    ompi_mpi_int16_t: Object<124> = Object::new(584, 60);
    /// `MPI_UINT16_T`
    ompi_mpi_uint16_t: Object<124> = Object::new(585, 61);
    /// `MPI_INT32_T`
    ompi_mpi_int32_t: Object<124> = Object::new(592, 62);
    /// `MPI_UINT32_T`
    ompi_mpi_uint32_t: Object<124> = Object::new(593, 63);
    /// `MPI_INT64_T`
    ompi_mpi_int64_t: Object<124> = Object::new(600, 64);
    /// `MPI_UINT64_T`
    ompi_mpi_uint64_t: Object<124> = Object::new(601, 65);
    /// `MPI_LOGICAL`
    ompi_mpi_logical: Object<124> = Object::new(536, 6);
    /// `MPI_INTEGER`
    ompi_mpi_integer: Object<124> = Object::new(537, 7);
    /// `MPI_REAL`
    ompi_mpi_real: Object<124> = Object::new(538, 13);
    /// `MPI_COMPLEX`
    ompi_mpi_cplex: Object<124> = Object::new(539, 18);
    /// `MPI_DOUBLE_PRECISION`
    ompi_mpi_dblprec: Object<124> = Object::new(540, 17);
    /// `MPI_CHARACTER`
    ompi_mpi_character: Object<124> = Object::new(542, 5);
    /// `MPI_CXX_FLOAT_COMPLEX`
    ompi_mpi_cxx_cplex: Object<124> = Object::new(531, 55);
    /// `MPI_CXX_DOUBLE_COMPLEX`
    ompi_mpi_cxx_dblcplex: Object<124> = Object::new(535, 56);
    /// `MPI_CXX_LONG_DOUBLE_COMPLEX`
    ompi_mpi_cxx_ldblcplex: Object<124> = Object::new(549, 57);
    /// `MPI_CXX_BOOL`
    ompi_mpi_cxx_bool: Object<124> = Object::new(569, 54);
    /// `MPI_DOUBLE_COMPLEX`
    ompi_mpi_dblcplex: Object<124> = Object::new(541, 22);
    /// `MPI_LOGICAL1`
    ompi_mpi_logical1: Object<124> = Object::new(704, 29);
    /// `MPI_LOGICAL2`
    ompi_mpi_logical2: Object<124> = Object::new(712, 30);
    /// `MPI_LOGICAL4`
    ompi_mpi_logical4: Object<124> = Object::new(720, 31);
    /// `MPI_LOGICAL8`
    ompi_mpi_logical8: Object<124> = Object::new(728, 32);
    /// `MPI_INTEGER1`
    ompi_mpi_integer1: Object<124> = Object::new(705, 8);
    /// `MPI_INTEGER2`
    ompi_mpi_integer2: Object<124> = Object::new(713, 9);
    /// `MPI_INTEGER4`
    ompi_mpi_integer4: Object<124> = Object::new(721, 10);
    /// `MPI_INTEGER8`
    ompi_mpi_integer8: Object<124> = Object::new(729, 11);
    /// `MPI_REAL4`
    ompi_mpi_real4: Object<124> = Object::new(722, 14);
    /// `MPI_REAL8`
    ompi_mpi_real8: Object<124> = Object::new(730, 15);
    /// `MPI_REAL16`
    ompi_mpi_real16: Object<124> = Object::new(738, 16);
    /// `MPI_COMPLEX8`
    ompi_mpi_complex8: Object<124> = Object::new(731, 19);
    /// `MPI_COMPLEX16`
    ompi_mpi_complex16: Object<124> = Object::new(739, 20);
    /// `MPI_COMPLEX32`
    ompi_mpi_complex32: Object<124> = Object::new(747, 21);
    /// `MPI_LB`
    ompi_mpi_lb: Object<124> = Object::new(516, 4);
    /// `MPI_UB`
    ompi_mpi_ub: Object<124> = Object::new(517, 3);
    /// `MPI_FLOAT_INT`
    ompi_mpi_float_int: Object<124> = Object::new(552, 48);
    /// `MPI_DOUBLE_INT`
    ompi_mpi_double_int: Object<124> = Object::new(553, 49);
    /// `MPI_LONG_INT`
    ompi_mpi_long_int: Object<124> = Object::new(554, 51);
    /// `MPI_2INT`
    ompi_mpi_2int: Object<124> = Object::new(555, 52);
    /// `MPI_SHORT_INT`
    ompi_mpi_short_int: Object<124> = Object::new(556, 53);
    /// `MPI_LONG_DOUBLE_INT`
    ompi_mpi_longdbl_int: Object<124> = Object::new(557, 50);
    /// `MPI_2REAL`
    ompi_mpi_2real: Object<124> = Object::new(560, 23);
    /// `MPI_2DOUBLE_PRECISION`
    ompi_mpi_2dblprec: Object<124> = Object::new(561, 24);
    /// `MPI_2INTEGER`
    ompi_mpi_2integer: Object<124> = Object::new(562, 25);
    /// `MPI_ERRHANDLER_NULL`
    ompi_mpi_errhandler_null: Object<252> = Object::new(320, 0);
    /// `MPI_ERRORS_ARE_FATAL`
    ompi_mpi_errors_are_fatal: Object<252> = Object::new(321, 1);
    /// `MPI_ERRORS_ABORT`
    ompi_mpi_errors_abort: Object<252> = Object::new(322, 3);
    /// `MPI_ERRORS_RETURN`
    ompi_mpi_errors_return: Object<252> = Object::new(323, 2);
    /// `MPI_FILE_NULL`
    ompi_mpi_file_null: Object<380> = Object::new(280, 0);
    /// `MPI_GROUP_NULL`
    ompi_mpi_group_null: Object<60> = Object::new(264, 0);
    /// `MPI_GROUP_EMPTY`
    ompi_mpi_group_empty: Object<60> = Object::new(265, 1);
    /// `MPI_INFO_NULL`
    ompi_mpi_info_null: Object<60> = Object::new(304, 0);
    /// `MPI_INFO_ENV`
    ompi_mpi_info_env: Object<60> = Object::new(305, 1);
    /// `MPI_MESSAGE_NULL`
    ompi_message_null: Object<60> = Object::new(296, 0);
    /// `MPI_MESSAGE_NO_PROC`
    ompi_message_no_proc: Object<60> = Object::new(297, 1);
    /// `MPI_OP_NULL`
    ompi_mpi_op_null: Object<508> = Object::new(32, 0);
    /// `MPI_SUM`
    ompi_mpi_op_sum: Object<508> = Object::new(33, 3);
    /// `MPI_MIN`
    ompi_mpi_op_min: Object<508> = Object::new(34, 2);
    /// `MPI_MAX`
    ompi_mpi_op_max: Object<508> = Object::new(35, 1);
    /// `MPI_PROD`
    ompi_mpi_op_prod: Object<508> = Object::new(36, 4);
    /// `MPI_BAND`
    ompi_mpi_op_band: Object<508> = Object::new(40, 6);
    /// `MPI_BOR`
    ompi_mpi_op_bor: Object<508> = Object::new(41, 8);
    /// `MPI_BXOR`
    ompi_mpi_op_bxor: Object<508> = Object::new(42, 10);
    /// `MPI_LAND`
    ompi_mpi_op_land: Object<508> = Object::new(48, 5);
    /// `MPI_LOR`
    ompi_mpi_op_lor: Object<508> = Object::new(49, 7);
    /// `MPI_LXOR`
    ompi_mpi_op_lxor: Object<508> = Object::new(50, 9);
    /// `MPI_MINLOC`
    ompi_mpi_op_minloc: Object<508> = Object::new(56, 12);
    /// `MPI_MAXLOC`
    ompi_mpi_op_maxloc: Object<508> = Object::new(57, 11);
    /// `MPI_REPLACE`
    ompi_mpi_op_replace: Object<508> = Object::new(60, 13);
    /// `MPI_NO_OP`
    ompi_mpi_op_no_op: Object<508> = Object::new(61, 14);
    /// `MPI_REQUEST_NULL`
    ompi_request_null: Object<60> = Object::new(384, 0);
    /// `MPI_SESSION_NULL`
    ompi_mpi_instance_null: Object<124> = Object::new(288, 0);
    /// `MPI_WIN_NULL`
    ompi_mpi_win_null: Object<124> = Object::new(272, 0);
    ompi_mpi_c_complex: Object<124> = Object::new(530, 69);
    ompi_mpi_ldblcplex: Object<124> = Object::new(548, 71);
    ompi_mpi_2cplex: Object<124> = Object::new(0, 26);
    ompi_mpi_2dblcplex: Object<124> = Object::new(0, 27);
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

// generated from api/ by cargo xtask generate; do not edit
//! The constants of MPI 5.0 with the values of the standard ABI.
//!
//! Special addresses (`MPI_IN_PLACE`, the predefined callbacks) are `usize`. The tables
//! at the end name the predefined objects.

use crate::error_class::ErrorClass;
use crate::handle::{
    Comm, Datatype, Errhandler, File, Group, Info, Message, Op, Request, Session, Win,
};

// error class
pub const MPI_SUCCESS: i32 = 0;
pub const MPI_ERR_BUFFER: ErrorClass = ErrorClass(1);
pub const MPI_ERR_COUNT: ErrorClass = ErrorClass(2);
pub const MPI_ERR_TYPE: ErrorClass = ErrorClass(3);
pub const MPI_ERR_TAG: ErrorClass = ErrorClass(4);
pub const MPI_ERR_COMM: ErrorClass = ErrorClass(5);
pub const MPI_ERR_RANK: ErrorClass = ErrorClass(6);
pub const MPI_ERR_REQUEST: ErrorClass = ErrorClass(7);
pub const MPI_ERR_ROOT: ErrorClass = ErrorClass(8);
pub const MPI_ERR_GROUP: ErrorClass = ErrorClass(9);
pub const MPI_ERR_OP: ErrorClass = ErrorClass(10);
pub const MPI_ERR_TOPOLOGY: ErrorClass = ErrorClass(11);
pub const MPI_ERR_DIMS: ErrorClass = ErrorClass(12);
pub const MPI_ERR_ARG: ErrorClass = ErrorClass(13);
pub const MPI_ERR_UNKNOWN: ErrorClass = ErrorClass(14);
pub const MPI_ERR_TRUNCATE: ErrorClass = ErrorClass(15);
pub const MPI_ERR_OTHER: ErrorClass = ErrorClass(16);
pub const MPI_ERR_INTERN: ErrorClass = ErrorClass(17);
pub const MPI_ERR_PENDING: ErrorClass = ErrorClass(18);
pub const MPI_ERR_IN_STATUS: ErrorClass = ErrorClass(19);
pub const MPI_ERR_ACCESS: ErrorClass = ErrorClass(20);
pub const MPI_ERR_AMODE: ErrorClass = ErrorClass(21);
pub const MPI_ERR_ASSERT: ErrorClass = ErrorClass(22);
pub const MPI_ERR_BAD_FILE: ErrorClass = ErrorClass(23);
pub const MPI_ERR_BASE: ErrorClass = ErrorClass(24);
pub const MPI_ERR_CONVERSION: ErrorClass = ErrorClass(25);
pub const MPI_ERR_DISP: ErrorClass = ErrorClass(26);
pub const MPI_ERR_DUP_DATAREP: ErrorClass = ErrorClass(27);
pub const MPI_ERR_FILE_EXISTS: ErrorClass = ErrorClass(28);
pub const MPI_ERR_FILE_IN_USE: ErrorClass = ErrorClass(29);
pub const MPI_ERR_FILE: ErrorClass = ErrorClass(30);
pub const MPI_ERR_INFO_KEY: ErrorClass = ErrorClass(31);
pub const MPI_ERR_INFO_NOKEY: ErrorClass = ErrorClass(32);
pub const MPI_ERR_INFO_VALUE: ErrorClass = ErrorClass(33);
pub const MPI_ERR_INFO: ErrorClass = ErrorClass(34);
pub const MPI_ERR_IO: ErrorClass = ErrorClass(35);
pub const MPI_ERR_KEYVAL: ErrorClass = ErrorClass(36);
pub const MPI_ERR_LOCKTYPE: ErrorClass = ErrorClass(37);
pub const MPI_ERR_NAME: ErrorClass = ErrorClass(38);
pub const MPI_ERR_NO_MEM: ErrorClass = ErrorClass(39);
pub const MPI_ERR_NOT_SAME: ErrorClass = ErrorClass(40);
pub const MPI_ERR_NO_SPACE: ErrorClass = ErrorClass(41);
pub const MPI_ERR_NO_SUCH_FILE: ErrorClass = ErrorClass(42);
pub const MPI_ERR_PORT: ErrorClass = ErrorClass(43);
pub const MPI_ERR_QUOTA: ErrorClass = ErrorClass(44);
pub const MPI_ERR_READ_ONLY: ErrorClass = ErrorClass(45);
pub const MPI_ERR_RMA_ATTACH: ErrorClass = ErrorClass(46);
pub const MPI_ERR_RMA_CONFLICT: ErrorClass = ErrorClass(47);
pub const MPI_ERR_RMA_RANGE: ErrorClass = ErrorClass(48);
pub const MPI_ERR_RMA_SHARED: ErrorClass = ErrorClass(49);
pub const MPI_ERR_RMA_SYNC: ErrorClass = ErrorClass(50);
pub const MPI_ERR_SERVICE: ErrorClass = ErrorClass(51);
pub const MPI_ERR_SIZE: ErrorClass = ErrorClass(52);
pub const MPI_ERR_SPAWN: ErrorClass = ErrorClass(53);
pub const MPI_ERR_UNSUPPORTED_DATAREP: ErrorClass = ErrorClass(54);
pub const MPI_ERR_UNSUPPORTED_OPERATION: ErrorClass = ErrorClass(55);
pub const MPI_ERR_WIN: ErrorClass = ErrorClass(56);
pub const MPI_ERR_RMA_FLAVOR: ErrorClass = ErrorClass(57);
pub const MPI_ERR_PROC_ABORTED: ErrorClass = ErrorClass(58);
pub const MPI_ERR_VALUE_TOO_LARGE: ErrorClass = ErrorClass(59);
pub const MPI_ERR_SESSION: ErrorClass = ErrorClass(60);
pub const MPI_ERR_ERRHANDLER: ErrorClass = ErrorClass(61);
pub const MPI_ERR_ABI: ErrorClass = ErrorClass(62);
pub const MPI_T_ERR_CANNOT_INIT: ErrorClass = ErrorClass(1001);
pub const MPI_T_ERR_NOT_ACCESSIBLE: ErrorClass = ErrorClass(1002);
pub const MPI_T_ERR_NOT_INITIALIZED: ErrorClass = ErrorClass(1003);
pub const MPI_T_ERR_NOT_SUPPORTED: ErrorClass = ErrorClass(1004);
pub const MPI_T_ERR_MEMORY: ErrorClass = ErrorClass(1005);
pub const MPI_T_ERR_INVALID: ErrorClass = ErrorClass(1006);
pub const MPI_T_ERR_INVALID_INDEX: ErrorClass = ErrorClass(1007);
pub const MPI_T_ERR_INVALID_ITEM: ErrorClass = ErrorClass(1008);
pub const MPI_T_ERR_INVALID_SESSION: ErrorClass = ErrorClass(1009);
pub const MPI_T_ERR_INVALID_HANDLE: ErrorClass = ErrorClass(1010);
pub const MPI_T_ERR_INVALID_NAME: ErrorClass = ErrorClass(1011);
pub const MPI_T_ERR_OUT_OF_HANDLES: ErrorClass = ErrorClass(1012);
pub const MPI_T_ERR_OUT_OF_SESSIONS: ErrorClass = ErrorClass(1013);
pub const MPI_T_ERR_CVAR_SET_NOT_NOW: ErrorClass = ErrorClass(1014);
pub const MPI_T_ERR_CVAR_SET_NEVER: ErrorClass = ErrorClass(1015);
pub const MPI_T_ERR_PVAR_NO_WRITE: ErrorClass = ErrorClass(1016);
pub const MPI_T_ERR_PVAR_NO_STARTSTOP: ErrorClass = ErrorClass(1017);
pub const MPI_T_ERR_PVAR_NO_ATOMIC: ErrorClass = ErrorClass(1018);
pub const MPI_ERR_LASTCODE: i32 = 16383;

// error class (extension)
pub const MPIX_ERR_PROC_FAILED: ErrorClass = ErrorClass(65537);
pub const MPIX_ERR_PROC_FAILED_PENDING: ErrorClass = ErrorClass(65538);
pub const MPIX_ERR_REVOKED: ErrorClass = ErrorClass(65539);

// buffer address
pub const MPI_BOTTOM: usize = 0;
pub const MPI_IN_PLACE: usize = 1;
pub const MPI_BUFFER_AUTOMATIC: usize = 2;

// ignore/empty argument
pub const MPI_ARGVS_NULL: usize = 0;
pub const MPI_ARGV_NULL: usize = 0;
pub const MPI_ERRCODES_IGNORE: usize = 0;
pub const MPI_STATUSES_IGNORE: usize = 0;
pub const MPI_STATUS_IGNORE: usize = 0;
pub const MPI_UNWEIGHTED: usize = 10;
pub const MPI_WEIGHTS_EMPTY: usize = 11;

// string size
pub const MPI_MAX_DATAREP_STRING: i32 = 128;
pub const MPI_MAX_ERROR_STRING: i32 = 512;
pub const MPI_MAX_INFO_KEY: i32 = 256;
pub const MPI_MAX_INFO_VAL: i32 = 1024;
pub const MPI_MAX_LIBRARY_VERSION_STRING: i32 = 8192;
pub const MPI_MAX_OBJECT_NAME: i32 = 128;
pub const MPI_MAX_PORT_NAME: i32 = 1024;
pub const MPI_MAX_PROCESSOR_NAME: i32 = 256;
pub const MPI_MAX_STRINGTAG_LEN: i32 = 1024;
pub const MPI_MAX_PSET_NAME_LEN: i32 = 1024;

// access mode bit
pub const MPI_MODE_APPEND: i32 = 1;
pub const MPI_MODE_CREATE: i32 = 2;
pub const MPI_MODE_DELETE_ON_CLOSE: i32 = 4;
pub const MPI_MODE_EXCL: i32 = 8;
pub const MPI_MODE_RDONLY: i32 = 16;
pub const MPI_MODE_RDWR: i32 = 32;
pub const MPI_MODE_SEQUENTIAL: i32 = 64;
pub const MPI_MODE_UNIQUE_OPEN: i32 = 128;
pub const MPI_MODE_WRONLY: i32 = 256;

// assertion bit
pub const MPI_MODE_NOCHECK: i32 = 1024;
pub const MPI_MODE_NOPRECEDE: i32 = 2048;
pub const MPI_MODE_NOPUT: i32 = 4096;
pub const MPI_MODE_NOSTORE: i32 = 8192;
pub const MPI_MODE_NOSUCCEED: i32 = 16384;

// special int
pub const MPI_ANY_SOURCE: i32 = -1;
pub const MPI_ANY_TAG: i32 = -2;
pub const MPI_PROC_NULL: i32 = -3;
pub const MPI_ROOT: i32 = -4;
pub const MPI_UNDEFINED: i32 = -32766;
pub const MPI_BSEND_OVERHEAD: i32 = 512;

// thread level
pub const MPI_THREAD_SINGLE: i32 = 0;
pub const MPI_THREAD_FUNNELED: i32 = 1024;
pub const MPI_THREAD_SERIALIZED: i32 = 2048;
pub const MPI_THREAD_MULTIPLE: i32 = 4096;

// array order
pub const MPI_ORDER_C: i32 = 12;
pub const MPI_ORDER_FORTRAN: i32 = 15;

// distribution
pub const MPI_DISTRIBUTE_NONE: i32 = 16;
pub const MPI_DISTRIBUTE_BLOCK: i32 = 17;
pub const MPI_DISTRIBUTE_CYCLIC: i32 = 18;
pub const MPI_DISTRIBUTE_DFLT_DARG: i32 = 19;

// combiner
pub const MPI_COMBINER_NAMED: i32 = 101;
pub const MPI_COMBINER_DUP: i32 = 102;
pub const MPI_COMBINER_CONTIGUOUS: i32 = 103;
pub const MPI_COMBINER_VECTOR: i32 = 104;
pub const MPI_COMBINER_HVECTOR: i32 = 105;
pub const MPI_COMBINER_INDEXED: i32 = 106;
pub const MPI_COMBINER_HINDEXED: i32 = 107;
pub const MPI_COMBINER_INDEXED_BLOCK: i32 = 108;
pub const MPI_COMBINER_HINDEXED_BLOCK: i32 = 109;
pub const MPI_COMBINER_STRUCT: i32 = 110;
pub const MPI_COMBINER_SUBARRAY: i32 = 111;
pub const MPI_COMBINER_DARRAY: i32 = 112;
pub const MPI_COMBINER_F90_REAL: i32 = 113;
pub const MPI_COMBINER_F90_COMPLEX: i32 = 114;
pub const MPI_COMBINER_F90_INTEGER: i32 = 115;
pub const MPI_COMBINER_RESIZED: i32 = 116;
pub const MPI_COMBINER_VALUE_INDEX: i32 = 117;

// typeclass
pub const MPI_TYPECLASS_INTEGER: i32 = 192;
pub const MPI_TYPECLASS_REAL: i32 = 193;
pub const MPI_TYPECLASS_COMPLEX: i32 = 194;

// compare result
pub const MPI_IDENT: i32 = 201;
pub const MPI_CONGRUENT: i32 = 202;
pub const MPI_SIMILAR: i32 = 203;
pub const MPI_UNEQUAL: i32 = 204;

// topology
pub const MPI_CART: i32 = 211;
pub const MPI_GRAPH: i32 = 212;
pub const MPI_DIST_GRAPH: i32 = 213;

// split type
pub const MPI_COMM_TYPE_SHARED: i32 = 221;
pub const MPI_COMM_TYPE_HW_UNGUIDED: i32 = 222;
pub const MPI_COMM_TYPE_HW_GUIDED: i32 = 223;
pub const MPI_COMM_TYPE_RESOURCE_GUIDED: i32 = 224;

// lock type
pub const MPI_LOCK_EXCLUSIVE: i32 = 301;
pub const MPI_LOCK_SHARED: i32 = 302;

// window flavor
pub const MPI_WIN_FLAVOR_CREATE: i32 = 311;
pub const MPI_WIN_FLAVOR_ALLOCATE: i32 = 312;
pub const MPI_WIN_FLAVOR_DYNAMIC: i32 = 313;
pub const MPI_WIN_FLAVOR_SHARED: i32 = 314;

// window model
pub const MPI_WIN_UNIFIED: i32 = 321;
pub const MPI_WIN_SEPARATE: i32 = 322;

// seek
pub const MPI_SEEK_CUR: i32 = 401;
pub const MPI_SEEK_END: i32 = 402;
pub const MPI_SEEK_SET: i32 = 403;

// file displacement
pub const MPI_DISPLACEMENT_CURRENT: i64 = -1;

// attribute key
pub const MPI_KEYVAL_INVALID: i32 = 0;
pub const MPI_TAG_UB: i32 = 501;
pub const MPI_IO: i32 = 502;
pub const MPI_HOST: i32 = 503;
pub const MPI_WTIME_IS_GLOBAL: i32 = 504;
pub const MPI_APPNUM: i32 = 505;
pub const MPI_LASTUSEDCODE: i32 = 506;
pub const MPI_UNIVERSE_SIZE: i32 = 507;
pub const MPI_WIN_BASE: i32 = 601;
pub const MPI_WIN_DISP_UNIT: i32 = 602;
pub const MPI_WIN_SIZE: i32 = 603;
pub const MPI_WIN_CREATE_FLAVOR: i32 = 604;
pub const MPI_WIN_MODEL: i32 = 605;

// Fortran status index (from C)
pub const MPI_F_STATUS_SIZE: i32 = 8;
pub const MPI_F_SOURCE: i32 = 0;
pub const MPI_F_TAG: i32 = 1;
pub const MPI_F_ERROR: i32 = 2;

// communicator
pub const MPI_COMM_NULL: Comm = Comm(256);
pub const MPI_COMM_WORLD: Comm = Comm(257);
pub const MPI_COMM_SELF: Comm = Comm(258);

// datatype
pub const MPI_DATATYPE_NULL: Datatype = Datatype(512);
pub const MPI_AINT: Datatype = Datatype(513);
pub const MPI_COUNT: Datatype = Datatype(514);
pub const MPI_OFFSET: Datatype = Datatype(515);
pub const MPI_PACKED: Datatype = Datatype(519);
pub const MPI_SHORT: Datatype = Datatype(520);
pub const MPI_INT: Datatype = Datatype(521);
pub const MPI_LONG: Datatype = Datatype(522);
pub const MPI_LONG_LONG_INT: Datatype = Datatype(523);
pub const MPI_LONG_LONG: Datatype = Datatype(523);
pub const MPI_UNSIGNED_SHORT: Datatype = Datatype(524);
pub const MPI_UNSIGNED: Datatype = Datatype(525);
pub const MPI_UNSIGNED_LONG: Datatype = Datatype(526);
pub const MPI_UNSIGNED_LONG_LONG: Datatype = Datatype(527);
pub const MPI_FLOAT: Datatype = Datatype(528);
pub const MPI_C_COMPLEX: Datatype = Datatype(530);
pub const MPI_C_FLOAT_COMPLEX: Datatype = Datatype(530);
pub const MPI_DOUBLE: Datatype = Datatype(532);
pub const MPI_C_DOUBLE_COMPLEX: Datatype = Datatype(534);
pub const MPI_LONG_DOUBLE: Datatype = Datatype(544);
pub const MPI_C_LONG_DOUBLE_COMPLEX: Datatype = Datatype(548);
pub const MPI_C_BOOL: Datatype = Datatype(568);
pub const MPI_WCHAR: Datatype = Datatype(572);
pub const MPI_INT8_T: Datatype = Datatype(576);
pub const MPI_UINT8_T: Datatype = Datatype(577);
pub const MPI_CHAR: Datatype = Datatype(579);
pub const MPI_SIGNED_CHAR: Datatype = Datatype(580);
pub const MPI_UNSIGNED_CHAR: Datatype = Datatype(581);
pub const MPI_BYTE: Datatype = Datatype(583);
pub const MPI_INT16_T: Datatype = Datatype(584);
pub const MPI_UINT16_T: Datatype = Datatype(585);
pub const MPI_INT32_T: Datatype = Datatype(592);
pub const MPI_UINT32_T: Datatype = Datatype(593);
pub const MPI_INT64_T: Datatype = Datatype(600);
pub const MPI_UINT64_T: Datatype = Datatype(601);
pub const MPI_LOGICAL: Datatype = Datatype(536);
pub const MPI_INTEGER: Datatype = Datatype(537);
pub const MPI_REAL: Datatype = Datatype(538);
pub const MPI_COMPLEX: Datatype = Datatype(539);
pub const MPI_DOUBLE_PRECISION: Datatype = Datatype(540);
pub const MPI_CHARACTER: Datatype = Datatype(542);
pub const MPI_CXX_FLOAT_COMPLEX: Datatype = Datatype(531);
pub const MPI_CXX_DOUBLE_COMPLEX: Datatype = Datatype(535);
pub const MPI_CXX_LONG_DOUBLE_COMPLEX: Datatype = Datatype(549);
pub const MPI_CXX_BOOL: Datatype = Datatype(569);

// datatype (optional Fortran)
pub const MPI_DOUBLE_COMPLEX: Datatype = Datatype(541);
pub const MPI_LOGICAL1: Datatype = Datatype(704);
pub const MPI_LOGICAL2: Datatype = Datatype(712);
pub const MPI_LOGICAL4: Datatype = Datatype(720);
pub const MPI_LOGICAL8: Datatype = Datatype(728);
pub const MPI_LOGICAL16: Datatype = Datatype(736);
pub const MPI_INTEGER1: Datatype = Datatype(705);
pub const MPI_INTEGER2: Datatype = Datatype(713);
pub const MPI_INTEGER4: Datatype = Datatype(721);
pub const MPI_INTEGER8: Datatype = Datatype(729);
pub const MPI_INTEGER16: Datatype = Datatype(737);
pub const MPI_REAL2: Datatype = Datatype(714);
pub const MPI_REAL4: Datatype = Datatype(722);
pub const MPI_REAL8: Datatype = Datatype(730);
pub const MPI_REAL16: Datatype = Datatype(738);
pub const MPI_COMPLEX4: Datatype = Datatype(723);
pub const MPI_COMPLEX8: Datatype = Datatype(731);
pub const MPI_COMPLEX16: Datatype = Datatype(739);
pub const MPI_COMPLEX32: Datatype = Datatype(747);

// datatype (extension)
pub const MPIX_C_FLOAT16: Datatype = Datatype(586);
pub const MPIX_BFLOAT16: Datatype = Datatype(587);
pub const MPI_LB: Datatype = Datatype(516);
pub const MPI_UB: Datatype = Datatype(517);

// datatype (C pair)
pub const MPI_FLOAT_INT: Datatype = Datatype(552);
pub const MPI_DOUBLE_INT: Datatype = Datatype(553);
pub const MPI_LONG_INT: Datatype = Datatype(554);
pub const MPI_2INT: Datatype = Datatype(555);
pub const MPI_SHORT_INT: Datatype = Datatype(556);
pub const MPI_LONG_DOUBLE_INT: Datatype = Datatype(557);

// datatype (Fortran pair)
pub const MPI_2REAL: Datatype = Datatype(560);
pub const MPI_2DOUBLE_PRECISION: Datatype = Datatype(561);
pub const MPI_2INTEGER: Datatype = Datatype(562);

// message
pub const MPI_MESSAGE_NULL: Message = Message(296);
pub const MPI_MESSAGE_NO_PROC: Message = Message(297);

// errhandler
pub const MPI_ERRHANDLER_NULL: Errhandler = Errhandler(320);
pub const MPI_ERRORS_ARE_FATAL: Errhandler = Errhandler(321);
pub const MPI_ERRORS_ABORT: Errhandler = Errhandler(322);
pub const MPI_ERRORS_RETURN: Errhandler = Errhandler(323);

// info
pub const MPI_INFO_NULL: Info = Info(304);
pub const MPI_INFO_ENV: Info = Info(305);

// op
pub const MPI_OP_NULL: Op = Op(32);
pub const MPI_SUM: Op = Op(33);
pub const MPI_MIN: Op = Op(34);
pub const MPI_MAX: Op = Op(35);
pub const MPI_PROD: Op = Op(36);
pub const MPI_BAND: Op = Op(40);
pub const MPI_BOR: Op = Op(41);
pub const MPI_BXOR: Op = Op(42);
pub const MPI_LAND: Op = Op(48);
pub const MPI_LOR: Op = Op(49);
pub const MPI_LXOR: Op = Op(50);
pub const MPI_MINLOC: Op = Op(56);
pub const MPI_MAXLOC: Op = Op(57);
pub const MPI_REPLACE: Op = Op(60);
pub const MPI_NO_OP: Op = Op(61);

// group
pub const MPI_GROUP_NULL: Group = Group(264);
pub const MPI_GROUP_EMPTY: Group = Group(265);

// null handle
pub const MPI_REQUEST_NULL: Request = Request(384);
pub const MPI_FILE_NULL: File = File(280);
pub const MPI_SESSION_NULL: Session = Session(288);
pub const MPI_WIN_NULL: Win = Win(272);

// predefined callback
pub const MPI_COMM_NULL_COPY_FN: usize = 0;
pub const MPI_COMM_DUP_FN: usize = 1;
pub const MPI_COMM_NULL_DELETE_FN: usize = 0;
pub const MPI_WIN_NULL_COPY_FN: usize = 0;
pub const MPI_WIN_DUP_FN: usize = 1;
pub const MPI_WIN_NULL_DELETE_FN: usize = 0;
pub const MPI_TYPE_NULL_COPY_FN: usize = 0;
pub const MPI_TYPE_DUP_FN: usize = 1;
pub const MPI_TYPE_NULL_DELETE_FN: usize = 0;
pub const MPI_CONVERSION_FN_NULL: usize = 0;
pub const MPI_CONVERSION_FN_NULL_C: usize = 0;

// predefined callback (deprecated)
pub const MPI_NULL_COPY_FN: usize = 0;
pub const MPI_DUP_FN: usize = 1;
pub const MPI_NULL_DELETE_FN: usize = 0;

// version
pub const MPI_VERSION: i32 = 5;
pub const MPI_SUBVERSION: i32 = 0;
pub const MPI_ABI_VERSION: i32 = 1;
pub const MPI_ABI_SUBVERSION: i32 = 0;

// MPI_T handle
pub const MPI_T_ENUM_NULL: usize = 0;
pub const MPI_T_CVAR_HANDLE_NULL: usize = 0;
pub const MPI_T_PVAR_HANDLE_NULL: usize = 0;
pub const MPI_T_PVAR_SESSION_NULL: usize = 0;
pub const MPI_T_PVAR_ALL_HANDLES: usize = 1;

// MPI_T verbosity
pub const MPI_T_VERBOSITY_USER_BASIC: i32 = 9;
pub const MPI_T_VERBOSITY_USER_DETAIL: i32 = 10;
pub const MPI_T_VERBOSITY_USER_ALL: i32 = 12;
pub const MPI_T_VERBOSITY_TUNER_BASIC: i32 = 17;
pub const MPI_T_VERBOSITY_TUNER_DETAIL: i32 = 18;
pub const MPI_T_VERBOSITY_TUNER_ALL: i32 = 20;
pub const MPI_T_VERBOSITY_MPIDEV_BASIC: i32 = 33;
pub const MPI_T_VERBOSITY_MPIDEV_DETAIL: i32 = 34;
pub const MPI_T_VERBOSITY_MPIDEV_ALL: i32 = 36;

// MPI_T bind
pub const MPI_T_BIND_NO_OBJECT: i32 = 1;
pub const MPI_T_BIND_MPI_COMM: i32 = 2;
pub const MPI_T_BIND_MPI_DATATYPE: i32 = 3;
pub const MPI_T_BIND_MPI_ERRHANDLER: i32 = 4;
pub const MPI_T_BIND_MPI_FILE: i32 = 5;
pub const MPI_T_BIND_MPI_GROUP: i32 = 6;
pub const MPI_T_BIND_MPI_OP: i32 = 7;
pub const MPI_T_BIND_MPI_REQUEST: i32 = 8;
pub const MPI_T_BIND_MPI_WIN: i32 = 9;
pub const MPI_T_BIND_MPI_MESSAGE: i32 = 10;
pub const MPI_T_BIND_MPI_INFO: i32 = 11;
pub const MPI_T_BIND_MPI_SESSION: i32 = 12;

// MPI_T scope
pub const MPI_T_SCOPE_CONSTANT: i32 = 1;
pub const MPI_T_SCOPE_READONLY: i32 = 2;
pub const MPI_T_SCOPE_LOCAL: i32 = 3;
pub const MPI_T_SCOPE_GROUP: i32 = 4;
pub const MPI_T_SCOPE_GROUP_EQ: i32 = 5;
pub const MPI_T_SCOPE_ALL: i32 = 6;
pub const MPI_T_SCOPE_ALL_EQ: i32 = 7;

// MPI_T pvar class
pub const MPI_T_PVAR_CLASS_STATE: i32 = 1;
pub const MPI_T_PVAR_CLASS_LEVEL: i32 = 2;
pub const MPI_T_PVAR_CLASS_SIZE: i32 = 3;
pub const MPI_T_PVAR_CLASS_PERCENTAGE: i32 = 4;
pub const MPI_T_PVAR_CLASS_HIGHWATERMARK: i32 = 5;
pub const MPI_T_PVAR_CLASS_LOWWATERMARK: i32 = 6;
pub const MPI_T_PVAR_CLASS_COUNTER: i32 = 7;
pub const MPI_T_PVAR_CLASS_AGGREGATE: i32 = 8;
pub const MPI_T_PVAR_CLASS_TIMER: i32 = 9;
pub const MPI_T_PVAR_CLASS_GENERIC: i32 = 10;

// MPI_T source ordering
pub const MPI_T_SOURCE_ORDERED: i32 = 1;
pub const MPI_T_SOURCE_UNORDERED: i32 = 2;

// MPI_T callback safety
pub const MPI_T_CB_REQUIRE_NONE: i32 = 0;
pub const MPI_T_CB_REQUIRE_MPI_RESTRICTED: i32 = 3;
pub const MPI_T_CB_REQUIRE_THREAD_SAFE: i32 = 15;
pub const MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE: i32 = 63;

/// The predefined handles of type `MPI_Comm` and their names.
pub const COMM_NAMES: &[(Comm, &str)] = &[
    (MPI_COMM_NULL, "MPI_COMM_NULL"),
    (MPI_COMM_WORLD, "MPI_COMM_WORLD"),
    (MPI_COMM_SELF, "MPI_COMM_SELF"),
];

/// The predefined handles of type `MPI_Datatype` and their names.
pub const DATATYPE_NAMES: &[(Datatype, &str)] = &[
    (MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"),
    (MPI_AINT, "MPI_AINT"),
    (MPI_COUNT, "MPI_COUNT"),
    (MPI_OFFSET, "MPI_OFFSET"),
    (MPI_PACKED, "MPI_PACKED"),
    (MPI_SHORT, "MPI_SHORT"),
    (MPI_INT, "MPI_INT"),
    (MPI_LONG, "MPI_LONG"),
    (MPI_LONG_LONG_INT, "MPI_LONG_LONG_INT"),
    (MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT"),
    (MPI_UNSIGNED, "MPI_UNSIGNED"),
    (MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG"),
    (MPI_UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG"),
    (MPI_FLOAT, "MPI_FLOAT"),
    (MPI_C_COMPLEX, "MPI_C_COMPLEX"),
    (MPI_DOUBLE, "MPI_DOUBLE"),
    (MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX"),
    (MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE"),
    (MPI_C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX"),
    (MPI_C_BOOL, "MPI_C_BOOL"),
    (MPI_WCHAR, "MPI_WCHAR"),
    (MPI_INT8_T, "MPI_INT8_T"),
    (MPI_UINT8_T, "MPI_UINT8_T"),
    (MPI_CHAR, "MPI_CHAR"),
    (MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR"),
    (MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR"),
    (MPI_BYTE, "MPI_BYTE"),
    (MPI_INT16_T, "MPI_INT16_T"),
    (MPI_UINT16_T, "MPI_UINT16_T"),
    (MPI_INT32_T, "MPI_INT32_T"),
    (MPI_UINT32_T, "MPI_UINT32_T"),
    (MPI_INT64_T, "MPI_INT64_T"),
    (MPI_UINT64_T, "MPI_UINT64_T"),
    (MPI_LOGICAL, "MPI_LOGICAL"),
    (MPI_INTEGER, "MPI_INTEGER"),
    (MPI_REAL, "MPI_REAL"),
    (MPI_COMPLEX, "MPI_COMPLEX"),
    (MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION"),
    (MPI_CHARACTER, "MPI_CHARACTER"),
    (MPI_CXX_FLOAT_COMPLEX, "MPI_CXX_FLOAT_COMPLEX"),
    (MPI_CXX_DOUBLE_COMPLEX, "MPI_CXX_DOUBLE_COMPLEX"),
    (MPI_CXX_LONG_DOUBLE_COMPLEX, "MPI_CXX_LONG_DOUBLE_COMPLEX"),
    (MPI_CXX_BOOL, "MPI_CXX_BOOL"),
    (MPI_DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX"),
    (MPI_LOGICAL1, "MPI_LOGICAL1"),
    (MPI_LOGICAL2, "MPI_LOGICAL2"),
    (MPI_LOGICAL4, "MPI_LOGICAL4"),
    (MPI_LOGICAL8, "MPI_LOGICAL8"),
    (MPI_LOGICAL16, "MPI_LOGICAL16"),
    (MPI_INTEGER1, "MPI_INTEGER1"),
    (MPI_INTEGER2, "MPI_INTEGER2"),
    (MPI_INTEGER4, "MPI_INTEGER4"),
    (MPI_INTEGER8, "MPI_INTEGER8"),
    (MPI_INTEGER16, "MPI_INTEGER16"),
    (MPI_REAL2, "MPI_REAL2"),
    (MPI_REAL4, "MPI_REAL4"),
    (MPI_REAL8, "MPI_REAL8"),
    (MPI_REAL16, "MPI_REAL16"),
    (MPI_COMPLEX4, "MPI_COMPLEX4"),
    (MPI_COMPLEX8, "MPI_COMPLEX8"),
    (MPI_COMPLEX16, "MPI_COMPLEX16"),
    (MPI_COMPLEX32, "MPI_COMPLEX32"),
    (MPIX_C_FLOAT16, "MPIX_C_FLOAT16"),
    (MPIX_BFLOAT16, "MPIX_BFLOAT16"),
    (MPI_LB, "MPI_LB"),
    (MPI_UB, "MPI_UB"),
    (MPI_FLOAT_INT, "MPI_FLOAT_INT"),
    (MPI_DOUBLE_INT, "MPI_DOUBLE_INT"),
    (MPI_LONG_INT, "MPI_LONG_INT"),
    (MPI_2INT, "MPI_2INT"),
    (MPI_SHORT_INT, "MPI_SHORT_INT"),
    (MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT"),
    (MPI_2REAL, "MPI_2REAL"),
    (MPI_2DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION"),
    (MPI_2INTEGER, "MPI_2INTEGER"),
];

/// The predefined handles of type `MPI_Errhandler` and their names.
pub const ERRHANDLER_NAMES: &[(Errhandler, &str)] = &[
    (MPI_ERRHANDLER_NULL, "MPI_ERRHANDLER_NULL"),
    (MPI_ERRORS_ARE_FATAL, "MPI_ERRORS_ARE_FATAL"),
    (MPI_ERRORS_ABORT, "MPI_ERRORS_ABORT"),
    (MPI_ERRORS_RETURN, "MPI_ERRORS_RETURN"),
];

/// The predefined handles of type `MPI_File` and their names.
pub const FILE_NAMES: &[(File, &str)] = &[(MPI_FILE_NULL, "MPI_FILE_NULL")];

/// The predefined handles of type `MPI_Group` and their names.
pub const GROUP_NAMES: &[(Group, &str)] =
    &[(MPI_GROUP_NULL, "MPI_GROUP_NULL"), (MPI_GROUP_EMPTY, "MPI_GROUP_EMPTY")];

/// The predefined handles of type `MPI_Info` and their names.
pub const INFO_NAMES: &[(Info, &str)] =
    &[(MPI_INFO_NULL, "MPI_INFO_NULL"), (MPI_INFO_ENV, "MPI_INFO_ENV")];

/// The predefined handles of type `MPI_Message` and their names.
pub const MESSAGE_NAMES: &[(Message, &str)] =
    &[(MPI_MESSAGE_NULL, "MPI_MESSAGE_NULL"), (MPI_MESSAGE_NO_PROC, "MPI_MESSAGE_NO_PROC")];

/// The predefined handles of type `MPI_Op` and their names.
pub const OP_NAMES: &[(Op, &str)] = &[
    (MPI_OP_NULL, "MPI_OP_NULL"),
    (MPI_SUM, "MPI_SUM"),
    (MPI_MIN, "MPI_MIN"),
    (MPI_MAX, "MPI_MAX"),
    (MPI_PROD, "MPI_PROD"),
    (MPI_BAND, "MPI_BAND"),
    (MPI_BOR, "MPI_BOR"),
    (MPI_BXOR, "MPI_BXOR"),
    (MPI_LAND, "MPI_LAND"),
    (MPI_LOR, "MPI_LOR"),
    (MPI_LXOR, "MPI_LXOR"),
    (MPI_MINLOC, "MPI_MINLOC"),
    (MPI_MAXLOC, "MPI_MAXLOC"),
    (MPI_REPLACE, "MPI_REPLACE"),
    (MPI_NO_OP, "MPI_NO_OP"),
];

/// The predefined handles of type `MPI_Request` and their names.
pub const REQUEST_NAMES: &[(Request, &str)] = &[(MPI_REQUEST_NULL, "MPI_REQUEST_NULL")];

/// The predefined handles of type `MPI_Session` and their names.
pub const SESSION_NAMES: &[(Session, &str)] = &[(MPI_SESSION_NULL, "MPI_SESSION_NULL")];

/// The predefined handles of type `MPI_Win` and their names.
pub const WIN_NAMES: &[(Win, &str)] = &[(MPI_WIN_NULL, "MPI_WIN_NULL")];

/// The predefined error classes and their names.
pub const ERROR_CLASS_NAMES: &[(ErrorClass, &str)] = &[
    (ErrorClass(0), "MPI_SUCCESS"),
    (ErrorClass(1), "MPI_ERR_BUFFER"),
    (ErrorClass(2), "MPI_ERR_COUNT"),
    (ErrorClass(3), "MPI_ERR_TYPE"),
    (ErrorClass(4), "MPI_ERR_TAG"),
    (ErrorClass(5), "MPI_ERR_COMM"),
    (ErrorClass(6), "MPI_ERR_RANK"),
    (ErrorClass(7), "MPI_ERR_REQUEST"),
    (ErrorClass(8), "MPI_ERR_ROOT"),
    (ErrorClass(9), "MPI_ERR_GROUP"),
    (ErrorClass(10), "MPI_ERR_OP"),
    (ErrorClass(11), "MPI_ERR_TOPOLOGY"),
    (ErrorClass(12), "MPI_ERR_DIMS"),
    (ErrorClass(13), "MPI_ERR_ARG"),
    (ErrorClass(14), "MPI_ERR_UNKNOWN"),
    (ErrorClass(15), "MPI_ERR_TRUNCATE"),
    (ErrorClass(16), "MPI_ERR_OTHER"),
    (ErrorClass(17), "MPI_ERR_INTERN"),
    (ErrorClass(18), "MPI_ERR_PENDING"),
    (ErrorClass(19), "MPI_ERR_IN_STATUS"),
    (ErrorClass(20), "MPI_ERR_ACCESS"),
    (ErrorClass(21), "MPI_ERR_AMODE"),
    (ErrorClass(22), "MPI_ERR_ASSERT"),
    (ErrorClass(23), "MPI_ERR_BAD_FILE"),
    (ErrorClass(24), "MPI_ERR_BASE"),
    (ErrorClass(25), "MPI_ERR_CONVERSION"),
    (ErrorClass(26), "MPI_ERR_DISP"),
    (ErrorClass(27), "MPI_ERR_DUP_DATAREP"),
    (ErrorClass(28), "MPI_ERR_FILE_EXISTS"),
    (ErrorClass(29), "MPI_ERR_FILE_IN_USE"),
    (ErrorClass(30), "MPI_ERR_FILE"),
    (ErrorClass(31), "MPI_ERR_INFO_KEY"),
    (ErrorClass(32), "MPI_ERR_INFO_NOKEY"),
    (ErrorClass(33), "MPI_ERR_INFO_VALUE"),
    (ErrorClass(34), "MPI_ERR_INFO"),
    (ErrorClass(35), "MPI_ERR_IO"),
    (ErrorClass(36), "MPI_ERR_KEYVAL"),
    (ErrorClass(37), "MPI_ERR_LOCKTYPE"),
    (ErrorClass(38), "MPI_ERR_NAME"),
    (ErrorClass(39), "MPI_ERR_NO_MEM"),
    (ErrorClass(40), "MPI_ERR_NOT_SAME"),
    (ErrorClass(41), "MPI_ERR_NO_SPACE"),
    (ErrorClass(42), "MPI_ERR_NO_SUCH_FILE"),
    (ErrorClass(43), "MPI_ERR_PORT"),
    (ErrorClass(44), "MPI_ERR_QUOTA"),
    (ErrorClass(45), "MPI_ERR_READ_ONLY"),
    (ErrorClass(46), "MPI_ERR_RMA_ATTACH"),
    (ErrorClass(47), "MPI_ERR_RMA_CONFLICT"),
    (ErrorClass(48), "MPI_ERR_RMA_RANGE"),
    (ErrorClass(49), "MPI_ERR_RMA_SHARED"),
    (ErrorClass(50), "MPI_ERR_RMA_SYNC"),
    (ErrorClass(51), "MPI_ERR_SERVICE"),
    (ErrorClass(52), "MPI_ERR_SIZE"),
    (ErrorClass(53), "MPI_ERR_SPAWN"),
    (ErrorClass(54), "MPI_ERR_UNSUPPORTED_DATAREP"),
    (ErrorClass(55), "MPI_ERR_UNSUPPORTED_OPERATION"),
    (ErrorClass(56), "MPI_ERR_WIN"),
    (ErrorClass(57), "MPI_ERR_RMA_FLAVOR"),
    (ErrorClass(58), "MPI_ERR_PROC_ABORTED"),
    (ErrorClass(59), "MPI_ERR_VALUE_TOO_LARGE"),
    (ErrorClass(60), "MPI_ERR_SESSION"),
    (ErrorClass(61), "MPI_ERR_ERRHANDLER"),
    (ErrorClass(62), "MPI_ERR_ABI"),
    (ErrorClass(1001), "MPI_T_ERR_CANNOT_INIT"),
    (ErrorClass(1002), "MPI_T_ERR_NOT_ACCESSIBLE"),
    (ErrorClass(1003), "MPI_T_ERR_NOT_INITIALIZED"),
    (ErrorClass(1004), "MPI_T_ERR_NOT_SUPPORTED"),
    (ErrorClass(1005), "MPI_T_ERR_MEMORY"),
    (ErrorClass(1006), "MPI_T_ERR_INVALID"),
    (ErrorClass(1007), "MPI_T_ERR_INVALID_INDEX"),
    (ErrorClass(1008), "MPI_T_ERR_INVALID_ITEM"),
    (ErrorClass(1009), "MPI_T_ERR_INVALID_SESSION"),
    (ErrorClass(1010), "MPI_T_ERR_INVALID_HANDLE"),
    (ErrorClass(1011), "MPI_T_ERR_INVALID_NAME"),
    (ErrorClass(1012), "MPI_T_ERR_OUT_OF_HANDLES"),
    (ErrorClass(1013), "MPI_T_ERR_OUT_OF_SESSIONS"),
    (ErrorClass(1014), "MPI_T_ERR_CVAR_SET_NOT_NOW"),
    (ErrorClass(1015), "MPI_T_ERR_CVAR_SET_NEVER"),
    (ErrorClass(1016), "MPI_T_ERR_PVAR_NO_WRITE"),
    (ErrorClass(1017), "MPI_T_ERR_PVAR_NO_STARTSTOP"),
    (ErrorClass(1018), "MPI_T_ERR_PVAR_NO_ATOMIC"),
    (ErrorClass(16383), "MPI_ERR_LASTCODE"),
    (ErrorClass(65537), "MPIX_ERR_PROC_FAILED"),
    (ErrorClass(65538), "MPIX_ERR_PROC_FAILED_PENDING"),
    (ErrorClass(65539), "MPIX_ERR_REVOKED"),
];

/// Size and extent in bytes of the predefined datatypes (x86-64).
pub const DATATYPE_SIZES: &[(Datatype, usize, usize)] = &[
    (MPI_AINT, 8, 8),
    (MPI_COUNT, 8, 8),
    (MPI_OFFSET, 8, 8),
    (MPI_PACKED, 1, 1),
    (MPI_SHORT, 2, 2),
    (MPI_INT, 4, 4),
    (MPI_LONG, 8, 8),
    (MPI_LONG_LONG_INT, 8, 8),
    (MPI_UNSIGNED_SHORT, 2, 2),
    (MPI_UNSIGNED, 4, 4),
    (MPI_UNSIGNED_LONG, 8, 8),
    (MPI_UNSIGNED_LONG_LONG, 8, 8),
    (MPI_FLOAT, 4, 4),
    (MPI_C_COMPLEX, 8, 8),
    (MPI_DOUBLE, 8, 8),
    (MPI_C_DOUBLE_COMPLEX, 16, 16),
    (MPI_LONG_DOUBLE, 16, 16),
    (MPI_C_LONG_DOUBLE_COMPLEX, 32, 32),
    (MPI_C_BOOL, 1, 1),
    (MPI_WCHAR, 4, 4),
    (MPI_INT8_T, 1, 1),
    (MPI_UINT8_T, 1, 1),
    (MPI_CHAR, 1, 1),
    (MPI_SIGNED_CHAR, 1, 1),
    (MPI_UNSIGNED_CHAR, 1, 1),
    (MPI_BYTE, 1, 1),
    (MPI_INT16_T, 2, 2),
    (MPI_UINT16_T, 2, 2),
    (MPI_INT32_T, 4, 4),
    (MPI_UINT32_T, 4, 4),
    (MPI_INT64_T, 8, 8),
    (MPI_UINT64_T, 8, 8),
    (MPI_LOGICAL, 4, 4),
    (MPI_INTEGER, 4, 4),
    (MPI_REAL, 4, 4),
    (MPI_COMPLEX, 8, 8),
    (MPI_DOUBLE_PRECISION, 8, 8),
    (MPI_CHARACTER, 1, 1),
    (MPI_CXX_FLOAT_COMPLEX, 8, 8),
    (MPI_CXX_DOUBLE_COMPLEX, 16, 16),
    (MPI_CXX_LONG_DOUBLE_COMPLEX, 32, 32),
    (MPI_CXX_BOOL, 1, 1),
    (MPI_DOUBLE_COMPLEX, 16, 16),
    (MPI_LOGICAL1, 1, 1),
    (MPI_LOGICAL2, 2, 2),
    (MPI_LOGICAL4, 4, 4),
    (MPI_LOGICAL8, 8, 8),
    (MPI_LOGICAL16, 16, 16),
    (MPI_INTEGER1, 1, 1),
    (MPI_INTEGER2, 2, 2),
    (MPI_INTEGER4, 4, 4),
    (MPI_INTEGER8, 8, 8),
    (MPI_INTEGER16, 16, 16),
    (MPI_REAL2, 2, 2),
    (MPI_REAL4, 4, 4),
    (MPI_REAL8, 8, 8),
    (MPI_REAL16, 16, 16),
    (MPI_COMPLEX4, 4, 4),
    (MPI_COMPLEX8, 8, 8),
    (MPI_COMPLEX16, 16, 16),
    (MPI_COMPLEX32, 32, 32),
    (MPIX_C_FLOAT16, 2, 2),
    (MPIX_BFLOAT16, 2, 2),
    (MPI_LB, 0, 0),
    (MPI_UB, 0, 0),
    (MPI_FLOAT_INT, 8, 8),
    (MPI_DOUBLE_INT, 12, 16),
    (MPI_LONG_INT, 12, 16),
    (MPI_2INT, 8, 8),
    (MPI_SHORT_INT, 6, 8),
    (MPI_LONG_DOUBLE_INT, 20, 32),
    (MPI_2REAL, 8, 8),
    (MPI_2DOUBLE_PRECISION, 16, 16),
    (MPI_2INTEGER, 8, 8),
];

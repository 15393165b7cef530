// generated from api/ by cargo xtask generate; do not edit
//! Values of the standard ABI beside those of MPICH's ABI.

#![allow(dead_code)]

/// Predefined handles of type `MPI_Comm`: (standard, MPICH).
pub const COMM: &[(usize, u32)] = &[
    (256, 0x04000000), // MPI_COMM_NULL
    (257, 0x44000000), // MPI_COMM_WORLD
    (258, 0x44000001), // MPI_COMM_SELF
];

/// Predefined handles of type `MPI_Datatype`: (standard, MPICH).
pub const DATATYPE: &[(usize, u32)] = &[
    (512, 0x0c000000), // MPI_DATATYPE_NULL
    (513, 0x4c000843), // MPI_AINT
    (514, 0x4c000845), // MPI_COUNT
    (515, 0x4c000844), // MPI_OFFSET
    (519, 0x4c00010f), // MPI_PACKED
    (520, 0x4c000203), // MPI_SHORT
    (521, 0x4c000405), // MPI_INT
    (522, 0x4c000807), // MPI_LONG
    (523, 0x4c000809), // MPI_LONG_LONG_INT
    (524, 0x4c000204), // MPI_UNSIGNED_SHORT
    (525, 0x4c000406), // MPI_UNSIGNED
    (526, 0x4c000808), // MPI_UNSIGNED_LONG
    (527, 0x4c000819), // MPI_UNSIGNED_LONG_LONG
    (528, 0x4c00040a), // MPI_FLOAT
    (530, 0x4c000840), // MPI_C_COMPLEX
    (532, 0x4c00080b), // MPI_DOUBLE
    (534, 0x4c001041), // MPI_C_DOUBLE_COMPLEX
    (544, 0x4c00100c), // MPI_LONG_DOUBLE
    (548, 0x4c002042), // MPI_C_LONG_DOUBLE_COMPLEX
    (568, 0x4c00013f), // MPI_C_BOOL
    (572, 0x4c00040e), // MPI_WCHAR
    (576, 0x4c000137), // MPI_INT8_T
    (577, 0x4c00013b), // MPI_UINT8_T
    (579, 0x4c000101), // MPI_CHAR
    (580, 0x4c000118), // MPI_SIGNED_CHAR
    (581, 0x4c000102), // MPI_UNSIGNED_CHAR
    (583, 0x4c00010d), // MPI_BYTE
    (584, 0x4c000238), // MPI_INT16_T
    (585, 0x4c00023c), // MPI_UINT16_T
    (592, 0x4c000439), // MPI_INT32_T
    (593, 0x4c00043d), // MPI_UINT32_T
    (600, 0x4c00083a), // MPI_INT64_T
    (601, 0x4c00083e), // MPI_UINT64_T
    (536, 0x4c00041d), // MPI_LOGICAL
    (537, 0x4c00041b), // MPI_INTEGER
    (538, 0x4c00041c), // MPI_REAL
    (539, 0x4c00081e), // MPI_COMPLEX
    (540, 0x4c00081f), // MPI_DOUBLE_PRECISION
    (542, 0x4c00011a), // MPI_CHARACTER
    (531, 0x4c000834), // MPI_CXX_FLOAT_COMPLEX
    (535, 0x4c001035), // MPI_CXX_DOUBLE_COMPLEX
    (549, 0x4c002036), // MPI_CXX_LONG_DOUBLE_COMPLEX
    (569, 0x4c000133), // MPI_CXX_BOOL
    (541, 0x4c001022), // MPI_DOUBLE_COMPLEX
    (704, 0x4c000147), // MPI_LOGICAL1
    (712, 0x4c000248), // MPI_LOGICAL2
    (720, 0x4c000449), // MPI_LOGICAL4
    (728, 0x4c00084a), // MPI_LOGICAL8
    (736, 0x4c00104b), // MPI_LOGICAL16
    (705, 0x4c00012d), // MPI_INTEGER1
    (713, 0x4c00022f), // MPI_INTEGER2
    (721, 0x4c000430), // MPI_INTEGER4
    (729, 0x4c000831), // MPI_INTEGER8
    (737, 0x4c001032), // MPI_INTEGER16
    (714, 0x4c000226), // MPI_REAL2
    (722, 0x4c000427), // MPI_REAL4
    (730, 0x4c000829), // MPI_REAL8
    (738, 0x4c00102b), // MPI_REAL16
    (723, 0x4c00042e), // MPI_COMPLEX4
    (731, 0x4c000828), // MPI_COMPLEX8
    (739, 0x4c00102a), // MPI_COMPLEX16
    (747, 0x4c00202c), // MPI_COMPLEX32
    (586, 0x4c000246), // MPIX_C_FLOAT16
    (587, 0x4c00024c), // MPIX_BFLOAT16
    (516, 0x4c000010), // MPI_LB
    (517, 0x4c000011), // MPI_UB
    (552, 0x8c000000), // MPI_FLOAT_INT
    (553, 0x8c000001), // MPI_DOUBLE_INT
    (554, 0x8c000002), // MPI_LONG_INT
    (555, 0x4c000816), // MPI_2INT
    (556, 0x8c000003), // MPI_SHORT_INT
    (557, 0x8c000004), // MPI_LONG_DOUBLE_INT
    (560, 0x4c000821), // MPI_2REAL
    (561, 0x4c001023), // MPI_2DOUBLE_PRECISION
    (562, 0x4c000820), // MPI_2INTEGER
];

/// Predefined handles of type `MPI_Errhandler`: (standard, MPICH).
pub const ERRHANDLER: &[(usize, u32)] = &[
    (320, 0x14000000), // MPI_ERRHANDLER_NULL
    (321, 0x54000000), // MPI_ERRORS_ARE_FATAL
    (322, 0x54000003), // MPI_ERRORS_ABORT
    (323, 0x54000001), // MPI_ERRORS_RETURN
];

/// Predefined handles of type `MPI_File`: (standard, MPICH).
pub const FILE: &[(usize, u32)] = &[
    (280, 0x00000000), // MPI_FILE_NULL
];

/// Predefined handles of type `MPI_Group`: (standard, MPICH).
pub const GROUP: &[(usize, u32)] = &[
    (264, 0x08000000), // MPI_GROUP_NULL
    (265, 0x48000000), // MPI_GROUP_EMPTY
];

/// Predefined handles of type `MPI_Info`: (standard, MPICH).
pub const INFO: &[(usize, u32)] = &[
    (304, 0x1c000000), // MPI_INFO_NULL
    (305, 0x5c000001), // MPI_INFO_ENV
];

/// Predefined handles of type `MPI_Message`: (standard, MPICH).
pub const MESSAGE: &[(usize, u32)] = &[
    (296, 0x2c000000), // MPI_MESSAGE_NULL
    (297, 0x6c000000), // MPI_MESSAGE_NO_PROC
];

/// Predefined handles of type `MPI_Op`: (standard, MPICH).
pub const OP: &[(usize, u32)] = &[
    (32, 0x18000000), // MPI_OP_NULL
    (33, 0x58000003), // MPI_SUM
    (34, 0x58000002), // MPI_MIN
    (35, 0x58000001), // MPI_MAX
    (36, 0x58000004), // MPI_PROD
    (40, 0x58000006), // MPI_BAND
    (41, 0x58000008), // MPI_BOR
    (42, 0x5800000a), // MPI_BXOR
    (48, 0x58000005), // MPI_LAND
    (49, 0x58000007), // MPI_LOR
    (50, 0x58000009), // MPI_LXOR
    (56, 0x5800000b), // MPI_MINLOC
    (57, 0x5800000c), // MPI_MAXLOC
    (60, 0x5800000d), // MPI_REPLACE
    (61, 0x5800000e), // MPI_NO_OP
];

/// Predefined handles of type `MPI_Request`: (standard, MPICH).
pub const REQUEST: &[(usize, u32)] = &[
    (384, 0x2c000000), // MPI_REQUEST_NULL
];

/// Predefined handles of type `MPI_Session`: (standard, MPICH).
pub const SESSION: &[(usize, u32)] = &[
    (288, 0x38000000), // MPI_SESSION_NULL
];

/// Predefined handles of type `MPI_Win`: (standard, MPICH).
pub const WIN: &[(usize, u32)] = &[
    (272, 0x20000000), // MPI_WIN_NULL
];

/// Values of error classes and the codes of MPI_T: (standard, MPICH).
pub const ERROR_CLASSES: &[(i32, i32)] = &[
    (0, 0),              // MPI_SUCCESS
    (1, 1),              // MPI_ERR_BUFFER
    (2, 2),              // MPI_ERR_COUNT
    (3, 3),              // MPI_ERR_TYPE
    (4, 4),              // MPI_ERR_TAG
    (5, 5),              // MPI_ERR_COMM
    (6, 6),              // MPI_ERR_RANK
    (7, 19),             // MPI_ERR_REQUEST
    (8, 7),              // MPI_ERR_ROOT
    (9, 8),              // MPI_ERR_GROUP
    (10, 9),             // MPI_ERR_OP
    (11, 10),            // MPI_ERR_TOPOLOGY
    (12, 11),            // MPI_ERR_DIMS
    (13, 12),            // MPI_ERR_ARG
    (14, 13),            // MPI_ERR_UNKNOWN
    (15, 14),            // MPI_ERR_TRUNCATE
    (16, 15),            // MPI_ERR_OTHER
    (17, 16),            // MPI_ERR_INTERN
    (18, 18),            // MPI_ERR_PENDING
    (19, 17),            // MPI_ERR_IN_STATUS
    (20, 20),            // MPI_ERR_ACCESS
    (21, 21),            // MPI_ERR_AMODE
    (22, 53),            // MPI_ERR_ASSERT
    (23, 22),            // MPI_ERR_BAD_FILE
    (24, 46),            // MPI_ERR_BASE
    (25, 23),            // MPI_ERR_CONVERSION
    (26, 52),            // MPI_ERR_DISP
    (27, 24),            // MPI_ERR_DUP_DATAREP
    (28, 25),            // MPI_ERR_FILE_EXISTS
    (29, 26),            // MPI_ERR_FILE_IN_USE
    (30, 27),            // MPI_ERR_FILE
    (31, 29),            // MPI_ERR_INFO_KEY
    (32, 31),            // MPI_ERR_INFO_NOKEY
    (33, 30),            // MPI_ERR_INFO_VALUE
    (34, 28),            // MPI_ERR_INFO
    (35, 32),            // MPI_ERR_IO
    (36, 48),            // MPI_ERR_KEYVAL
    (37, 47),            // MPI_ERR_LOCKTYPE
    (38, 33),            // MPI_ERR_NAME
    (39, 34),            // MPI_ERR_NO_MEM
    (40, 35),            // MPI_ERR_NOT_SAME
    (41, 36),            // MPI_ERR_NO_SPACE
    (42, 37),            // MPI_ERR_NO_SUCH_FILE
    (43, 38),            // MPI_ERR_PORT
    (44, 39),            // MPI_ERR_QUOTA
    (45, 40),            // MPI_ERR_READ_ONLY
    (46, 56),            // MPI_ERR_RMA_ATTACH
    (47, 49),            // MPI_ERR_RMA_CONFLICT
    (48, 55),            // MPI_ERR_RMA_RANGE
    (49, 57),            // MPI_ERR_RMA_SHARED
    (50, 50),            // MPI_ERR_RMA_SYNC
    (51, 41),            // MPI_ERR_SERVICE
    (52, 51),            // MPI_ERR_SIZE
    (53, 42),            // MPI_ERR_SPAWN
    (54, 43),            // MPI_ERR_UNSUPPORTED_DATAREP
    (55, 44),            // MPI_ERR_UNSUPPORTED_OPERATION
    (56, 45),            // MPI_ERR_WIN
    (57, 58),            // MPI_ERR_RMA_FLAVOR
    (58, 76),            // MPI_ERR_PROC_ABORTED
    (59, 77),            // MPI_ERR_VALUE_TOO_LARGE
    (60, 75),            // MPI_ERR_SESSION
    (61, 80),            // MPI_ERR_ERRHANDLER
    (62, 81),            // MPI_ERR_ABI
    (1001, 61),          // MPI_T_ERR_CANNOT_INIT
    (1002, 79),          // MPI_T_ERR_NOT_ACCESSIBLE
    (1003, 60),          // MPI_T_ERR_NOT_INITIALIZED
    (1004, 78),          // MPI_T_ERR_NOT_SUPPORTED
    (1005, 59),          // MPI_T_ERR_MEMORY
    (1006, 74),          // MPI_T_ERR_INVALID
    (1007, 62),          // MPI_T_ERR_INVALID_INDEX
    (1008, 63),          // MPI_T_ERR_INVALID_ITEM
    (1009, 67),          // MPI_T_ERR_INVALID_SESSION
    (1010, 64),          // MPI_T_ERR_INVALID_HANDLE
    (1011, 73),          // MPI_T_ERR_INVALID_NAME
    (1012, 65),          // MPI_T_ERR_OUT_OF_HANDLES
    (1013, 66),          // MPI_T_ERR_OUT_OF_SESSIONS
    (1014, 68),          // MPI_T_ERR_CVAR_SET_NOT_NOW
    (1015, 69),          // MPI_T_ERR_CVAR_SET_NEVER
    (1016, 71),          // MPI_T_ERR_PVAR_NO_WRITE
    (1017, 70),          // MPI_T_ERR_PVAR_NO_STARTSTOP
    (1018, 72),          // MPI_T_ERR_PVAR_NO_ATOMIC
    (16383, 1073741823), // MPI_ERR_LASTCODE
    (65537, 101),        // MPIX_ERR_PROC_FAILED
    (65538, 102),        // MPIX_ERR_PROC_FAILED_PENDING
    (65539, 103),        // MPIX_ERR_REVOKED
];

/// Values of attribute keys: (standard, MPICH).
pub const KEYVALS: &[(i32, i32)] = &[
    (0, 603979776),    // MPI_KEYVAL_INVALID
    (501, 1681915905), // MPI_TAG_UB
    (502, 1681915909), // MPI_IO
    (503, 1681915907), // MPI_HOST
    (504, 1681915911), // MPI_WTIME_IS_GLOBAL
    (505, 1681915917), // MPI_APPNUM
    (506, 1681915915), // MPI_LASTUSEDCODE
    (507, 1681915913), // MPI_UNIVERSE_SIZE
    (601, 1711276033), // MPI_WIN_BASE
    (602, 1711276037), // MPI_WIN_DISP_UNIT
    (603, 1711276035), // MPI_WIN_SIZE
    (604, 1711276039), // MPI_WIN_CREATE_FLAVOR
    (605, 1711276041), // MPI_WIN_MODEL
];

/// Values of thread levels: (standard, MPICH).
pub const THREAD_LEVELS: &[(i32, i32)] = &[
    (0, 0),    // MPI_THREAD_SINGLE
    (1024, 1), // MPI_THREAD_FUNNELED
    (2048, 2), // MPI_THREAD_SERIALIZED
    (4096, 3), // MPI_THREAD_MULTIPLE
];

/// Values of results of comparisons: (standard, MPICH).
pub const COMPARISONS: &[(i32, i32)] = &[
    (201, 0), // MPI_IDENT
    (202, 1), // MPI_CONGRUENT
    (203, 2), // MPI_SIMILAR
    (204, 3), // MPI_UNEQUAL
];

/// Values of split types: (standard, MPICH).
pub const SPLIT_TYPES: &[(i32, i32)] = &[
    (221, 1), // MPI_COMM_TYPE_SHARED
    (222, 3), // MPI_COMM_TYPE_HW_UNGUIDED
    (223, 2), // MPI_COMM_TYPE_HW_GUIDED
    (224, 4), // MPI_COMM_TYPE_RESOURCE_GUIDED
];

/// Values of combiners: (standard, MPICH).
pub const COMBINERS: &[(i32, i32)] = &[
    (101, 1),  // MPI_COMBINER_NAMED
    (102, 2),  // MPI_COMBINER_DUP
    (103, 3),  // MPI_COMBINER_CONTIGUOUS
    (104, 4),  // MPI_COMBINER_VECTOR
    (105, 6),  // MPI_COMBINER_HVECTOR
    (106, 7),  // MPI_COMBINER_INDEXED
    (107, 9),  // MPI_COMBINER_HINDEXED
    (108, 10), // MPI_COMBINER_INDEXED_BLOCK
    (109, 19), // MPI_COMBINER_HINDEXED_BLOCK
    (110, 12), // MPI_COMBINER_STRUCT
    (111, 13), // MPI_COMBINER_SUBARRAY
    (112, 14), // MPI_COMBINER_DARRAY
    (113, 15), // MPI_COMBINER_F90_REAL
    (114, 16), // MPI_COMBINER_F90_COMPLEX
    (115, 17), // MPI_COMBINER_F90_INTEGER
    (116, 18), // MPI_COMBINER_RESIZED
    (117, 20), // MPI_COMBINER_VALUE_INDEX
];

/// Values of bits of access modes: (standard, MPICH).
pub const MODES: &[(i32, i32)] = &[
    (1, 128),  // MPI_MODE_APPEND
    (2, 1),    // MPI_MODE_CREATE
    (4, 16),   // MPI_MODE_DELETE_ON_CLOSE
    (8, 64),   // MPI_MODE_EXCL
    (16, 2),   // MPI_MODE_RDONLY
    (32, 8),   // MPI_MODE_RDWR
    (64, 256), // MPI_MODE_SEQUENTIAL
    (128, 32), // MPI_MODE_UNIQUE_OPEN
    (256, 4),  // MPI_MODE_WRONLY
];

/// Values of bits of assertions: (standard, MPICH).
pub const ASSERTIONS: &[(i32, i32)] = &[
    (1024, 1024),   // MPI_MODE_NOCHECK
    (2048, 8192),   // MPI_MODE_NOPRECEDE
    (4096, 4096),   // MPI_MODE_NOPUT
    (8192, 2048),   // MPI_MODE_NOSTORE
    (16384, 16384), // MPI_MODE_NOSUCCEED
];

/// Values of kinds of topologies: (standard, MPICH).
pub const TOPOLOGIES: &[(i32, i32)] = &[
    (211, 2), // MPI_CART
    (212, 1), // MPI_GRAPH
    (213, 3), // MPI_DIST_GRAPH
];

/// Values of array orders: (standard, MPICH).
pub const ORDERS: &[(i32, i32)] = &[
    (12, 56), // MPI_ORDER_C
    (15, 57), // MPI_ORDER_FORTRAN
];

/// Values of distributions: (standard, MPICH).
pub const DISTRIBUTIONS: &[(i32, i32)] = &[
    (16, 123),    // MPI_DISTRIBUTE_NONE
    (17, 121),    // MPI_DISTRIBUTE_BLOCK
    (18, 122),    // MPI_DISTRIBUTE_CYCLIC
    (19, -49767), // MPI_DISTRIBUTE_DFLT_DARG
];

/// Values of classes of types: (standard, MPICH).
pub const TYPECLASSES: &[(i32, i32)] = &[
    (192, 2), // MPI_TYPECLASS_INTEGER
    (193, 1), // MPI_TYPECLASS_REAL
    (194, 3), // MPI_TYPECLASS_COMPLEX
];

/// Values of lock types: (standard, MPICH).
pub const LOCK_TYPES: &[(i32, i32)] = &[
    (301, 234), // MPI_LOCK_EXCLUSIVE
    (302, 235), // MPI_LOCK_SHARED
];

/// Values of seek modes: (standard, MPICH).
pub const WHENCES: &[(i32, i32)] = &[
    (401, 602), // MPI_SEEK_CUR
    (402, 604), // MPI_SEEK_END
    (403, 600), // MPI_SEEK_SET
];

/// Values of window flavors and memory models: (standard, MPICH).
pub const WINDOW_KINDS: &[(i32, i32)] = &[
    (311, 1), // MPI_WIN_FLAVOR_CREATE
    (312, 2), // MPI_WIN_FLAVOR_ALLOCATE
    (313, 3), // MPI_WIN_FLAVOR_DYNAMIC
    (314, 4), // MPI_WIN_FLAVOR_SHARED
    (321, 2), // MPI_WIN_UNIFIED
    (322, 1), // MPI_WIN_SEPARATE
];

/// Values of objects that a tool variable is bound to: (standard, MPICH).
pub const BINDINGS: &[(i32, i32)] = &[
    (1, 9700),  // MPI_T_BIND_NO_OBJECT
    (2, 9701),  // MPI_T_BIND_MPI_COMM
    (3, 9702),  // MPI_T_BIND_MPI_DATATYPE
    (4, 9703),  // MPI_T_BIND_MPI_ERRHANDLER
    (5, 9704),  // MPI_T_BIND_MPI_FILE
    (6, 9705),  // MPI_T_BIND_MPI_GROUP
    (7, 9706),  // MPI_T_BIND_MPI_OP
    (8, 9707),  // MPI_T_BIND_MPI_REQUEST
    (9, 9708),  // MPI_T_BIND_MPI_WIN
    (10, 9709), // MPI_T_BIND_MPI_MESSAGE
    (11, 9710), // MPI_T_BIND_MPI_INFO
    (12, 9711), // MPI_T_BIND_MPI_SESSION
];

/// Values of scopes of control variables: (standard, MPICH).
pub const SCOPES: &[(i32, i32)] = &[
    (1, 60438), // MPI_T_SCOPE_CONSTANT
    (2, 60439), // MPI_T_SCOPE_READONLY
    (3, 60440), // MPI_T_SCOPE_LOCAL
    (4, 60441), // MPI_T_SCOPE_GROUP
    (5, 60442), // MPI_T_SCOPE_GROUP_EQ
    (6, 60443), // MPI_T_SCOPE_ALL
    (7, 60444), // MPI_T_SCOPE_ALL_EQ
];

/// Values of verbosity levels: (standard, MPICH).
pub const VERBOSITIES: &[(i32, i32)] = &[
    (9, 221),  // MPI_T_VERBOSITY_USER_BASIC
    (10, 222), // MPI_T_VERBOSITY_USER_DETAIL
    (12, 223), // MPI_T_VERBOSITY_USER_ALL
    (17, 224), // MPI_T_VERBOSITY_TUNER_BASIC
    (18, 225), // MPI_T_VERBOSITY_TUNER_DETAIL
    (20, 226), // MPI_T_VERBOSITY_TUNER_ALL
    (33, 227), // MPI_T_VERBOSITY_MPIDEV_BASIC
    (34, 228), // MPI_T_VERBOSITY_MPIDEV_DETAIL
    (36, 229), // MPI_T_VERBOSITY_MPIDEV_ALL
];

/// Values of classes of performance variables: (standard, MPICH).
pub const PVAR_CLASSES: &[(i32, i32)] = &[
    (1, 240),  // MPI_T_PVAR_CLASS_STATE
    (2, 241),  // MPI_T_PVAR_CLASS_LEVEL
    (3, 242),  // MPI_T_PVAR_CLASS_SIZE
    (4, 243),  // MPI_T_PVAR_CLASS_PERCENTAGE
    (5, 244),  // MPI_T_PVAR_CLASS_HIGHWATERMARK
    (6, 245),  // MPI_T_PVAR_CLASS_LOWWATERMARK
    (7, 246),  // MPI_T_PVAR_CLASS_COUNTER
    (8, 247),  // MPI_T_PVAR_CLASS_AGGREGATE
    (9, 248),  // MPI_T_PVAR_CLASS_TIMER
    (10, 249), // MPI_T_PVAR_CLASS_GENERIC
];

/// Values of levels of callback safety: (standard, MPICH).
pub const CALLBACK_SAFETIES: &[(i32, i32)] = &[
    (0, 0),  // MPI_T_CB_REQUIRE_NONE
    (3, 1),  // MPI_T_CB_REQUIRE_MPI_RESTRICTED
    (15, 2), // MPI_T_CB_REQUIRE_THREAD_SAFE
    (63, 3), // MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE
];

/// Values of orderings of event sources: (standard, MPICH).
pub const SOURCE_ORDERINGS: &[(i32, i32)] = &[
    (1, 0), // MPI_T_SOURCE_ORDERED
    (2, 1), // MPI_T_SOURCE_UNORDERED
];

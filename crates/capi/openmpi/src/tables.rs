// generated from api/ by cargo xtask generate; do not edit
//! Values of the standard ABI beside those of Open MPI's ABI.

#![allow(dead_code)]

/// Values of error classes and the codes of MPI_T: (standard, Open MPI).
pub const ERROR_CLASSES: &[(i32, i32)] = &[
    (0, 0),      // MPI_SUCCESS
    (1, 1),      // MPI_ERR_BUFFER
    (2, 2),      // MPI_ERR_COUNT
    (3, 3),      // MPI_ERR_TYPE
    (4, 4),      // MPI_ERR_TAG
    (5, 5),      // MPI_ERR_COMM
    (6, 6),      // MPI_ERR_RANK
    (7, 7),      // MPI_ERR_REQUEST
    (8, 8),      // MPI_ERR_ROOT
    (9, 9),      // MPI_ERR_GROUP
    (10, 10),    // MPI_ERR_OP
    (11, 11),    // MPI_ERR_TOPOLOGY
    (12, 12),    // MPI_ERR_DIMS
    (13, 13),    // MPI_ERR_ARG
    (14, 14),    // MPI_ERR_UNKNOWN
    (15, 15),    // MPI_ERR_TRUNCATE
    (16, 16),    // MPI_ERR_OTHER
    (17, 17),    // MPI_ERR_INTERN
    (18, 19),    // MPI_ERR_PENDING
    (19, 18),    // MPI_ERR_IN_STATUS
    (20, 20),    // MPI_ERR_ACCESS
    (21, 21),    // MPI_ERR_AMODE
    (22, 22),    // MPI_ERR_ASSERT
    (23, 23),    // MPI_ERR_BAD_FILE
    (24, 24),    // MPI_ERR_BASE
    (25, 25),    // MPI_ERR_CONVERSION
    (26, 26),    // MPI_ERR_DISP
    (27, 27),    // MPI_ERR_DUP_DATAREP
    (28, 28),    // MPI_ERR_FILE_EXISTS
    (29, 29),    // MPI_ERR_FILE_IN_USE
    (30, 30),    // MPI_ERR_FILE
    (31, 31),    // MPI_ERR_INFO_KEY
    (32, 32),    // MPI_ERR_INFO_NOKEY
    (33, 33),    // MPI_ERR_INFO_VALUE
    (34, 34),    // MPI_ERR_INFO
    (35, 35),    // MPI_ERR_IO
    (36, 36),    // MPI_ERR_KEYVAL
    (37, 37),    // MPI_ERR_LOCKTYPE
    (38, 38),    // MPI_ERR_NAME
    (39, 39),    // MPI_ERR_NO_MEM
    (40, 40),    // MPI_ERR_NOT_SAME
    (41, 41),    // MPI_ERR_NO_SPACE
    (42, 42),    // MPI_ERR_NO_SUCH_FILE
    (43, 43),    // MPI_ERR_PORT
    (44, 44),    // MPI_ERR_QUOTA
    (45, 45),    // MPI_ERR_READ_ONLY
    (46, 69),    // MPI_ERR_RMA_ATTACH
    (47, 46),    // MPI_ERR_RMA_CONFLICT
    (48, 68),    // MPI_ERR_RMA_RANGE
    (49, 71),    // MPI_ERR_RMA_SHARED
    (50, 47),    // MPI_ERR_RMA_SYNC
    (51, 48),    // MPI_ERR_SERVICE
    (52, 49),    // MPI_ERR_SIZE
    (53, 50),    // MPI_ERR_SPAWN
    (54, 51),    // MPI_ERR_UNSUPPORTED_DATAREP
    (55, 52),    // MPI_ERR_UNSUPPORTED_OPERATION
    (56, 53),    // MPI_ERR_WIN
    (57, 70),    // MPI_ERR_RMA_FLAVOR
    (58, 74),    // MPI_ERR_PROC_ABORTED
    (59, 79),    // MPI_ERR_VALUE_TOO_LARGE
    (60, 78),    // MPI_ERR_SESSION
    (61, 80),    // MPI_ERR_ERRHANDLER
    (62, 83),    // MPI_ERR_ABI
    (1001, 56),  // MPI_T_ERR_CANNOT_INIT
    (1002, 81),  // MPI_T_ERR_NOT_ACCESSIBLE
    (1003, 55),  // MPI_T_ERR_NOT_INITIALIZED
    (1004, 82),  // MPI_T_ERR_NOT_SUPPORTED
    (1005, 54),  // MPI_T_ERR_MEMORY
    (1006, 72),  // MPI_T_ERR_INVALID
    (1007, 57),  // MPI_T_ERR_INVALID_INDEX
    (1008, 58),  // MPI_T_ERR_INVALID_ITEM
    (1009, 62),  // MPI_T_ERR_INVALID_SESSION
    (1010, 59),  // MPI_T_ERR_INVALID_HANDLE
    (1011, 73),  // MPI_T_ERR_INVALID_NAME
    (1012, 60),  // MPI_T_ERR_OUT_OF_HANDLES
    (1013, 61),  // MPI_T_ERR_OUT_OF_SESSIONS
    (1014, 63),  // MPI_T_ERR_CVAR_SET_NOT_NOW
    (1015, 64),  // MPI_T_ERR_CVAR_SET_NEVER
    (1016, 66),  // MPI_T_ERR_PVAR_NO_WRITE
    (1017, 65),  // MPI_T_ERR_PVAR_NO_STARTSTOP
    (1018, 67),  // MPI_T_ERR_PVAR_NO_ATOMIC
    (16383, 92), // MPI_ERR_LASTCODE
    (65537, 75), // MPIX_ERR_PROC_FAILED
    (65538, 76), // MPIX_ERR_PROC_FAILED_PENDING
    (65539, 77), // MPIX_ERR_REVOKED
];

/// Values of attribute keys: (standard, Open MPI).
pub const KEYVALS: &[(i32, i32)] = &[
    (0, -1),   // MPI_KEYVAL_INVALID
    (501, 0),  // MPI_TAG_UB
    (502, 2),  // MPI_IO
    (503, 1),  // MPI_HOST
    (504, 3),  // MPI_WTIME_IS_GLOBAL
    (505, 4),  // MPI_APPNUM
    (506, 5),  // MPI_LASTUSEDCODE
    (507, 6),  // MPI_UNIVERSE_SIZE
    (601, 7),  // MPI_WIN_BASE
    (602, 9),  // MPI_WIN_DISP_UNIT
    (603, 8),  // MPI_WIN_SIZE
    (604, 10), // MPI_WIN_CREATE_FLAVOR
    (605, 11), // MPI_WIN_MODEL
];

/// Values of thread levels: (standard, Open MPI).
pub const THREAD_LEVELS: &[(i32, i32)] = &[
    (0, 0),    // MPI_THREAD_SINGLE
    (1024, 1), // MPI_THREAD_FUNNELED
    (2048, 2), // MPI_THREAD_SERIALIZED
    (4096, 3), // MPI_THREAD_MULTIPLE
];

/// Values of results of comparisons: (standard, Open MPI).
pub const COMPARISONS: &[(i32, i32)] = &[
    (201, 0), // MPI_IDENT
    (202, 1), // MPI_CONGRUENT
    (203, 2), // MPI_SIMILAR
    (204, 3), // MPI_UNEQUAL
];

/// Values of split types: (standard, Open MPI).
pub const SPLIT_TYPES: &[(i32, i32)] = &[
    (221, 0),  // MPI_COMM_TYPE_SHARED
    (222, 12), // MPI_COMM_TYPE_HW_UNGUIDED
    (223, 13), // MPI_COMM_TYPE_HW_GUIDED
];

/// Values of combiners: (standard, Open MPI).
pub const COMBINERS: &[(i32, i32)] = &[
    (101, 0),  // MPI_COMBINER_NAMED
    (102, 1),  // MPI_COMBINER_DUP
    (103, 2),  // MPI_COMBINER_CONTIGUOUS
    (104, 3),  // MPI_COMBINER_VECTOR
    (105, 5),  // MPI_COMBINER_HVECTOR
    (106, 6),  // MPI_COMBINER_INDEXED
    (107, 8),  // MPI_COMBINER_HINDEXED
    (108, 9),  // MPI_COMBINER_INDEXED_BLOCK
    (109, 18), // MPI_COMBINER_HINDEXED_BLOCK
    (110, 11), // MPI_COMBINER_STRUCT
    (111, 12), // MPI_COMBINER_SUBARRAY
    (112, 13), // MPI_COMBINER_DARRAY
    (113, 14), // MPI_COMBINER_F90_REAL
    (114, 15), // MPI_COMBINER_F90_COMPLEX
    (115, 16), // MPI_COMBINER_F90_INTEGER
    (116, 17), // MPI_COMBINER_RESIZED
];

/// Values of bits of access modes: (standard, Open MPI).
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

/// Values of bits of assertions: (standard, Open MPI).
pub const ASSERTIONS: &[(i32, i32)] = &[
    (1024, 1),   // MPI_MODE_NOCHECK
    (2048, 2),   // MPI_MODE_NOPRECEDE
    (4096, 4),   // MPI_MODE_NOPUT
    (8192, 8),   // MPI_MODE_NOSTORE
    (16384, 16), // MPI_MODE_NOSUCCEED
];

/// Values of kinds of topologies: (standard, Open MPI).
pub const TOPOLOGIES: &[(i32, i32)] = &[
    (211, 1), // MPI_CART
    (212, 2), // MPI_GRAPH
    (213, 3), // MPI_DIST_GRAPH
];

/// Values of array orders: (standard, Open MPI).
pub const ORDERS: &[(i32, i32)] = &[
    (12, 0), // MPI_ORDER_C
    (15, 1), // MPI_ORDER_FORTRAN
];

/// Values of distributions: (standard, Open MPI).
pub const DISTRIBUTIONS: &[(i32, i32)] = &[
    (16, 2),  // MPI_DISTRIBUTE_NONE
    (17, 0),  // MPI_DISTRIBUTE_BLOCK
    (18, 1),  // MPI_DISTRIBUTE_CYCLIC
    (19, -1), // MPI_DISTRIBUTE_DFLT_DARG
];

/// Values of classes of types: (standard, Open MPI).
pub const TYPECLASSES: &[(i32, i32)] = &[
    (192, 1), // MPI_TYPECLASS_INTEGER
    (193, 2), // MPI_TYPECLASS_REAL
    (194, 3), // MPI_TYPECLASS_COMPLEX
];

/// Values of lock types: (standard, Open MPI).
pub const LOCK_TYPES: &[(i32, i32)] = &[
    (301, 1), // MPI_LOCK_EXCLUSIVE
    (302, 2), // MPI_LOCK_SHARED
];

/// Values of seek modes: (standard, Open MPI).
pub const WHENCES: &[(i32, i32)] = &[
    (401, 602), // MPI_SEEK_CUR
    (402, 604), // MPI_SEEK_END
    (403, 600), // MPI_SEEK_SET
];

/// Values of window flavors and memory models: (standard, Open MPI).
pub const WINDOW_KINDS: &[(i32, i32)] = &[
    (311, 1), // MPI_WIN_FLAVOR_CREATE
    (312, 2), // MPI_WIN_FLAVOR_ALLOCATE
    (313, 3), // MPI_WIN_FLAVOR_DYNAMIC
    (314, 4), // MPI_WIN_FLAVOR_SHARED
    (321, 0), // MPI_WIN_UNIFIED
    (322, 1), // MPI_WIN_SEPARATE
];

/// Values of objects that a tool variable is bound to: (standard, Open MPI).
pub const BINDINGS: &[(i32, i32)] = &[
    (1, 0),   // MPI_T_BIND_NO_OBJECT
    (2, 1),   // MPI_T_BIND_MPI_COMM
    (3, 2),   // MPI_T_BIND_MPI_DATATYPE
    (4, 3),   // MPI_T_BIND_MPI_ERRHANDLER
    (5, 4),   // MPI_T_BIND_MPI_FILE
    (6, 5),   // MPI_T_BIND_MPI_GROUP
    (7, 6),   // MPI_T_BIND_MPI_OP
    (8, 7),   // MPI_T_BIND_MPI_REQUEST
    (9, 8),   // MPI_T_BIND_MPI_WIN
    (10, 9),  // MPI_T_BIND_MPI_MESSAGE
    (11, 10), // MPI_T_BIND_MPI_INFO
];

/// Values of scopes of control variables: (standard, Open MPI).
pub const SCOPES: &[(i32, i32)] = &[
    (1, 0), // MPI_T_SCOPE_CONSTANT
    (2, 1), // MPI_T_SCOPE_READONLY
    (3, 2), // MPI_T_SCOPE_LOCAL
    (4, 3), // MPI_T_SCOPE_GROUP
    (5, 4), // MPI_T_SCOPE_GROUP_EQ
    (6, 5), // MPI_T_SCOPE_ALL
    (7, 6), // MPI_T_SCOPE_ALL_EQ
];

/// Values of verbosity levels: (standard, Open MPI).
pub const VERBOSITIES: &[(i32, i32)] = &[
    (9, 0),  // MPI_T_VERBOSITY_USER_BASIC
    (10, 1), // MPI_T_VERBOSITY_USER_DETAIL
    (12, 2), // MPI_T_VERBOSITY_USER_ALL
    (17, 3), // MPI_T_VERBOSITY_TUNER_BASIC
    (18, 4), // MPI_T_VERBOSITY_TUNER_DETAIL
    (20, 5), // MPI_T_VERBOSITY_TUNER_ALL
    (33, 6), // MPI_T_VERBOSITY_MPIDEV_BASIC
    (34, 7), // MPI_T_VERBOSITY_MPIDEV_DETAIL
    (36, 8), // MPI_T_VERBOSITY_MPIDEV_ALL
];

/// Values of classes of performance variables: (standard, Open MPI).
pub const PVAR_CLASSES: &[(i32, i32)] = &[
    (1, 0),  // MPI_T_PVAR_CLASS_STATE
    (2, 1),  // MPI_T_PVAR_CLASS_LEVEL
    (3, 2),  // MPI_T_PVAR_CLASS_SIZE
    (4, 3),  // MPI_T_PVAR_CLASS_PERCENTAGE
    (5, 4),  // MPI_T_PVAR_CLASS_HIGHWATERMARK
    (6, 5),  // MPI_T_PVAR_CLASS_LOWWATERMARK
    (7, 6),  // MPI_T_PVAR_CLASS_COUNTER
    (8, 7),  // MPI_T_PVAR_CLASS_AGGREGATE
    (9, 8),  // MPI_T_PVAR_CLASS_TIMER
    (10, 9), // MPI_T_PVAR_CLASS_GENERIC
];

/// Values of levels of callback safety: (standard, Open MPI).
pub const CALLBACK_SAFETIES: &[(i32, i32)] = &[];

/// Values of orderings of event sources: (standard, Open MPI).
pub const SOURCE_ORDERINGS: &[(i32, i32)] = &[];

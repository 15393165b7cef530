//! What surrounds the calls in the programs that call every procedure: variables, the objects that
//! calls use, the callbacks, and the subroutine that checks error codes.

use super::super::{fortran_type, is_callback};
use super::Interface;
use crate::api::{Api, Callback, HANDLES};

/// Variables that are no handles: their types, and names with dimensions.
const VARIABLES: [(&str, &str); 10] = [
    (
        "INTEGER",
        "ierror, key, key_comm, key_type, key_win, key_old, error_class, error_code, length, \
         file_mode, rank",
    ),
    (
        "INTEGER",
        "integers(8), integers_1(8), integers_2(8), integers_3(8), integers_4(8), \
         one_integers(8), zero_integers(8), dims(4), ranges(3,1), distributions(1), \
         distribution_arguments(1)",
    ),
    ("INTEGER", "a_buffer(1024), b_buffer(1024), c_buffer(10000)"),
    ("INTEGER", "window_memory(64)"),
    (
        "INTEGER(KIND=MPI_ADDRESS_KIND)",
        "addresses(8), addresses_1(8), addresses_2(8), addresses_3(8), one_addresses(8), \
         zero_addresses(8), an_address, zero_address, pointer_place",
    ),
    (
        "INTEGER(KIND=MPI_COUNT_KIND)",
        "counts(8), counts_1(8), counts_2(8), counts_3(8), one_counts(8), zero_counts(8), \
         one_count",
    ),
    ("INTEGER(KIND=MPI_OFFSET_KIND)", "offsets(8), zero_offset"),
    ("LOGICAL", "flags(8), flags_1(8), flags_2(8), trues(8)"),
    ("CHARACTER(LEN=MPI_MAX_LIBRARY_VERSION_STRING)", "a_text"),
    ("CHARACTER(LEN=64)", "own_name, file_name, other_name, next_representation"),
];

/// Handles: the name of the type, and the variables.
const HANDLE_VARIABLES: [(&str, &str); 11] = [
    ("MPI_Comm", "comm, cart, graph, dist, new_comm"),
    ("MPI_Datatype", "a_type, new_datatype, types(8), some_types(8)"),
    ("MPI_Errhandler", "new_errhandler"),
    ("MPI_File", "file, new_file"),
    ("MPI_Group", "group, new_group"),
    ("MPI_Info", "info, new_info"),
    ("MPI_Message", "message"),
    ("MPI_Op", "new_op"),
    ("MPI_Request", "request, requests(2)"),
    ("MPI_Session", "session, new_session"),
    ("MPI_Win", "win, new_win, dynamic_win, shared_win"),
];

/// The statements that make the objects of the calls.
const BEGIN: &str = "
CALL CHECKED('MPI_Init', ierror, MPI_SUCCESS)
CALL MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
CALL MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
CALL MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
one_integers = 1
zero_integers = 0
one_addresses = 1
zero_addresses = 0
one_counts = 1
zero_counts = 0
one_count = 1
an_address = 64
zero_address = 0
zero_offset = 0
trues = .TRUE.
types = MPI_INTEGER
dims = 1
ranges = 0
ranges(3,1) = 1
distributions = MPI_DISTRIBUTE_BLOCK
distribution_arguments = MPI_DISTRIBUTE_DFLT_DARG
a_buffer = 1
length = 20
file_mode = MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE
WRITE(own_name, '(A,I0)') 'calls.own.', rank
WRITE(file_name, '(A,I0)') 'calls.data.', rank
WRITE(other_name, '(A,I0)') 'calls.other.', rank
CALL MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
CALL MPI_Comm_group(comm, group, ierror)
CALL MPI_Cart_create(comm, 1, one_integers, trues, .FALSE., cart, ierror)
CALL MPI_Graph_create(comm, 1, one_integers, zero_integers, .FALSE., graph, ierror)
CALL MPI_Dist_graph_create_adjacent(comm, 1, zero_integers, MPI_UNWEIGHTED, 1, zero_integers,
 MPI_UNWEIGHTED, MPI_INFO_NULL, .FALSE., dist, ierror)
CALL MPI_Type_contiguous(2, MPI_INTEGER, a_type, ierror)
CALL MPI_Type_commit(a_type, ierror)
CALL MPI_Win_create(window_memory, an_address, 4, MPI_INFO_NULL, comm, win, ierror)
CALL MPI_Win_create_dynamic(MPI_INFO_NULL, comm, dynamic_win, ierror)
CALL MPI_Win_allocate_shared(an_address, 4, MPI_INFO_NULL, comm, POINTER, shared_win, ierror)
CALL MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, ierror)
CALL MPI_File_open(comm, own_name, file_mode, MPI_INFO_NULL, file, ierror)
CALL MPI_Info_create(info, ierror)
CALL MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
CALL MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key_comm,
 zero_address, ierror)
CALL MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, key_type,
 zero_address, ierror)
CALL MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key_win,
 zero_address, ierror)
CALL MPI_Irecv(b_buffer, 1, MPI_INTEGER, MPI_PROC_NULL, 1, comm, request, ierror)
CALL MPI_Wait(request, status, ierror)
CALL CHECKED('the objects', ierror, MPI_SUCCESS)
";

/// The statements that free the objects of the calls.
const END: &str = "
CALL MPI_Win_free(win, ierror)
CALL MPI_Win_free(dynamic_win, ierror)
CALL MPI_Win_free(shared_win, ierror)
CALL MPI_File_close(file, ierror)
CALL MPI_Session_finalize(session, ierror)
CALL MPI_Comm_free(cart, ierror)
CALL MPI_Comm_free(graph, ierror)
CALL MPI_Comm_free(dist, ierror)
CALL MPI_Comm_free(comm, ierror)
CALL MPI_Finalize(ierror)
CALL CHECKED('MPI_Finalize', ierror, MPI_SUCCESS)
END PROGRAM CALLS
";

/// Prints a line if a call has returned another class of errors than it must.
const CHECKED: &str = "
CHARACTER(LEN=*) :: name
INTEGER :: code, wanted, class, length, ierror
CHARACTER(LEN=MPI_MAX_ERROR_STRING) :: text
class = code
IF (code /= MPI_SUCCESS) CALL MPI_Error_class(code, class, ierror)
IF (class /= wanted) THEN
CALL MPI_Error_string(code, text, length, ierror)
WRITE(*,*) name, ' returns class', class, ' instead of', wanted, ': ', text(1:length)
END IF
END SUBROUTINE CHECKED
";

/// Gives each data representation a name of its own.
const NAME_REPRESENTATION: &str = "
SUBROUTINE NAME_REPRESENTATION(name)
CHARACTER(LEN=*) :: name
INTEGER, SAVE :: number = 0
number = number + 1
WRITE(name, '(A,I0)') 'representation ', number
END SUBROUTINE NAME_REPRESENTATION
";

/// Returns the lines of the program with the calls.
pub fn around(api: &Api, interface: Interface, calls: Vec<String>) -> Vec<String> {
    let f08 = interface == Interface::F08;
    let mut lines: Vec<String> = Vec::new();
    let mut add = |text: &str| lines.push(text.into());
    if f08 {
        add("MODULE CALLBACKS");
        for line in callbacks(api, interface) {
            add(&line);
        }
        add("END MODULE CALLBACKS");
    }
    add("PROGRAM CALLS");
    if f08 {
        add("USE CALLBACKS");
    }
    uses(interface, &mut add);
    for (ctype, names) in VARIABLES {
        add(&format!("{ctype} :: {names}"));
    }
    for (handle, names) in HANDLE_VARIABLES {
        assert!(HANDLES.contains(&handle));
        add(&match f08 {
            true => format!("TYPE({handle}) :: {names}"),
            false => format!("INTEGER :: {names}"),
        });
    }
    match f08 {
        true => {
            add("TYPE(C_PTR) :: a_pointer, detached");
            add("TYPE(MPI_Status) :: status, new_status, statuses(2)");
            add("INTEGER :: old_status(MPI_STATUS_SIZE)");
        }
        false => {
            add("INTEGER :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE,2)");
            add("INTEGER :: old_status(MPI_STATUS_SIZE)");
            add("INTEGER(KIND=MPI_ADDRESS_KIND) :: detached");
            let names: Vec<String> =
                of_interface(api, interface).map(|of| callback_name(&of.name)).collect();
            add(&format!("EXTERNAL :: {}", names.join(", ")));
        }
    }
    if interface == Interface::Mpi {
        add("TYPE(MPI_Status) :: new_status");
    }
    add("DOUBLE PRECISION :: a_time");
    // A process initialises MPI once: by one procedure on one process, by the other on more.
    let profiling = if f08 { "" } else { "P" };
    add("CHARACTER(LEN=10) :: number_of_ranks");
    add("CALL GET_ENVIRONMENT_VARIABLE('PMI_SIZE', number_of_ranks)");
    add("IF (number_of_ranks == '1') THEN");
    add(&format!("CALL {profiling}MPI_Init(ierror)"));
    add("ELSE");
    add(&format!("CALL {profiling}MPI_Init_thread(MPI_THREAD_SINGLE, length, ierror)"));
    add("END IF");
    let begin = BEGIN
        .replace("\n ", " ")
        .replace("POINTER", if f08 { "a_pointer" } else { "pointer_place" });
    begin.trim().lines().for_each(&mut add);
    if !f08 {
        add("CALL MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, key_old, 0, ierror)");
    }
    calls.iter().for_each(|line| add(line));
    END.trim().lines().for_each(&mut add);
    add("SUBROUTINE CHECKED(name, code, wanted)");
    uses(interface, &mut add);
    CHECKED.trim().lines().for_each(&mut add);
    NAME_REPRESENTATION.trim().lines().for_each(&mut add);
    if !f08 {
        lines.extend(callbacks(api, interface));
    }
    lines
}

fn uses(interface: Interface, add: &mut impl FnMut(&str)) {
    match interface {
        Interface::F08 => {
            add("USE mpi_f08");
            add("USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_PTR");
            add("IMPLICIT NONE");
        }
        Interface::Mpi => {
            add("USE mpi");
            add("IMPLICIT NONE");
        }
        Interface::Include => {
            add("IMPLICIT NONE");
            add("INCLUDE 'mpif.h'");
        }
    }
}

/// Returns the name of the program's function for a type of callbacks.
pub fn callback_name(ctype: &str) -> String {
    format!("a_{}", ctype.trim_start_matches("MPI_").to_lowercase())
}

/// The callbacks that procedures of the interface take.
fn of_interface(api: &Api, interface: Interface) -> impl Iterator<Item = &Callback> {
    api.callbacks.iter().filter(move |callback| {
        let is_old = matches!(callback.name.as_str(), "MPI_Copy_function" | "MPI_Delete_function");
        let is_large = callback.name.ends_with("_c");
        is_callback(callback) && if interface == Interface::F08 { !is_old } else { !is_large }
    })
}

/// Returns the program's functions: copy functions copy nothing, the others do nothing.
fn callbacks(api: &Api, interface: Interface) -> Vec<String> {
    let f08 = interface == Interface::F08;
    let mut lines = Vec::new();
    if f08 {
        lines.push("CONTAINS".into());
    }
    for callback in of_interface(api, interface) {
        let params = || callback.params.iter().filter(|param| !param.is_varargs());
        let mut arguments: Vec<&str> = params().map(|param| param.name()).collect();
        if callback.ret == "int" {
            arguments.push("ierror");
        }
        let name = callback_name(&callback.name);
        lines.push(format!("SUBROUTINE {name}({})", arguments.join(", ")));
        uses(interface, &mut |line| lines.push(line.into()));
        for param in params() {
            let ctype = match param.standard_kind() {
                "C_BUFFER3" | "C_BUFFER4" if f08 => "TYPE(C_PTR), VALUE".into(),
                "C_BUFFER3" | "C_BUFFER4" => "INTEGER".into(),
                _ => fortran_type(param, f08),
            };
            let dimensions = match param.standard_kind() {
                "C_BUFFER3" | "C_BUFFER4" if !f08 => "(*)",
                "STATUS" if !f08 => "(MPI_STATUS_SIZE)",
                _ => "",
            };
            lines.push(format!("{ctype} :: {}{dimensions}", param.name()));
        }
        if callback.ret == "int" {
            lines.push("INTEGER :: ierror".into());
        }
        for param in params() {
            match (param.standard_kind(), param.name()) {
                ("LOGICAL", "flag") => lines.push("flag = .FALSE.".into()),
                ("STATUS", status) => {
                    lines.push(format!("CALL MPI_Status_set_cancelled({status}, .FALSE., ierror)"));
                }
                (_, "extent") => lines.push("extent = 4".into()),
                _ => {}
            }
        }
        if callback.ret == "int" {
            lines.push("ierror = MPI_SUCCESS".into());
        }
        lines.push(format!("END SUBROUTINE {name}"));
    }
    lines
}

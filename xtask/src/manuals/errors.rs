//! The section ERRORS of the page of a function.

use crate::api::{Function, Param};
use std::collections::BTreeSet;

/// Error classes of wrong arguments, by the kind of the parameter.
const CLASSES: [(&str, &[&str]); 22] = [
    ("ARRAY_LEN", &["MPI_ERR_ARG"]),
    ("ASSERT", &["MPI_ERR_ASSERT"]),
    ("BUFFER", &["MPI_ERR_BUFFER"]),
    ("COLOR", &["MPI_ERR_ARG"]),
    ("COMM", &["MPI_ERR_COMM"]),
    ("COUNT", &["MPI_ERR_COUNT"]),
    ("DATATYPE", &["MPI_ERR_TYPE"]),
    ("DISP_UNIT", &["MPI_ERR_DISP"]),
    ("ERRHANDLER", &["MPI_ERR_ERRHANDLER"]),
    ("FILE", &["MPI_ERR_FILE"]),
    ("GROUP", &["MPI_ERR_GROUP"]),
    ("INFO", &["MPI_ERR_INFO"]),
    ("KEYVAL", &["MPI_ERR_KEYVAL"]),
    ("LOCK_TYPE", &["MPI_ERR_LOCKTYPE"]),
    ("MESSAGE", &["MPI_ERR_REQUEST"]),
    ("OP", &["MPI_ERR_OP"]),
    ("RANK", &["MPI_ERR_RANK"]),
    ("REQUEST", &["MPI_ERR_REQUEST"]),
    ("RMA_DISP", &["MPI_ERR_DISP", "MPI_ERR_RMA_RANGE"]),
    ("SESSION", &["MPI_ERR_SESSION"]),
    ("TAG", &["MPI_ERR_TAG"]),
    ("WIN", &["MPI_ERR_WIN"]),
];

/// Error classes of single functions that follow from no kind of parameter.
const OF_FUNCTIONS: [(&str, &[&str]); 21] = [
    ("MPI_Alloc_mem", &["MPI_ERR_NO_MEM"]),
    ("MPI_Buffer_attach", &["MPI_ERR_COUNT"]),
    ("MPI_Cart_create", &["MPI_ERR_DIMS"]),
    ("MPI_Cart_map", &["MPI_ERR_DIMS"]),
    ("MPI_Cart_shift", &["MPI_ERR_DIMS"]),
    ("MPI_Comm_attach_buffer", &["MPI_ERR_COUNT"]),
    ("MPI_Dims_create", &["MPI_ERR_ARG", "MPI_ERR_DIMS"]),
    ("MPI_Info_delete", &["MPI_ERR_INFO_NOKEY"]),
    ("MPI_Info_set", &["MPI_ERR_INFO_VALUE"]),
    ("MPI_Pack", &["MPI_ERR_ARG", "MPI_ERR_TRUNCATE"]),
    ("MPI_Pack_external", &["MPI_ERR_ARG", "MPI_ERR_TRUNCATE"]),
    ("MPI_Session_attach_buffer", &["MPI_ERR_COUNT"]),
    ("MPI_Unpack", &["MPI_ERR_ARG", "MPI_ERR_TRUNCATE"]),
    ("MPI_Unpack_external", &["MPI_ERR_ARG", "MPI_ERR_TRUNCATE"]),
    ("MPI_Win_allocate", &["MPI_ERR_NO_MEM"]),
    ("MPI_Win_allocate_shared", &["MPI_ERR_NO_MEM", "MPI_ERR_RMA_SHARED"]),
    ("MPI_Win_attach", &["MPI_ERR_RMA_ATTACH", "MPI_ERR_RMA_FLAVOR"]),
    ("MPI_Win_create", &["MPI_ERR_NO_MEM"]),
    ("MPI_Win_create_dynamic", &["MPI_ERR_NO_MEM"]),
    ("MPI_Win_detach", &["MPI_ERR_RMA_ATTACH", "MPI_ERR_RMA_FLAVOR"]),
    ("MPI_Win_shared_query", &["MPI_ERR_RMA_FLAVOR"]),
];

/// The section; empty for a function that returns a value.
pub fn section(function: &Function) -> String {
    if function.direct {
        return String::new();
    }
    if function.is_tool() {
        return ".Sh ERRORS\nThe function returns\n.Dv MPI_SUCCESS\nor a class that begins with\n\
                .Dv MPI_T_ERR_ .\nIt calls no error handler.\n"
            .into();
    }
    let mut text =
        String::from(".Sh ERRORS\nThe function returns\n.Dv MPI_SUCCESS\nor an error code.\n");
    text += &list(&classes(function));
    text += &format!("An error first calls the error handler of\n{}\n", handled_by(function));
    text + if has(function, "FILE") {
        "By default it is\n.Dv MPI_ERRORS_RETURN ,\nso the function returns the error code.\n"
    } else {
        "By default it is\n.Dv MPI_ERRORS_ARE_FATAL ,\nwhich prints the error and ends the job; \
         with\n.Dv MPI_ERRORS_RETURN\nthe function returns the error code.\n"
    }
}

fn list(classes: &BTreeSet<&str>) -> String {
    let mut text = match classes.len() {
        0 => return String::new(),
        1 => String::from("The most likely class of an error is\n"),
        _ => String::from("Among the classes of errors are\n"),
    };
    let last = classes.len() - 1;
    for (index, class) in classes.iter().enumerate() {
        let (before, end) = match index {
            _ if index == last && index > 0 => ("and\n", " ."),
            _ if index == last => ("", " ."),
            _ if index + 1 == last => ("", ""),
            _ => ("", " ,"),
        };
        text += &format!("{before}.Dv {class}{end}\n");
    }
    text
}

/// The object whose error handler is called.
fn handled_by(function: &Function) -> &'static str {
    let takes = |kind: &str| {
        function.params.iter().any(|parameter| parameter.kind() == kind && !parameter.is_out())
    };
    match () {
        () if has(function, "FILE") => "the file.",
        () if takes("WIN") => "the window.",
        () if takes("COMM") => "the communicator.",
        () if takes("SESSION") => "the session.",
        () => "the object that the call concerns, or of\n.Dv MPI_COMM_SELF .",
    }
}

fn has(function: &Function, kind: &str) -> bool {
    function.params.iter().any(|parameter| parameter.kind() == kind)
}

/// The classes of errors that wrong arguments, and the operation itself, can give.
fn classes(function: &Function) -> BTreeSet<&'static str> {
    let given = |parameter: &&Param| !parameter.is_out() || parameter.kind() == "BUFFER";
    let mut classes: BTreeSet<&str> = function
        .params
        .iter()
        .filter(given)
        .flat_map(|parameter| of_argument(function, parameter))
        .copied()
        .collect();
    let is_completion = matches!(function.op.as_str(), "completion" | "probe");
    let is_receive = function.name.contains("ecv") && !function.name.ends_with("_init");
    let has_statuses =
        function.params.iter().any(|parameter| parameter.name() == "array_of_statuses");
    let has_results =
        function.params.iter().any(|parameter| parameter.is_out() && parameter.kind() != "BUFFER");
    let is_neighbour = function.name.to_lowercase().contains("neighbor_");
    let conditions: [(bool, &[&str]); 8] = [
        (is_receive || function.op == "completion", &["MPI_ERR_TRUNCATE"]),
        (is_completion && has_statuses, &["MPI_ERR_IN_STATUS", "MPI_ERR_PENDING"]),
        (
            is_completion || function.op == "blocking" && function.area != "io",
            &["MPI_ERR_PROC_ABORTED"],
        ),
        (function.op.starts_with("rma-"), &["MPI_ERR_RMA_SYNC"]),
        (function.area == "topo" && !function.name.contains("create"), &["MPI_ERR_TOPOLOGY"]),
        (is_neighbour, &["MPI_ERR_TOPOLOGY"]),
        (has_results, &["MPI_ERR_ARG"]),
        (has_arrays(function), &["MPI_ERR_ARG"]),
    ];
    for (_, more) in conditions.iter().filter(|(holds, _)| *holds) {
        classes.extend(*more);
    }
    let own = OF_FUNCTIONS.iter().filter(|(name, _)| function.name == *name);
    classes.extend(own.flat_map(|(_, more)| *more));
    classes
}

/// Returns whether the function takes counts or displacements in an array, which must not be null.
fn has_arrays(function: &Function) -> bool {
    function.params.iter().any(|parameter| {
        matches!(parameter.kind(), "COUNT" | "DISP")
            && parameter.len().is_some()
            && !parameter.is_out()
    })
}

/// The classes of an error in one argument.
fn of_argument(function: &Function, parameter: &Param) -> &'static [&'static str] {
    let of_window = function.name.starts_with("MPI_Win_");
    match (parameter.name(), parameter.kind()) {
        ("root", _) => &["MPI_ERR_ROOT"],
        ("key", "STRING") => &["MPI_ERR_INFO_KEY"],
        ("base", "BUFFER") if of_window => &["MPI_ERR_BASE"],
        ("base", "BUFFER") => &[],
        ("size", "BYTES") if of_window => &["MPI_ERR_SIZE"],
        // The number of requests, of a completion or of MPI_Startall.
        ("count" | "incount", "ARRAY_LEN") => &["MPI_ERR_COUNT"],
        (_, kind) => CLASSES.iter().find(|(known, _)| *known == kind).map_or(&[], |row| row.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Api;

    #[test]
    fn classes_follow_from_parameters() {
        let api = Api::load(&crate::root());
        let of = |name: &str| classes(api.function(name)).into_iter().collect::<Vec<_>>();
        assert_eq!(of("MPI_Win_unlock"), ["MPI_ERR_RANK", "MPI_ERR_RMA_SYNC", "MPI_ERR_WIN"]);
        assert!(of("MPI_Recv").contains(&"MPI_ERR_TRUNCATE"));
        assert!(!of("MPI_Comm_split").contains(&"MPI_ERR_INFO_KEY"));
    }

    /// Each class is one that the library returns for a wrong argument.
    #[test]
    fn pages_name_the_classes_that_the_library_returns() {
        let api = Api::load(&crate::root());
        for (name, returned) in [
            ("MPI_Alltoallw", "ARG"),
            ("MPI_Buffer_attach", "COUNT"),
            ("MPI_Cart_create", "DIMS"),
            ("MPI_Cart_shift", "DIMS"),
            ("MPI_Comm_split", "ARG"),
            ("MPI_Dims_create", "ARG"),
            ("MPI_Gatherv", "ARG"),
            ("MPI_Get", "DISP"),
            ("MPI_Group_incl", "ARG"),
            ("MPI_Info_delete", "INFO_NOKEY"),
            ("MPI_Info_set", "INFO_VALUE"),
            ("MPI_Neighbor_allgather", "TOPOLOGY"),
            ("MPI_Pack", "TRUNCATE"),
            ("MPI_Put", "RMA_RANGE"),
            ("MPI_Startall", "COUNT"),
            ("MPI_Unpack", "TRUNCATE"),
            ("MPI_Waitall", "COUNT"),
            ("MPI_Win_allocate", "SIZE"),
            ("MPI_Win_attach", "RMA_ATTACH"),
            ("MPI_Win_create", "BASE"),
            ("MPI_Win_shared_query", "RMA_FLAVOR"),
        ] {
            let class = format!("MPI_ERR_{returned}");
            assert!(classes(api.function(name)).contains(class.as_str()), "{name}: {class}");
        }
        assert!(!classes(api.function("MPI_Win_create")).contains("MPI_ERR_BUFFER"));
    }

    #[test]
    fn every_class_is_a_constant() {
        let api = Api::load(&crate::root());
        let is_known = |name: &str| api.constants.iter().any(|constant| constant.name == name);
        let functions = api.functions.iter().filter(|function| function.abi != "fortran");
        for class in functions.flat_map(classes) {
            assert!(is_known(class), "{class}");
        }
    }
}

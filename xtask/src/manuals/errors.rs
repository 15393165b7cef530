//! The section ERRORS of the page of a function.

use crate::api::{Function, Param};
use std::collections::BTreeSet;

/// Error classes of wrong arguments, by the kind of the parameter.
const CLASSES: [(&str, &str); 20] = [
    ("ASSERT", "MPI_ERR_ASSERT"),
    ("BUFFER", "MPI_ERR_BUFFER"),
    ("COMM", "MPI_ERR_COMM"),
    ("COUNT", "MPI_ERR_COUNT"),
    ("DATATYPE", "MPI_ERR_TYPE"),
    ("ERRHANDLER", "MPI_ERR_ERRHANDLER"),
    ("FILE", "MPI_ERR_FILE"),
    ("GROUP", "MPI_ERR_GROUP"),
    ("INFO", "MPI_ERR_INFO"),
    ("KEYVAL", "MPI_ERR_KEYVAL"),
    ("LOCK_TYPE", "MPI_ERR_LOCKTYPE"),
    ("MESSAGE", "MPI_ERR_REQUEST"),
    ("OP", "MPI_ERR_OP"),
    ("RANK", "MPI_ERR_RANK"),
    ("REQUEST", "MPI_ERR_REQUEST"),
    ("RMA_DISP", "MPI_ERR_RMA_RANGE"),
    ("SESSION", "MPI_ERR_SESSION"),
    ("TAG", "MPI_ERR_TAG"),
    ("WIN", "MPI_ERR_WIN"),
    ("DISP_UNIT", "MPI_ERR_DISP"),
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
    let mut classes: BTreeSet<&str> =
        function.params.iter().filter(given).filter_map(class).collect();
    let is_completion = matches!(function.op.as_str(), "completion" | "probe");
    let is_receive = function.name.contains("ecv") && !function.name.ends_with("_init");
    let has_statuses =
        function.params.iter().any(|parameter| parameter.name() == "array_of_statuses");
    let has_results =
        function.params.iter().any(|parameter| parameter.is_out() && parameter.kind() != "BUFFER");
    let conditions: [(bool, &[&str]); 7] = [
        (is_receive || function.op == "completion", &["MPI_ERR_TRUNCATE"]),
        (is_completion && has_statuses, &["MPI_ERR_IN_STATUS", "MPI_ERR_PENDING"]),
        (
            is_completion || function.op == "blocking" && function.area != "io",
            &["MPI_ERR_PROC_ABORTED"],
        ),
        (function.op.starts_with("rma-"), &["MPI_ERR_RMA_SYNC"]),
        (function.name == "MPI_Dims_create", &["MPI_ERR_DIMS"]),
        (function.area == "topo" && !function.name.contains("create"), &["MPI_ERR_TOPOLOGY"]),
        (has_results, &["MPI_ERR_ARG"]),
    ];
    for (_, more) in conditions.iter().filter(|(holds, _)| *holds) {
        classes.extend(*more);
    }
    classes
}

/// The class of an error in one argument.
fn class(parameter: &Param) -> Option<&'static str> {
    match (parameter.name(), parameter.kind()) {
        ("root", _) => Some("MPI_ERR_ROOT"),
        ("key", "STRING") => Some("MPI_ERR_INFO_KEY"),
        (_, kind) => CLASSES.iter().find(|(known, _)| *known == kind).map(|(_, class)| *class),
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

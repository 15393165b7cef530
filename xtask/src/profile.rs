//! What `mpiexec -profile` needs of the table of functions: the calls that are counted
//! (`crates/profile/src/calls.rs`), and the functions that count them
//! (`crates/capi/profile/src/wrappers.rs`).
//!
//! The large-count form of a function counts as the function. The tool interface, extensions, and
//! the functions that return a value are not counted.

use crate::api::{Abi, Api, Function, Param};
use crate::output::File;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub fn generate(api: &Api) -> Vec<File> {
    let functions = counted(api);
    let bases: BTreeSet<&str> = functions.keys().map(|name| base(name)).collect();
    let bases: Vec<&str> = bases.into_iter().collect();
    vec![
        File::rust("crates/profile/src/calls.rs", &calls(&bases, &functions)),
        File::rust("crates/capi/profile/src/wrappers.rs", &wrappers(&bases, &functions)),
    ]
}

/// Returns the functions that are counted, by name.
fn counted(api: &Api) -> BTreeMap<&str, &Function> {
    let is_counted = |function: &&Function| {
        function.ret == "int"
            && !function.direct
            && !function.is_tool()
            && function.name.starts_with("MPI_")
            && !function.params.iter().any(Param::is_varargs)
    };
    api.exported(Abi::Standard)
        .chain(api.exported(Abi::Mpich))
        .filter(is_counted)
        .map(|function| (function.name.as_str(), function))
        .collect()
}

/// Returns the name under which a function counts.
fn base(name: &str) -> &str {
    name.strip_suffix("_c").unwrap_or(name)
}

/// Returns the family of a call.
fn family(function: &Function) -> &'static str {
    match function.area.as_str() {
        "pt2pt" | "part" => "Messages",
        "coll" => "Collective",
        "rma" => "OneSided",
        "io" => "Files",
        _ if function.name.contains("eighbor_") => "Collective",
        _ => "Other",
    }
}

/// Returns whether a call returns when other processes have done their part.
fn waits(function: &Function) -> bool {
    let only_sends = matches!(base(&function.name), "MPI_Send" | "MPI_Ssend" | "MPI_Rsend");
    let is_start_or_end = matches!(function.area.as_str(), "init" | "session");
    let waiting = ["blocking", "completion", "probe", "rma-sync", "split-end"];
    function.loc == "nonlocal"
        && waiting.contains(&function.op.as_str())
        && !only_sends
        && !is_start_or_end
}

fn calls(bases: &[&str], functions: &BTreeMap<&str, &Function>) -> String {
    let mut text = String::from(
        "//! The calls that a profile counts, in alphabetical order.\n\nuse crate::call::{Call, \
         Family::*};\n\n/// The calls. A call is known by its place in this \
         list.\n#[rustfmt::skip]\npub const CALLS: &[Call] = &[\n",
    );
    for name in bases {
        let function = functions.get(name).expect("a large-count form has a function");
        let (family, waits) = (family(function), waits(function));
        // Writing to a String does not fail.
        let _ =
            writeln!(text, "    Call {{ name: \"{name}\", family: {family}, waits: {waits} }},");
    }
    text + "];\n"
}

fn wrappers(bases: &[&str], functions: &BTreeMap<&str, &Function>) -> String {
    let mut text = String::from(
        "//! The functions that count calls. The arguments are words; see `wrapped!`.\n\nuse \
         crate::data::{Data, Factor};\nuse crate::wrap::wrapped;\n\n#[rustfmt::skip]\nwrapped! {\n",
    );
    for (name, function) in functions {
        let place =
            bases.iter().position(|known| *known == base(name)).expect("every base is there");
        let words: Vec<String> =
            (0..function.params.len()).map(|place| format!("a{place}")).collect();
        let _ =
            writeln!(text, "    {name} P{name}({}) {place}, {};", words.join(" "), data(function));
    }
    text + "}\n"
}

/// Returns the description of the data that a call passes, as an expression of Rust.
fn data(function: &Function) -> String {
    let place =
        |names: &[&str]| function.params.iter().position(|param| names.contains(&param.name()));
    let wide = function.name != base(&function.name) || function.area == "part";
    let name = base(&function.name);
    let object = place(&["comm", "win"]);
    let described = |kind: &str, count: &[&str], datatype: &[&str], peer: &[&str]| {
        let (Some(datatype), Some(peer), Some(object)) = (place(datatype), place(peer), object)
        else {
            return "Data::Nothing".to_owned();
        };
        // A call without a count moves one element.
        let count = place(count).map_or("None".into(), |count| format!("Some({count})"));
        format!(
            "Data::{kind} {{ count: {count}, datatype: {datatype}, peer: {peer}, object: {object}, \
             wide: {wide} }}"
        )
    };
    let elements = |count: usize, datatype: usize, buffer: Option<usize>, factor: &str| {
        let Some(object) = object else { return "Data::Nothing".to_owned() };
        format!(
            "Data::Collective {{ count: {count}, datatype: {datatype}, buffer: {buffer:?}, object: \
             {object}, wide: {wide}, factor: Factor::{factor} }}"
        )
    };
    match function.area.as_str() {
        "pt2pt" | "part" if name.ends_with("end_init") => {
            let described = described("Init", &["count"], &["datatype"], &["dest"]);
            let request = function.params.len() - 1;
            let partitions =
                place(&["partitions"]).map_or("None".into(), |place| format!("Some({place})"));
            described.replace(" }", &format!(", request: {request}, partitions: {partitions} }}"))
        }
        "pt2pt" | "part" if name.ends_with("_init") => "Data::Nothing".into(),
        "pt2pt" if place(&["dest"]).is_some() => {
            described("Send", &["count", "sendcount"], &["datatype", "sendtype"], &["dest"])
        }
        "pt2pt" if place(&["source"]).is_some() && place(&["count"]).is_some() => {
            described("Receive", &["count"], &["datatype"], &["source"])
        }
        "rma" if place(&["target_rank"]).is_some() => described(
            "Access",
            &["origin_count"],
            &["origin_datatype", "datatype"],
            &["target_rank"],
        ),
        "coll" if !name.ends_with("_init") && !name.contains("eighbor_") => {
            match (
                place(&["count", "recvcount"]),
                place(&["datatype"]),
                place(&["sendcount"]),
                place(&["recvcount"]),
                place(&["sendcounts"]),
                place(&["recvcounts"]),
            ) {
                (Some(count), Some(datatype), ..) => elements(count, datatype, None, "One"),
                (None, Some(datatype), _, _, _, Some(counts)) => {
                    elements(counts, datatype, None, "Sum")
                }
                _ if name.contains("catter") => elements(
                    at(&place, "recvcount"),
                    at(&place, "recvtype"),
                    place(&["recvbuf"]),
                    "One",
                ),
                (_, _, Some(count), ..) => {
                    let factor = if name.contains("lltoall") { "Members" } else { "One" };
                    elements(count, at(&place, "sendtype"), place(&["sendbuf"]), factor)
                }
                (_, _, _, _, Some(counts), _) if place(&["sendtype"]).is_some() => {
                    elements(counts, at(&place, "sendtype"), place(&["sendbuf"]), "Sum")
                }
                (_, _, _, _, Some(counts), _) => {
                    elements(counts, at(&place, "sendtypes"), place(&["sendbuf"]), "SumOfTypes")
                }
                _ => "Data::Nothing".into(),
            }
        }
        _ => match name {
            "MPI_Start" => "Data::Start".into(),
            "MPI_Startall" => "Data::Startall".into(),
            "MPI_Wait" => "Data::Wait".into(),
            "MPI_Waitall" | "MPI_Waitany" | "MPI_Waitsome" => "Data::Waits".into(),
            "MPI_Request_free" => "Data::Free".into(),
            "MPI_Comm_free" | "MPI_Comm_disconnect" | "MPI_Win_free" | "MPI_Type_free" => {
                "Data::Forget".into()
            }
            "MPI_Init" | "MPI_Init_thread" => "Data::Begin".into(),
            "MPI_Session_init" => "Data::Session".into(),
            "MPI_Finalize" => "Data::End".into(),
            _ => "Data::Nothing".into(),
        },
    }
}

/// Returns the place of a parameter that the function has.
fn at(place: &dyn Fn(&[&str]) -> Option<usize>, name: &str) -> usize {
    place(&[name]).expect("the function has the parameter")
}

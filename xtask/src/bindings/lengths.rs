//! The lengths of arrays and strings: `api/functions.json` says which argument counts the elements.

use crate::api::{Abi, Api, Function, Param};

/// How the length of an array is known.
pub enum Length {
    /// By an expression of the other arguments, of type `i64`.
    Told(String),
    /// By the communicator: the number of its ranks, neighbours or dimensions. In the standard ABI
    /// the implementation asks it; the expression is for ABIs that convert the elements.
    OfComm(String),
}

impl Length {
    /// Returns the expression of the number of elements.
    pub fn expression(self) -> String {
        match self {
            Length::Told(expression) | Length::OfComm(expression) => expression,
        }
    }
}

/// Returns the length of an array or a string.
pub fn length(api: &Api, param: &Param, function: &Function, abi: Abi) -> Length {
    if param.name() == "array_of_errcodes" {
        // The root alone knows how many processes it asks for.
        return Length::Told("i64::MAX".into());
    }
    let len =
        param.len().unwrap_or_else(|| panic!("{}: how long is {}?", function.name, param.name()));
    if param.root_only() && len == "count" && abi != Abi::Standard {
        let count = "impls::count_at_root(to::comm(comm), to::rank(root), count)";
        return Length::Told(count.into());
    }
    if let Some(expression) = of_argument(len, function).or_else(|| of_constant(api, len, abi)) {
        return Length::Told(expression);
    }
    of_other(len, param, function)
        .unwrap_or_else(|| panic!("{}: what is the length {len}?", function.name))
}

/// Returns the value of an argument, of one behind a pointer, or of one plus 1.
fn of_argument(len: &str, function: &Function) -> Option<String> {
    let (name, more) = len.strip_suffix(" + 1").map_or((len, ""), |name| (name, " + 1"));
    let count = function.params.iter().find(|p| p.name() == name)?;
    let value = match count.ctype() {
        "MPI_Count" => name.to_owned(),
        "int*" => format!("number_at(In::new({name}))"),
        _ => format!("{name} as i64"),
    };
    Some(format!("{value}{more}"))
}

/// Returns the value of a constant such as `MPI_MAX_OBJECT_NAME`.
fn of_constant(api: &Api, len: &str, abi: Abi) -> Option<String> {
    let constant = api.constants.iter().find(|constant| constant.name == len)?;
    constant.value(abi).map(|value| value.to_string())
}

fn of_other(len: &str, param: &Param, function: &Function) -> Option<Length> {
    let comm = || {
        function.params.iter().find(|p| p.ctype() == "MPI_Comm").expect("has a communicator").name()
    };
    Some(match len.trim_end_matches("@root") {
        "comm_size(remote group if intercomm)" | "comm_size(local group)" => {
            Length::OfComm(format!("impls::peers(to::comm({}))", comm()))
        }
        "indegree" => Length::OfComm(format!("impls::indegree(to::comm({}))", comm())),
        "outdegree" => Length::OfComm(format!("impls::outdegree(to::comm({}))", comm())),
        "ndims of comm" => Length::OfComm(format!("impls::ndims(to::comm({}))", comm())),
        "count, each null-terminated" => Length::Told("count as i64".into()),
        "n,3" => Length::Told("n as i64".into()),
        "sum(degrees)" => Length::Told("sum(InSlice::new(degrees, n as i64))".into()),
        "index[nnodes-1]" => Length::Told("last(InSlice::new(index, nnodes as i64))".into()),
        _ if param.name() == "coords" => {
            Length::OfComm(format!("impls::ndims(to::comm({}))", comm()))
        }
        _ => return None,
    })
}

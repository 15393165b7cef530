//! The tables in `api/`, as the generators read them.
//!
//! `functions.json` has one C function in a line, `constants.json` one constant in a line with its
//! value in each ABI, `callbacks.json` the types of user functions, and `missing.toml` the
//! functions without an implementation, with the reason. A parameter is a short array: `[name, C
//! type, kind, direction, kind in the standard's own data, {len, …}]`.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
pub struct Function {
    pub name: String,
    pub area: String,
    /// The ABIs: `both` (the standard one, and all others), `mpich`, `openmpi`, `mpich openmpi`, or
    /// `fortran` (no C function).
    pub abi: String,
    pub large_of: Option<String>,
    pub large: Option<String>,
    /// Name of the function whose implementation a deprecated or removed function uses.
    pub same_as: Option<String>,
    /// Exported for existing programs, but in no header, so that configure scripts do not find it.
    #[serde(default)]
    pub undeclared: bool,
    /// Whether the function returns its value instead of an error code.
    #[serde(default)]
    pub direct: bool,
    #[serde(default)]
    pub ret: String,
    pub params: Vec<Param>,
    /// The chapter of MPI 5.0; 0 for an extension.
    pub chapter: u32,
    /// The version of MPI that introduced the function.
    pub since: String,
    pub deprecated_in: Option<String>,
    pub removed_in: Option<String>,
    pub replaced_by: Option<String>,
    /// Whether the call may depend on other processes: `local`, `nonlocal`, `unspecified`.
    #[serde(default)]
    pub loc: String,
    /// The class of the operation: `blocking`, `completion`, `rma-sync`, ...
    #[serde(default)]
    pub op: String,
    /// The processes that must call a collective function; none for other functions.
    pub coll: Option<String>,
    /// Whether a collective call synchronizes: `may`, `must`, ...
    pub sync: Option<String>,
    /// `true` if it may be called before MPI is initialized and after it is finalized, or a
    /// condition in words.
    pub anytime: Option<Value>,
    /// Whether the procedure is in the module `mpi_f08`.
    #[serde(default = "yes")]
    pub f08: bool,
    /// Whether the procedure is in `mpif.h` and in the module `mpi`.
    #[serde(default = "yes")]
    pub f90: bool,
}

fn yes() -> bool {
    true
}

impl Function {
    /// Returns whether the function belongs to the tool information interface.
    pub fn is_tool(&self) -> bool {
        self.name.starts_with("MPI_T_")
    }
}

#[derive(Deserialize)]
#[serde(from = "Row")]
pub struct Param {
    name: String,
    ctype: String,
    kind: String,
    direction: String,
    standard_kind: String,
    len: Option<String>,
    root_only: bool,
    asynchronous: bool,
    f08_intent: Option<String>,
    c_only: bool,
}

/// A parameter as `functions.json` writes it; the fifth entry is for the Fortran bindings.
#[derive(Deserialize)]
struct Row(String, String, String, String, String, #[serde(default)] RowExtra);

#[derive(Deserialize, Default)]
struct RowExtra {
    len: Option<String>,
    #[serde(default)]
    root_only: bool,
    #[serde(default, rename = "async")]
    asynchronous: bool,
    f08_intent: Option<String>,
    #[serde(default)]
    c_only: bool,
}

impl From<Row> for Param {
    fn from(Row(name, ctype, kind, direction, standard_kind, extra): Row) -> Param {
        Param {
            name,
            ctype,
            kind,
            direction,
            standard_kind,
            len: extra.len,
            root_only: extra.root_only,
            asynchronous: extra.asynchronous,
            f08_intent: extra.f08_intent,
            c_only: extra.c_only,
        }
    }
}

impl Param {
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The C type, with `[]` at its end for an array.
    pub fn ctype(&self) -> &str {
        &self.ctype
    }
    pub fn kind(&self) -> &str {
        &self.kind
    }
    pub fn is_out(&self) -> bool {
        self.direction == "out"
    }
    /// `in`, `out` or `inout`.
    pub fn direction(&self) -> &str {
        &self.direction
    }
    /// Whether a collective call uses the argument only at the root.
    pub fn root_only(&self) -> bool {
        self.root_only
    }
    pub fn len(&self) -> Option<&str> {
        self.len.as_deref()
    }
    /// The kind in the standard's own data, which decides the type in Fortran.
    pub fn standard_kind(&self) -> &str {
        &self.standard_kind
    }
    /// Whether the `mpi_f08` binding declares it ASYNCHRONOUS.
    pub fn is_asynchronous(&self) -> bool {
        self.asynchronous
    }
    /// The INTENT in the `mpi_f08` binding: `in`, `out`, `inout` or `none`.
    pub fn f08_intent(&self) -> &str {
        self.f08_intent.as_deref().unwrap_or(&self.direction)
    }
    /// Whether the Fortran bindings lack it.
    pub fn is_c_only(&self) -> bool {
        self.c_only || self.is_varargs()
    }
    pub fn is_varargs(&self) -> bool {
        self.name == "..."
    }
    /// Returns the parameter as C writes it: `const int ranks[]`, `MPI_Comm *newcomm`. Weights are
    /// pointers, because compilers warn about the constants for missing weights (`MPI_UNWEIGHTED`)
    /// if the parameter is an array.
    pub fn declaration(&self) -> String {
        if self.is_varargs() {
            return "...".into();
        }
        let (base, array) =
            self.ctype.find('[').map_or((self.ctype.as_str(), ""), |at| self.ctype.split_at(at));
        if self.kind == "WEIGHT" {
            return format!("{base} *{}", self.name);
        }
        let stars = base.len() - base.trim_end_matches('*').len();
        let (base, stars) = base.split_at(base.len() - stars);
        format!("{} {stars}{}{array}", base.trim_end(), self.name)
    }
}

#[derive(Deserialize)]
pub struct Constant {
    pub name: String,
    pub kind: String,
    pub ctype: Option<String>,
    pub standard: Option<Value>,
    pub mpich: Option<Value>,
    /// A number, or the name of the symbol whose address is the value.
    pub openmpi: Option<Value>,
    /// The number of a predefined handle in Open MPI's Fortran.
    pub openmpi_fortran: Option<i32>,
    pub size: Option<u32>,
    pub extent: Option<u32>,
}

impl Constant {
    pub fn standard_value(&self) -> Option<i64> {
        self.standard.as_ref().and_then(Value::as_i64)
    }
    pub fn mpich_value(&self) -> Option<i64> {
        self.mpich.as_ref().and_then(Value::as_i64)
    }
    pub fn openmpi_value(&self) -> Option<i64> {
        self.openmpi.as_ref().and_then(Value::as_i64)
    }
    /// The symbol whose address is the value in Open MPI's ABI.
    pub fn openmpi_symbol(&self) -> Option<&str> {
        self.openmpi.as_ref().and_then(Value::as_str)
    }
    /// The value in an ABI, where it is a number.
    pub fn value(&self, abi: Abi) -> Option<i64> {
        match abi {
            Abi::Standard => self.standard_value(),
            Abi::Mpich => self.mpich_value(),
            Abi::Openmpi => self.openmpi_value(),
        }
    }
    /// Returns true for a constant that only programs of the MPICH ABI know. Its standard value is
    /// an extension and is in no header of the standard ABI.
    pub fn is_extension(&self) -> bool {
        self.kind.ends_with("(extension)")
    }
    pub fn is_handle(&self) -> bool {
        self.ctype.as_deref().is_some_and(|ctype| HANDLES.contains(&ctype))
    }
}

#[derive(Deserialize)]
pub struct Callback {
    pub name: String,
    pub ret: String,
    #[serde(default)]
    pub status: String,
    pub params: Vec<Param>,
}

#[derive(Deserialize)]
struct Callbacks {
    callbacks: Vec<Callback>,
    aliases: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct MissingSection {
    reason: String,
    #[serde(rename = "try")]
    advice: String,
    functions: Vec<String>,
}

/// Why a function has no implementation, and what its callers may try.
#[derive(Clone)]
pub struct Missing {
    pub reason: String,
    pub advice: String,
}

/// The handle types of the C binding.
pub const HANDLES: [&str; 11] = [
    "MPI_Comm",
    "MPI_Datatype",
    "MPI_Errhandler",
    "MPI_File",
    "MPI_Group",
    "MPI_Info",
    "MPI_Message",
    "MPI_Op",
    "MPI_Request",
    "MPI_Session",
    "MPI_Win",
];

/// The handle types of the tool interface, which are pointers in both ABIs.
pub const TOOL_HANDLES: [&str; 6] = [
    "MPI_T_enum",
    "MPI_T_cvar_handle",
    "MPI_T_pvar_handle",
    "MPI_T_pvar_session",
    "MPI_T_event_registration",
    "MPI_T_event_instance",
];

pub struct Api {
    pub root: PathBuf,
    pub functions: Vec<Function>,
    pub constants: Vec<Constant>,
    pub callbacks: Vec<Callback>,
    pub callback_aliases: Vec<(String, String)>,
    /// The functions without an implementation.
    pub missing: BTreeMap<String, Missing>,
}

impl Api {
    pub fn load(root: &Path) -> Api {
        let text = |name: &str| {
            let path = root.join("api").join(name);
            std::fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let functions: Vec<Function> =
            serde_json::from_str(&text("functions.json")).expect("api/functions.json");
        let constants = serde_json::from_str(&text("constants.json")).expect("api/constants.json");
        let callbacks: Callbacks =
            serde_json::from_str(&text("callbacks.json")).expect("api/callbacks.json");
        let sections: BTreeMap<String, MissingSection> =
            toml::from_str(&text("missing.toml")).expect("api/missing.toml");
        let mut missing = BTreeMap::new();
        for MissingSection { reason, advice, functions: names } in sections.into_values() {
            let section = Missing { reason, advice };
            for name in names {
                assert!(
                    functions.iter().any(|f| f.name == name),
                    "api/missing.toml names {name}, which is no function"
                );
                assert!(
                    missing.insert(name.clone(), section.clone()).is_none(),
                    "api/missing.toml names {name} twice"
                );
            }
        }
        Api {
            root: root.into(),
            functions,
            constants,
            callbacks: callbacks.callbacks,
            callback_aliases: callbacks.aliases,
            missing,
        }
    }

    pub fn function(&self, name: &str) -> &Function {
        self.functions
            .iter()
            .find(|f| f.name == name)
            .unwrap_or_else(|| panic!("{name} is not in api/functions.json"))
    }

    /// Returns the C functions that an ABI exports.
    pub fn exported(&self, abi: Abi) -> impl Iterator<Item = &Function> {
        self.functions
            .iter()
            .filter(move |f| f.abi.split(' ').any(|word| word == "both" || word == abi.word()))
    }

    /// Returns the function that has the name and the parameters of the shared implementation:
    /// `MPI_Send` for `MPI_Send_c`, `MPI_Comm_get_attr` for `MPI_Attr_get`.
    pub fn impl_of<'a>(&'a self, function: &'a Function) -> &'a Function {
        match function.same_as.as_ref().or(function.large_of.as_ref()) {
            Some(name) => self.function(name),
            None => function,
        }
    }

    /// Returns why the function has no implementation. A large-count form and an alias have the
    /// reason of their function.
    pub fn missing(&self, function: &Function) -> Option<&Missing> {
        let implementation = self.impl_of(function);
        self.missing.get(&function.name).or_else(|| self.missing.get(&implementation.name))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Abi {
    Standard,
    Mpich,
    Openmpi,
}

impl Abi {
    /// The ABI's word in `functions.json`.
    fn word(self) -> &'static str {
        match self {
            Abi::Standard => "standard",
            Abi::Mpich => "mpich",
            Abi::Openmpi => "openmpi",
        }
    }
}

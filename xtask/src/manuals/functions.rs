//! Section 3: one page for each C function of MPI, with its large-count form.
//!
//! `api/functions.json` gives the synopsis and the facts, `api/descriptions.json` the purpose and
//! the description, `api/parameters.json` the meaning of parameters. Conversions of handles,
//! persistent and non-blocking forms of collectives, and former names of functions are described by
//! patterns.

use super::prose::{self, Known};
use super::{DATE, errors, read};
use crate::api::{Api, Function, Missing, Param};
use crate::fortran;
use crate::output::File;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Titles of the chapters of MPI 5.0.
const CHAPTERS: [(u32, &str); 17] = [
    (3, "Point-to-Point Communication"),
    (4, "Partitioned Point-to-Point Communication"),
    (5, "Datatypes"),
    (6, "Collective Communication"),
    (7, "Groups, Contexts, Communicators, and Caching"),
    (8, "Virtual Topologies for MPI Processes"),
    (9, "MPI Environmental Management"),
    (10, "The Info Object"),
    (11, "Process Initialization, Creation, and Management"),
    (12, "One-Sided Communications"),
    (13, "External Interfaces"),
    (14, "I/O"),
    (15, "Tool Support"),
    (16, "Deprecated Interfaces"),
    (17, "Removed Interfaces"),
    (19, "Language Bindings"),
    (20, "Application Binary Interface (ABI)"),
];

/// Words of names whose functions belong together.
const PAIRS: [(&str, &str); 28] = [
    ("_accept", "_connect"),
    ("_add", "_diff"),
    ("_alloc", "_free"),
    ("_attach", "_detach"),
    ("_begin", "_end"),
    ("_c2f", "_f2c"),
    ("_class", "_string"),
    ("_create", "_free"),
    ("_delete", "_set"),
    ("_excl", "_incl"),
    ("_fromint", "_toint"),
    ("_get", "_set"),
    ("_get_num", "_get_info"),
    ("_init", "_finalize"),
    ("_lock", "_unlock"),
    ("_post", "_wait"),
    ("_rank", "_size"),
    ("_read", "_write"),
    ("_start", "_complete"),
    ("_start", "_stop"),
    ("_union", "_difference"),
    ("_union", "_intersection"),
    ("Open", "Close"),
    ("Pack", "Unpack"),
    ("Put", "Get"),
    ("Send", "Recv"),
    ("Wait", "Test"),
    ("send", "recv"),
];

/// A page refers to the functions whose descriptions name its function if they are at most these.
const NAMED_BY_MAX: usize = 6;

/// What pages are made of.
pub struct Texts {
    /// Function, purpose and description.
    descriptions: BTreeMap<String, (String, String)>,
    /// Parameter, or function and parameter with a dot between, and meaning.
    parameters: BTreeMap<String, String>,
}

impl Texts {
    pub fn load(api: &Api) -> Texts {
        let table = |name: &str| read(&api.root.join("api").join(name));
        let texts = Texts {
            descriptions: serde_json::from_str(&table("descriptions.json"))
                .expect("api/descriptions.json"),
            parameters: serde_json::from_str(&table("parameters.json"))
                .expect("api/parameters.json"),
        };
        for name in texts.descriptions.keys() {
            api.function(name);
        }
        texts
    }

    /// The purpose and the description of a function, from the table or by a pattern.
    fn describe(&self, function: &Function) -> (String, String) {
        let name = function.name.as_str();
        if let Some((purpose, text)) = self.descriptions.get(name) {
            return (purpose.clone(), text.clone());
        }
        if let Some(other) = &function.same_as {
            let (purpose, _) = &self.descriptions[other];
            let today = function.replaced_by.as_ref().unwrap_or(other);
            let text = format!("This is a former form of {today}, which programs should call.");
            return (purpose.clone(), text);
        }
        if let Some(conversion) = conversion(name) {
            return conversion;
        }
        let base = base(name);
        let (purpose, text) = base
            .as_ref()
            .and_then(|base| self.descriptions.get(base))
            .unwrap_or_else(|| panic!("api/descriptions.json lacks {name}"));
        let base = base.unwrap_or_default();
        if name.ends_with("_init") {
            let text = format!(
                "Makes a persistent request for {base}. MPI_Start starts the operation, and \
                 MPI_Wait or a relative completes it. {text}"
            );
            return (format!("{purpose}, persistent"), text);
        }
        let text = format!(
            "Begins {base} and gives a request. The buffers must not be used before MPI_Wait or a \
             relative has completed it. {text}"
        );
        (format!("{purpose}, non-blocking"), text)
    }

    /// The meaning of a parameter: that of the function, of its base, of the function with the same
    /// implementation, or that of the name.
    fn meaning(&self, function: &Function, parameter: &Param) -> &str {
        let name = parameter.name();
        if name == "status" && parameter.kind() == "STATUS" && !parameter.is_out() {
            return "status of an operation";
        }
        let plain = function.large_of.as_deref().unwrap_or(&function.name);
        let other = function.same_as.as_deref().unwrap_or_default();
        let [base_of_plain, base_of_other] =
            [plain, other].map(|name| base(name).unwrap_or_default());
        [plain, &base_of_plain, other, &base_of_other]
            .map(|function| format!("{function}.{name}"))
            .iter()
            .chain([&name.to_owned()])
            .find_map(|key| self.parameters.get(key))
            .unwrap_or_else(|| panic!("api/parameters.json lacks {name} of {}", function.name))
    }
}

/// The blocking function of a non-blocking or persistent one: `MPI_Bcast` of `MPI_Ibcast`.
fn base(name: &str) -> Option<String> {
    if let Some(base) = name.strip_suffix("_init") {
        return Some(base.into());
    }
    let rest = name.strip_prefix("MPI_I")?;
    let mut letters = rest.chars();
    let first = letters.next()?.to_uppercase();
    Some(format!("MPI_{first}{}", letters.as_str()))
}

/// The purpose and the description of a conversion between handles and integers.
fn conversion(name: &str) -> Option<(String, String)> {
    let (object, way) = name.strip_prefix("MPI_")?.rsplit_once('_')?;
    let object = match object {
        "Comm" => "communicator",
        "Errhandler" => "error handler",
        "Op" => "reduction operation",
        "Type" => "datatype",
        "Win" => "window",
        "Info" => "info object",
        "File" | "Group" | "Message" | "Request" | "Session" => &object.to_lowercase(),
        _ => return None,
    };
    let (purpose, text) = match way {
        "toint" => (
            format!("convert the handle of a {object} to an integer"),
            "Returns an integer for the handle: the value in the standard for a predefined one, \
             and for others a number that stays valid until the object is freed.",
        ),
        "fromint" => (
            format!("convert an integer to the handle of a {object}"),
            "Returns the handle that gave the integer.",
        ),
        "c2f" => (
            format!("convert the handle of a {object} to Fortran"),
            "Returns the integer by which Fortran knows the object.",
        ),
        "f2c" => (
            format!("convert the handle of a {object} from Fortran"),
            "Returns the handle of the object that Fortran knows by the integer.",
        ),
        _ => return None,
    };
    let article = ["a error", "a info"];
    let purpose = article
        .iter()
        .fold(purpose, |text, wrong| text.replace(wrong, &wrong.replacen("a ", "an ", 1)));
    Some((purpose, text.into()))
}

/// The pages of all C functions, and the links for large-count forms.
pub fn pages(api: &Api) -> (Vec<File>, Vec<(String, String)>) {
    let texts = Texts::load(api);
    let known = Known::new(api);
    let functions = || api.functions.iter().filter(|function| function.abi != "fortran");
    let plain = functions().filter(|function| function.large_of.is_none());
    let pages = plain.map(|function| File {
        path: format!("{}.3", function.name),
        text: page(api, &texts, &known, function),
    });
    let links = functions().filter_map(|function| {
        let base = function.large_of.as_ref()?;
        Some((format!("{}.3", function.name), format!("{base}.3")))
    });
    (pages.collect(), links.collect())
}

fn page(api: &Api, texts: &Texts, known: &Known, function: &Function) -> String {
    let name = &function.name;
    let large = function.large.as_ref().map(|large| api.function(large));
    let (purpose, description) = texts.describe(function);
    let names = match large {
        Some(large) => format!(".Nm {name} ,\n.Nm {}", large.name),
        None => format!(".Nm {name}"),
    };
    let mut text = format!(
        ".Dd {DATE}\n.Dt {} 3\n.Os Nemesis\n.Sh NAME\n{names}\n.Nd {purpose}\n.Sh LIBRARY\n{}\n\
         .Sh SYNOPSIS\n.In mpi.h\n",
        name.to_uppercase(),
        library(function)
    );
    for form in std::iter::once(function).chain(large) {
        text += &synopsis(form);
    }
    text += &fortran::synopsis(api, function);
    text += &parameters(texts, known, function, large);
    text += &format!(".Sh DESCRIPTION\n{}", absence(api, function));
    text += &known.mdoc(&description, function);
    if function.area == "conv" {
        text += IN_HEADER;
    }
    text += &facts(known, function, large.is_some());
    text += &callbacks(api, std::iter::once(function).chain(large));
    text += &errors::section(function);
    let references = references(texts, api, known, function);
    text += &format!(".Sh SEE ALSO\n{references}.Xr nemesis 7\n");
    text + &standards(known, function)
}

/// Where the conversions between C and Fortran are.
const IN_HEADER: &str = "\
.Pp
The standard ABI does not have this function.
Its
.In mpi.h
defines it in each program by functions that the ABI has, so that the program runs with any library
that has this ABI.
A program that defines
.Dv NEMESIS_CONVERSIONS_IN_LIBRARY
before it includes the header uses the function that
.Pa libmpi_abi.so.1
of Nemesis exports.
";

fn library(function: &Function) -> &'static str {
    match function.abi.as_str() {
        "mpich" => "libmpi.so.12 (the ABI of MPICH)",
        "openmpi" => "libmpi.so.40 (the ABI of Open MPI)",
        "mpich openmpi" => "libmpi.so.12 (the ABI of MPICH) and libmpi.so.40 (that of Open MPI)",
        _ => {
            "libmpi_abi.so.1 (the standard ABI), libmpi.so.12 (the ABI of MPICH) and libmpi.so.40 \
             (that of Open MPI)"
        }
    }
}

fn synopsis(function: &Function) -> String {
    let mut text = format!(".Ft {}\n.Fo {}\n", function.ret, function.name);
    for parameter in &function.params {
        text += &format!(".Fa \"{}\"\n", parameter.declaration());
    }
    if function.params.is_empty() {
        text += ".Fa void\n";
    }
    text + ".Fc\n"
}

fn parameters(
    texts: &Texts,
    known: &Known,
    function: &Function,
    large: Option<&Function>,
) -> String {
    if function.params.is_empty() {
        return String::new();
    }
    let mut text = ".Sh PARAMETERS\n.Bl -tag -width Ds\n".to_owned();
    let mut item = |owner: &Function, parameter: &Param, form: &str| {
        let root = if parameter.root_only() { ", significant only at the root" } else { "" };
        let space = space(owner, parameter);
        let meaning = format!("{}{root}{space}{form}", texts.meaning(owner, parameter));
        let name = if parameter.is_varargs() { "..." } else { parameter.name() };
        text += &format!(".It Fa {name} Pq {}\n", parameter.direction());
        text += &known.mdoc(&prose::capital(&meaning), owner);
    };
    for parameter in &function.params {
        item(function, parameter, "");
    }
    if let Some(large) = large {
        let is_new = |parameter: &&Param| {
            function.params.iter().all(|other| other.name() != parameter.name())
        };
        for parameter in large.params.iter().filter(is_new) {
            item(large, parameter, "; only in the large-count form");
        }
    }
    text + ".El\n"
}

/// The number of entries of an array, if a parameter or a constant tells it.
fn space(function: &Function, parameter: &Param) -> String {
    match parameter.len() {
        Some(constant) if constant.starts_with("MPI_MAX_") => {
            format!("; space for {constant} characters")
        }
        Some(length) if function.params.iter().any(|other| other.name() == length) => {
            format!("; `{length}` entries")
        }
        _ => String::new(),
    }
}

/// What a page says first of a function that is not implemented.
fn absence(api: &Api, function: &Function) -> String {
    let Some(Missing { reason, advice }) = api.missing(function) else {
        return String::new();
    };
    format!(
        ".Sy Not implemented :\n{reason}.\nThe function exists and gives\n\
         .Dv MPI_ERR_UNSUPPORTED_OPERATION .\nTry this instead: {advice}.\n.Pp\n"
    )
}

/// The types of the functions that the program passes, each once.
fn callbacks<'a>(api: &Api, forms: impl Iterator<Item = &'a Function>) -> String {
    let types: BTreeSet<&str> = forms
        .flat_map(|form| &form.params)
        .map(|parameter| parameter.ctype().trim_end_matches('*'))
        .collect();
    let used = api.callbacks.iter().filter(|callback| types.contains(callback.name.as_str()));
    let listed: String = used
        .map(|callback| {
            let parameters: Vec<String> =
                callback.params.iter().map(|parameter| parameter.declaration()).collect();
            let parameters = parameters.join(",\n    ");
            format!("typedef {} {}(\n    {parameters});\n", callback.ret, callback.name)
        })
        .collect();
    match listed.as_str() {
        "" => String::new(),
        _ => format!(".Pp\nTypes of functions:\n.Bd -literal -offset indent\n{listed}.Ed\n"),
    }
}

/// Who must call, whether the call waits, and the large-count form.
fn facts(known: &Known, function: &Function, has_large: bool) -> String {
    let mut sentences = Vec::new();
    let who = match function.coll.as_deref() {
        None => None,
        Some("comm") => Some("All processes of the communicator must call it"),
        Some("file group") => Some("All processes that have the file open must call it"),
        Some("win group") => Some("All processes of the window must call it"),
        Some("group") => Some("All processes of the group must call it"),
        Some("local+remote groups") => Some("All processes of both groups must call it"),
        Some("MPI_COMM_WORLD") => Some("All processes of the job must call it"),
        Some("all connected processes") => Some("All connected processes must call it"),
        Some("connected processes of the session") => {
            Some("All processes that the session has connected must call it")
        }
        Some("comm?") => Some("Processes of the communicator should call it together"),
        Some(other) => panic!("{}: the set of callers {other} has no sentence", function.name),
    };
    if let Some(who) = who {
        let wait = match function.sync.as_deref() {
            Some("must") => ", and it waits for all of them",
            Some("may") => ", and it may wait for the others",
            Some("must-if-data") => ", and it waits for the data of the others",
            Some("must unless MPI_MODE_NOPRECEDE") => {
                ", and it waits for all of them unless MPI_MODE_NOPRECEDE is given"
            }
            Some("must unless no_locks") => {
                ", and it waits for all of them unless the window has the hint no_locks"
            }
            _ => "",
        };
        sentences.push(format!("{who}{wait}."));
    } else if !function.direct && !function.is_tool() {
        match function.loc.as_str() {
            "local" => sentences.push("The call does not wait for other processes.".into()),
            "nonlocal" => sentences.push("The call may wait for other processes.".into()),
            _ => {}
        }
    }
    if function.anytime == Some(Value::Bool(true)) && !function.is_tool() {
        let text = "It may be called at any time, also before MPI is initialized and after it has \
                    been finalized.";
        sentences.push(text.into());
    }
    if has_large {
        let text = "The form with _c takes counts that exceed the range of int.";
        sentences.push(text.into());
    }
    if function.undeclared {
        let text = "It is exported for existing programs; the header does not declare it.";
        sentences.push(text.into());
    }
    if sentences.is_empty() {
        return String::new();
    }
    format!(".Pp\n{}", known.mdoc(&sentences.join(" "), function))
}

/// References to the other forms of a function, to its partners, to the functions that its
/// description names, and to those whose descriptions name it, if these are few.
fn references(texts: &Texts, api: &Api, known: &Known, function: &Function) -> String {
    let name = function.name.as_str();
    let root = |name: &str| base(name).unwrap_or_else(|| name.into());
    let own = root(name);
    let forms = api.functions.iter().filter(|other| {
        other.large_of.is_none() && (root(&other.name) == own || other.name == own)
    });
    let (_, description) = texts.describe(function);
    let mut names: BTreeSet<&str> = forms.map(|other| other.name.as_str()).collect();
    names.extend(known.functions_in(&description));
    names.extend(function.same_as.as_deref());
    names.extend(function.replaced_by.as_deref().map(|other| other.trim_end_matches("_c")));
    names.extend(known.partners(name, &PAIRS));
    let described = texts.descriptions.iter();
    let naming: Vec<&str> = described
        .filter(|(_, (_, text))| known.functions_in(text).any(|word| word == name))
        .map(|(other, _)| other.as_str())
        .collect();
    if naming.len() <= NAMED_BY_MAX {
        names.extend(naming);
    }
    names.remove(name);
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_key(|name| name.to_lowercase());
    names.into_iter().map(|name| format!(".Xr {name} 3 ,\n")).collect()
}

fn standards(known: &Known, function: &Function) -> String {
    if function.chapter == 0 {
        return ".Sh STANDARDS\nAn extension of MPICH, not part of the standard.\n".into();
    }
    let (_, title) = CHAPTERS
        .iter()
        .find(|(number, _)| *number == function.chapter)
        .unwrap_or_else(|| panic!("chapter {} has no title", function.chapter));
    let mut text = format!(
        "MPI 5.0, chapter {}, {title}. The function exists since MPI {}.",
        function.chapter, function.since
    );
    if let Some(version) = &function.deprecated_in {
        text += &format!(" It is deprecated since MPI {version}");
        if let Some(version) = &function.removed_in {
            text += &format!(" and removed since MPI {version}");
        }
        if let Some(other) = &function.replaced_by {
            text += &format!("; {other} replaces it");
        }
        text.push('.');
    }
    format!(".Sh STANDARDS\n{}", known.mdoc(&text, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_a_page() {
        let api = Api::load(&crate::root());
        let (pages, links) = pages(&api);
        let functions = api.functions.iter().filter(|function| function.abi != "fortran").count();
        assert_eq!(pages.len() + links.len(), functions);
    }

    #[test]
    fn every_text_of_a_parameter_is_used() {
        let api = Api::load(&crate::root());
        let named: BTreeSet<String> = api
            .functions
            .iter()
            .flat_map(|function| {
                let names = function.params.iter().map(Param::name);
                names.flat_map(|name| [name.into(), format!("{}.{name}", function.name)])
            })
            .collect();
        let texts = Texts::load(&api);
        let unused: Vec<_> =
            texts.parameters.keys().filter(|name| !named.contains(*name)).collect();
        assert!(
            unused.is_empty(),
            "api/parameters.json describes what no function has: {unused:?}"
        );
    }

    #[test]
    fn every_name_in_a_text_is_a_function_or_a_constant() {
        let api = Api::load(&crate::root());
        let texts = Texts::load(&api);
        let described = texts.descriptions.values().map(|(_, text)| text);
        let names = described.chain(texts.parameters.values()).flat_map(|text| {
            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .filter(|word| word.starts_with("MPI_"))
        });
        for name in names {
            // "An MPI_T_SCOPE constant" names several.
            let is_constant = api.constants.iter().any(|constant| constant.name.starts_with(name));
            let is_function = api.functions.iter().any(|function| function.name == name);
            let is_field = ["MPI_SOURCE", "MPI_TAG", "MPI_ERROR"].contains(&name);
            assert!(is_constant || is_function || is_field, "{name}");
        }
    }

    #[test]
    fn other_forms_have_a_base() {
        assert_eq!(base("MPI_Ibcast").as_deref(), Some("MPI_Bcast"));
        assert_eq!(base("MPI_Bcast_init").as_deref(), Some("MPI_Bcast"));
        assert_eq!(base("MPI_Send"), None);
    }

    #[test]
    fn conversions_are_described_by_a_pattern() {
        let (purpose, _) = conversion("MPI_Info_toint").unwrap();
        assert_eq!(purpose, "convert the handle of an info object to an integer");
        assert!(conversion("MPI_Status_f2c").is_none());
    }
}

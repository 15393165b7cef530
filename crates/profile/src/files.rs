//! The files of a profile in its folder.

use crate::job::Profile;
use crate::{json, page, trace};
use std::io;
use std::path::{Path, PathBuf};

const PAGE: &str = "profile.html";
const FIGURES: &str = "profile.json";
const TRACE: &str = "trace.json";

/// Writes the files of a profile to a folder, which is made if it does not exist. Returns the path
/// of the page and, `with_trace`, that of the trace.
///
/// # Errors
///
/// Returns the file or folder that cannot be written, and why.
pub fn write(
    profile: &Profile,
    folder: &Path,
    with_trace: bool,
) -> Result<(PathBuf, Option<PathBuf>), (PathBuf, io::Error)> {
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| (path.clone(), error))?;
        Ok(path)
    };
    std::fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error))?;
    let page = put(PAGE, page::page(profile))?;
    put(FIGURES, json::json(profile))?;
    let trace = with_trace.then(|| put(TRACE, trace::trace(profile))).transpose()?;
    Ok((page, trace))
}

/// Tries whether files can be written to a folder, which is made if it does not exist.
///
/// # Errors
///
/// Returns the file or folder that cannot be written, and why.
pub fn try_folder(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let path = folder.join(format!(".{PAGE}.{}", std::process::id()));
    std::fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error))?;
    std::fs::write(&path, "").map_err(|error| (path.clone(), error))?;
    std::fs::remove_file(&path).map_err(|error| (path, error))
}

#[cfg(test)]
mod tests {
    use super::{try_folder, write};
    use crate::job::tests::example;

    #[test]
    fn files_are_written() {
        let folder = std::env::temp_dir().join(format!("nemesis-profile-{}", std::process::id()));
        try_folder(&folder).unwrap();
        assert!(std::fs::read_dir(&folder).unwrap().next().is_none(), "nothing is left");
        let (page, trace) = write(&example(), &folder.join("deep"), true).unwrap();
        assert!(page.is_file() && trace.is_some_and(|trace| trace.is_file()));
        assert!(write(&example(), &page, false).is_err(), "a file is no folder");
        assert!(try_folder(&page).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}

//! Where things are: the checkout, what is built, other launchers.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The root of the checkout.
pub fn root() -> PathBuf {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate lies in the repository").to_path_buf()
}

/// Whether the build without optimisation is tested.
static IS_DEBUG: OnceLock<()> = OnceLock::new();

/// From now on the build without optimisation is tested.
pub fn use_debug() {
    let _ = IS_DEBUG.set(());
}

/// The folder of the build: `NEMESIS_BUILT`, or target/release.
pub fn built() -> PathBuf {
    let profile = if IS_DEBUG.get().is_some() { "debug" } else { "release" };
    std::env::var_os("NEMESIS_BUILT").map_or_else(|| target().join(profile), PathBuf::from)
}

/// The folder of all builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The folder into which `nemesis bench --rivals` installs other libraries.
pub fn rivals() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| {
        PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache")
    });
    cache.join("nemesis/rivals")
}

/// MPICH's launcher: `HYDRA`, or that of the rivals, if it is there.
pub fn hydra() -> Option<PathBuf> {
    let named = std::env::var_os("HYDRA").map(PathBuf::from);
    Some(named.unwrap_or_else(|| rivals().join("mpich/bin/mpiexec.hydra")))
        .filter(|path| path.exists())
}

/// Whether this user is root.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether namespaces may be made: `options` are those of unshare(1).
pub fn may_unshare(options: &[&str]) -> bool {
    succeeds(Command::new("unshare").args(options).arg("true"))
}

/// Ends the case unless this user is root and may make mount namespaces.
pub fn needs_root() {
    if !is_root() || !may_unshare(&["--mount"]) {
        crate::skip("it needs root and namespaces");
    }
}

/// Ends the case unless the program is on PATH, or where administrators' programs are.
pub fn needs(program: &str) {
    if find(program).is_none() {
        crate::skip(format!("{program} is not installed"));
    }
}

/// Returns the path of a program.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    path.split(':').map(|folder| PathBuf::from(folder).join(program)).find(|path| path.is_file())
}

/// Runs a command without output. Returns whether it succeeds.
pub fn succeeds(command: &mut Command) -> bool {
    use std::process::Stdio;
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Runs a command and returns its output, of both kinds.
pub fn output_of(command: &mut Command) -> String {
    let output = command.stdin(std::process::Stdio::null()).output();
    output.map_or_else(
        |why| why.to_string(),
        |output| {
            String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr)
        },
    )
}

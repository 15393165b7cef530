//! Errors of the kernel as errors of MPI (MPI 5.0 §14.7).

use crate::abi;
use crate::error::{Error, ErrorClass};
use nemesis_sys::descriptors;
use nemesis_sys::file::Errno;

/// Returns the class of an error that the kernel reports for a file.
pub fn class_of(errno: Errno) -> ErrorClass {
    match errno {
        Errno::ACCESS | Errno::PERM => abi::MPI_ERR_ACCESS,
        Errno::NOENT | Errno::NXIO | Errno::NODEV => abi::MPI_ERR_NO_SUCH_FILE,
        Errno::EXIST => abi::MPI_ERR_FILE_EXISTS,
        Errno::ROFS => abi::MPI_ERR_READ_ONLY,
        Errno::NOTDIR | Errno::ISDIR | Errno::LOOP | Errno::NAMETOOLONG => abi::MPI_ERR_BAD_FILE,
        Errno::NOSPC | Errno::FBIG => abi::MPI_ERR_NO_SPACE,
        Errno::DQUOT => abi::MPI_ERR_QUOTA,
        Errno::TXTBSY | Errno::BUSY => abi::MPI_ERR_FILE_IN_USE,
        Errno::BADF => abi::MPI_ERR_FILE,
        Errno::FAULT => abi::MPI_ERR_BUFFER,
        Errno::OPNOTSUPP | Errno::SPIPE => abi::MPI_ERR_UNSUPPORTED_OPERATION,
        _ => abi::MPI_ERR_IO,
    }
}

/// Returns the error of an action on a file that the kernel refused.
#[cold]
pub fn refused(action: &str, name: &str, errno: Errno) -> Box<Error> {
    let why = format!("{action} {name:?} failed: {errno}");
    if descriptors::are_exhausted(errno) {
        let why = format!("{why}: {}", descriptors::limit_in_words(errno));
        return Error::new(class_of(errno), why).advise(
            "close files that are not needed any more, or raise the limit: `ulimit -n`, and \
             `ulimit -Hn` for its upper bound",
        );
    }
    let error = Error::new(class_of(errno), why);
    match errno {
        Errno::FBIG => error.advise(
            "raise the limit of file sizes (`ulimit -f`), or compare the size with the largest one \
             of the file system",
        ),
        Errno::ROFS => error.advise("use another file system, or mount this one for writing"),
        Errno::ISDIR => error.advise("name a file, this is a folder"),
        Errno::NOTDIR => error.advise("compare the folders of the path: one of them is a file"),
        Errno::LOOP => error.advise("repair the symbolic links of the path: `namei -l` shows them"),
        Errno::NAMETOOLONG => error.advise(
            "use a shorter path: most file systems take 255 bytes for a name and 4095 for a path",
        ),
        Errno::FAULT => error.advise(
            "compare buffer, count and datatype with the memory that the program has allocated",
        ),
        Errno::NOSPC => error.advise("free space on the file system, or write elsewhere"),
        Errno::DQUOT => error.advise("delete files, or ask for a larger quota"),
        Errno::STALE => error.advise(
            "another process has deleted or replaced the file: open it again, if it exists",
        ),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_fits_the_cause() {
        for (errno, class, word) in [
            (Errno::ISDIR, abi::MPI_ERR_BAD_FILE, "folder"),
            (Errno::NOTDIR, abi::MPI_ERR_BAD_FILE, "is a file"),
            (Errno::LOOP, abi::MPI_ERR_BAD_FILE, "links"),
            (Errno::NAMETOOLONG, abi::MPI_ERR_BAD_FILE, "shorter"),
            (Errno::ROFS, abi::MPI_ERR_READ_ONLY, "mount"),
            (Errno::FBIG, abi::MPI_ERR_NO_SPACE, "ulimit"),
            (Errno::FAULT, abi::MPI_ERR_BUFFER, "buffer"),
            (Errno::MFILE, abi::MPI_ERR_IO, "`ulimit -n`"),
            (Errno::NFILE, abi::MPI_ERR_IO, "close files"),
        ] {
            let error = refused("opening", "x.dat", errno);
            assert_eq!(error.class, class);
            assert!(error.advice.contains(word), "{errno}: {}", error.advice);
        }
    }

    #[test]
    fn classes_of_the_standard_stand_for_errors_of_the_kernel() {
        for (errno, class) in [
            (Errno::NOENT, abi::MPI_ERR_NO_SUCH_FILE),
            (Errno::EXIST, abi::MPI_ERR_FILE_EXISTS),
            (Errno::ACCESS, abi::MPI_ERR_ACCESS),
            (Errno::PERM, abi::MPI_ERR_ACCESS),
            (Errno::TXTBSY, abi::MPI_ERR_FILE_IN_USE),
            (Errno::BADF, abi::MPI_ERR_FILE),
            (Errno::SPIPE, abi::MPI_ERR_UNSUPPORTED_OPERATION),
            (Errno::IO, abi::MPI_ERR_IO),
        ] {
            assert_eq!(class_of(errno), class, "{errno}");
        }
    }

    #[test]
    fn a_full_disk_is_told_from_other_failures() {
        assert_eq!(class_of(Errno::NOSPC), abi::MPI_ERR_NO_SPACE);
        assert_eq!(class_of(Errno::DQUOT), abi::MPI_ERR_QUOTA);
        assert_eq!(class_of(Errno::STALE), abi::MPI_ERR_IO);
        assert!(refused("reading", "x.dat", Errno::STALE).advice.contains("open it again"));
        let error = refused("writing", "x.dat", Errno::NOSPC);
        assert!(error.why.starts_with("writing \"x.dat\" failed: No space left"), "{}", error.why);
    }
}

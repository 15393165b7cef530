//! What to try after an error that brings no advice of its own.

use crate::abi;
use crate::error_class::ErrorClass;

/// Returns what helps against most errors of a class. Never empty.
pub fn usual(class: ErrorClass) -> &'static str {
    match class {
        abi::MPI_ERR_BUFFER => "give each operation a buffer of its own that is not null",
        abi::MPI_ERR_COUNT | abi::MPI_ERR_SIZE => {
            "print the count before the call: a variable is not set, or its sum has overflowed"
        }
        abi::MPI_ERR_TYPE => "commit the datatype with MPI_Type_commit, and free it after its use",
        abi::MPI_ERR_TAG => "use tags from 0 to MPI_TAG_UB, and MPI_ANY_TAG only to receive",
        abi::MPI_ERR_RANK => {
            "compare the rank with MPI_Comm_size of this communicator; \
             MPI_PROC_NULL stands for no process"
        }
        abi::MPI_ERR_ROOT => "give all processes the same root, a rank of this communicator",
        abi::MPI_ERR_COMM
        | abi::MPI_ERR_REQUEST
        | abi::MPI_ERR_GROUP
        | abi::MPI_ERR_WIN
        | abi::MPI_ERR_FILE
        | abi::MPI_ERR_SESSION
        | abi::MPI_ERR_ERRHANDLER
        | abi::MPI_ERR_INFO
        | abi::MPI_ERR_KEYVAL => {
            "print the handle after the call that makes it and before this one"
        }
        abi::MPI_ERR_OP => "use an operation that is defined for this datatype (MPI 5.0 §6.9.2)",
        abi::MPI_ERR_TOPOLOGY => "make the communicator with MPI_Cart_create or a graph function",
        abi::MPI_ERR_DIMS => "compare the product of the dimensions with the number of processes",
        abi::MPI_ERR_TRUNCATE => {
            "give the receive the size of the message: MPI_Probe and MPI_Get_count tell it"
        }
        abi::MPI_ERR_RMA_RANGE | abi::MPI_ERR_DISP => {
            "compare displacement, unit and length with the size of the target's window or file"
        }
        abi::MPI_ERR_RMA_SYNC => {
            "open an epoch before the access, and close it before the window is freed"
        }
        abi::MPI_ERR_RMA_ATTACH => "attach memory once, and detach what is attached",
        abi::MPI_ERR_RMA_CONFLICT => "let accesses to one place follow each other in epochs",
        abi::MPI_ERR_RMA_SHARED | abi::MPI_ERR_RMA_FLAVOR => {
            "make the window with MPI_Win_allocate_shared, on a communicator of one host"
        }
        abi::MPI_ERR_LOCKTYPE => "use MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE",
        abi::MPI_ERR_ASSERT => "use 0, which is always valid",
        abi::MPI_ERR_BASE => "give the window memory that this process owns as long as it exists",
        abi::MPI_ERR_NO_MEM => "use less memory for each process, or fewer processes on this host",
        abi::MPI_ERR_INFO_KEY | abi::MPI_ERR_INFO_NOKEY | abi::MPI_ERR_INFO_VALUE => {
            "compare key and value with those that nemesis(7) lists"
        }
        abi::MPI_ERR_ACCESS | abi::MPI_ERR_READ_ONLY => {
            "compare the permissions of the file and its folder with the mode of MPI_File_open"
        }
        abi::MPI_ERR_AMODE => "use one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR",
        abi::MPI_ERR_BAD_FILE | abi::MPI_ERR_NO_SUCH_FILE => {
            "use a path that all hosts have, and MPI_MODE_CREATE for a new file"
        }
        abi::MPI_ERR_FILE_EXISTS => "remove the file first, or leave out MPI_MODE_EXCL",
        abi::MPI_ERR_FILE_IN_USE => "close the file at all processes first",
        abi::MPI_ERR_NO_SPACE | abi::MPI_ERR_QUOTA => "free space, or use another file system",
        abi::MPI_ERR_IO => "look at the file system of that host: `dmesg | tail`",
        abi::MPI_ERR_NOT_SAME => "give all processes the same arguments",
        abi::MPI_ERR_CONVERSION | abi::MPI_ERR_DUP_DATAREP | abi::MPI_ERR_UNSUPPORTED_DATAREP => {
            "use \"native\", \"internal\" or \"external32\""
        }
        abi::MPI_ERR_NAME | abi::MPI_ERR_PORT | abi::MPI_ERR_SERVICE => {
            "publish the name first, and let the server live until the client has connected"
        }
        abi::MPI_ERR_SPAWN => "start the program by hand on that host",
        abi::MPI_ERR_PROC_ABORTED => "look at the last output of that process",
        abi::MPI_ERR_VALUE_TOO_LARGE => "use the function whose name ends with _c",
        abi::MPI_ERR_UNSUPPORTED_OPERATION => {
            "use another operation; README.md lists what is there"
        }
        _ => "compare the arguments with the manual page of the function",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predefined_class_has_an_advice() {
        for &(class, name) in abi::ERROR_CLASS_NAMES {
            let advice = usual(class);
            assert!(!advice.is_empty() && !advice.ends_with('.'), "{name}: {advice}");
        }
    }
}

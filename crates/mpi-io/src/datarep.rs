//! Data representations: how a file holds data (MPI 5.0 §14.5).
//!
//! | name | sizes | bytes |
//! |---|---|---|
//! | `native` | of the program's types | as in memory |
//! | `internal` | of the program's types | as in memory |
//! | `external32` | of the standard's table | big-endian |
//! | registered ones | as the program's extent function tells | as its functions convert |

use crate::callback::{Callback, Conversion};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::layout::in_file;
use crate::{abi, types};
use nemesis_datatype::{Buffer, Datatype, external32_size, pack_external32, unpack_external32};
use nemesis_mpi_check::{CallSite, callbacks, sites};
use nemesis_sys::per_process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A representation that the program has registered.
#[derive(Debug, PartialEq)]
pub struct Registered {
    name: String,
    /// Converts what has been read; the data are as in memory if it is null.
    read: Callback,
    /// Converts what will be written; the data are as in memory if it is null.
    write: Callback,
    extent: Callback,
    extra: usize,
    /// The call that registered it, while the checks are on.
    made: Option<CallSite>,
}

/// The data representation of a view.
#[derive(Clone, Debug, PartialEq)]
pub enum Datarep {
    Native,
    Internal,
    External32,
    Registered(Arc<Registered>),
}

per_process! {
    static REGISTERED: Mutex<Vec<Arc<Registered>>> = Mutex::new(Vec::new());
}

fn registered() -> MutexGuard<'static, Vec<Arc<Registered>>> {
    // A panic cannot leave a change half made.
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Implements `MPI_Register_datarep`. Registered representations last until the process ends.
pub fn register(
    name: &str,
    (read, write, extent): (Callback, Callback, Callback),
    extra: usize,
) -> Outcome {
    let longest = abi::MPI_MAX_DATAREP_STRING as usize - 1;
    if name.is_empty() || name.len() > longest {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("the name of a representation has 1 to {longest} bytes, not {}", name.len()),
        ));
    }
    if extent.is_null() {
        return Err(Error::new(abi::MPI_ERR_ARG, "dtype_file_extent_fn is a null pointer"));
    }
    if find(name).is_ok() {
        return Err(Error::new(
            abi::MPI_ERR_DUP_DATAREP,
            format!("the data representation {name:?} exists already"),
        ));
    }
    let made = nemesis_mpi_check::is_on().then(sites::here).flatten();
    let name = name.to_owned();
    registered().push(Arc::new(Registered { name, read, write, extent, extra, made }));
    Ok(())
}

/// Returns the representation of a name.
pub fn find(name: &str) -> Outcome<Datarep> {
    match name {
        "native" => Ok(Datarep::Native),
        "internal" => Ok(Datarep::Internal),
        "external32" => Ok(Datarep::External32),
        _ => {
            let found = registered().iter().find(|registered| registered.name == name).cloned();
            found.map(Datarep::Registered).ok_or_else(|| {
                Error::new(
                    abi::MPI_ERR_UNSUPPORTED_DATAREP,
                    format!("there is no data representation {name:?}"),
                )
                .advise("use native, internal or external32, or call MPI_Register_datarep first")
            })
        }
    }
}

impl Datarep {
    pub fn name(&self) -> &str {
        match self {
            Datarep::Native => "native",
            Datarep::Internal => "internal",
            Datarep::External32 => "external32",
            Datarep::Registered(registered) => &registered.name,
        }
    }

    /// Returns the layout of a datatype in a file of this representation.
    pub fn layout(&self, mpi: &mut Mpi, datatype: &Datatype) -> Outcome<Datatype> {
        match self {
            Datarep::Native | Datarep::Internal => Ok(datatype.clone()),
            Datarep::External32 => {
                in_file(datatype, &mut |basic| external32_size(1, basic).map_err(types::refused))
            }
            Datarep::Registered(registered) => in_file(datatype, &mut |basic| {
                let handle = mpi.types.handle_of(basic)?;
                let (extent, extra) = (registered.extent, registered.extra);
                mpi.unlocked(|| extent.file_extent(handle, extra)).map_err(|code| {
                    let why = format!(
                        "the extent function of data representation {:?} returned error {code}",
                        registered.name
                    );
                    Error::new(abi::MPI_ERR_CONVERSION, why)
                })
            }),
        }
    }

    /// Returns the data of a buffer as the file will hold them, contiguous: the buffer itself if
    /// they need no conversion.
    pub fn convert_written(&self, mpi: &mut Mpi, buffer: &Buffer) -> Outcome<Buffer> {
        match self {
            Datarep::Native | Datarep::Internal => Ok(buffer.clone()),
            Datarep::External32 => {
                let bytes = external32_size(buffer.count() as i64, buffer.datatype());
                let mut file = scratch(bytes.map_err(types::refused)?)?;
                let into = file.as_bytes_mut().unwrap_or_default();
                pack_external32(buffer, into).map_err(types::refused)?;
                Ok(file)
            }
            Datarep::Registered(registered) => {
                let file = self.in_file(mpi, buffer)?;
                if registered.write.is_null() {
                    nemesis_datatype::copy(buffer, &file);
                } else {
                    registered.convert(mpi, registered.write, buffer, &file, buffer.count())?;
                }
                Ok(file)
            }
        }
    }

    /// Returns where data for `buffer` are read to before their conversion: the buffer itself if
    /// they need none.
    pub fn in_file(&self, mpi: &mut Mpi, buffer: &Buffer) -> Outcome<Buffer> {
        if let Datarep::Native | Datarep::Internal = self {
            return Ok(buffer.clone());
        }
        let each = self.layout(mpi, buffer.datatype())?.size();
        let bytes = each.checked_mul(buffer.count() as i64).ok_or_else(|| {
            Error::new(abi::MPI_ERR_COUNT, "the data have more than 2^63 bytes in the file")
        })?;
        scratch(bytes)
    }

    /// Converts the first `bytes` bytes of `file`, which have been read for `buffer`. Returns the
    /// bytes of data in the program's representation.
    pub fn convert_read(
        &self,
        mpi: &mut Mpi,
        file: &Buffer,
        bytes: u64,
        buffer: &Buffer,
    ) -> Outcome<u64> {
        let Datarep::Registered(registered) = self else {
            return self.decode(file, bytes, buffer);
        };
        if registered.read.is_null() {
            nemesis_datatype::copy(&file.part(0, bytes as usize), buffer);
            return Ok(bytes);
        }
        let each = (file.bytes() / buffer.count().max(1)).max(1);
        let whole = bytes as usize / each;
        registered.convert(mpi, registered.read, buffer, file, whole)?;
        Ok(whole as u64 * buffer.datatype().size() as u64)
    }

    /// Converts as [`convert_read`](Self::convert_read) does, for representations that need no
    /// function of the program.
    pub fn decode(&self, file: &Buffer, bytes: u64, buffer: &Buffer) -> Outcome<u64> {
        match self {
            Datarep::External32 => {
                let external = file.as_bytes().unwrap_or_default();
                read_external32(&external[..bytes as usize], buffer)
            }
            _ => Ok(bytes),
        }
    }

    /// Returns whether data differ in the file and in memory.
    pub fn converts(&self) -> bool {
        !matches!(self, Datarep::Native | Datarep::Internal)
    }

    /// Returns whether data must be converted by functions of the program.
    pub fn calls_back(&self) -> bool {
        matches!(self, Datarep::Registered(_))
    }
}

impl Registered {
    /// Converts the first `count` elements of a buffer, from or to `file`.
    fn convert(
        &self,
        mpi: &mut Mpi,
        function: Callback,
        buffer: &Buffer,
        file: &Buffer,
        count: usize,
    ) -> Outcome {
        let datatype = mpi.types.handle_of(buffer.datatype())?;
        let converted = self.convert_elements(mpi, function, (buffer, datatype), file, count);
        // The function must not free this handle. If it did, nothing is left to free.
        if !buffer.datatype().is_predefined()
            && mpi.types.free(datatype).is_err()
            && nemesis_mpi_check::is_on()
        {
            callbacks::has_freed_datatype(self.made);
        }
        converted
    }

    fn convert_elements(
        &self,
        mpi: &mut Mpi,
        function: Callback,
        (buffer, datatype): (&Buffer, handle::Datatype),
        file: &Buffer,
        count: usize,
    ) -> Outcome {
        let each = file.bytes() / buffer.count().max(1);
        let mut done = 0;
        while done < count {
            let piece = (count - done).min(usize::try_from(function.longest()).unwrap_or(count));
            let conversion = Conversion {
                userbuf: buffer.address(),
                datatype,
                count: piece as i64,
                filebuf: file.address() + done * each,
                position: done as i64,
                extra: self.extra,
            };
            let converted = mpi.unlocked(|| {
                let convert = || function.convert(&conversion);
                callbacks::run(callbacks::Function::Conversion, || self.made, convert)
            });
            converted.map_err(|code| {
                let why = format!(
                    "the conversion function of data representation {:?} returned error {code}",
                    self.name
                );
                Error::new(abi::MPI_ERR_CONVERSION, why)
            })?;
            done += piece;
        }
        Ok(())
    }
}

fn scratch(bytes: i64) -> Outcome<Buffer> {
    crate::coll::scratch_bytes(bytes as usize)
}

/// Unpacks data in external32, of which the last element may be incomplete. Returns the bytes of
/// data in memory.
fn read_external32(external: &[u8], buffer: &Buffer) -> Outcome<u64> {
    let datatype = buffer.datatype();
    let each = external32_size(1, datatype).map_err(types::refused)? as usize;
    if each == 0 {
        return Ok(0);
    }
    let whole = external.len() / each;
    unpack_external32(external, &buffer.part(0, whole)).map_err(types::refused)?;
    let mut bytes = whole as u64 * datatype.size() as u64;
    let rest = &external[whole * each..];
    if !rest.is_empty() {
        bytes += read_part(rest, each, buffer.part(whole, 1))?;
    }
    Ok(bytes)
}

/// Unpacks the beginning of one element: the basic elements that are complete.
fn read_part(rest: &[u8], each: usize, element: Buffer) -> Outcome<u64> {
    let datatype = element.datatype().clone();
    let mut complete = rest.to_vec();
    complete.resize(each, 0);
    let copy = Buffer::scratch(1, &datatype).map_err(types::refused)?;
    unpack_external32(&complete, &copy).map_err(types::refused)?;
    let (mut left, mut bytes) = (rest.len() as i64, 0);
    for run in datatype.signature() {
        let Some(basic) = Datatype::predefined(run.handle) else { break };
        let external = external32_size(1, basic).map_err(types::refused)?.max(1);
        let count = run.count.min(left / external);
        bytes += count * basic.size();
        left -= count * external;
        if count < run.count {
            break;
        }
    }
    let mut native = vec![0; bytes as usize];
    copy.pack_at(0, &mut native);
    element.unpack_at(0, &native);
    Ok(bytes as u64)
}

/// Returns the extent of a datatype in files of a view (`MPI_File_get_type_extent`).
pub fn extent(mpi: &mut Mpi, datarep: &Datarep, datatype: handle::Datatype) -> Outcome<i64> {
    let datatype = mpi.types.get(datatype)?.clone();
    Ok(datarep.layout(mpi, &datatype)?.extent())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(handle: usize) -> &'static Datatype {
        Datatype::predefined(handle).expect("in the table")
    }

    #[test]
    fn an_incomplete_element_fills_its_complete_members() {
        let mixed =
            Datatype::structure(&[1, 2], &[0, 8], &[named(0x209).clone(), named(0x20a).clone()])
                .expect("valid");
        let buffer = Buffer::scratch(2, &mixed).expect("memory");
        let mut external = vec![0; 12 + 10];
        (external[3], external[7], external[15], external[19]) = (1, 2, 4, 5);
        let bytes = read_external32(&external, &buffer).expect("valid");
        assert_eq!(bytes, 20 + 4 + 8);
        let mut native = [0; 40];
        buffer.pack_at(0, &mut native);
        assert_eq!((native[0], native[4], native[20], native[24], native[32]), (1, 2, 4, 5, 0));
    }

    #[test]
    fn names_are_known_or_refused() {
        assert_eq!(
            find("external32").map(|datarep| datarep.name().to_owned()),
            Ok("external32".into())
        );
        assert_eq!(find("weird").unwrap_err().class, abi::MPI_ERR_UNSUPPORTED_DATAREP);
    }
}

//! NVIDIA's driver: functions of `libcuda.so.1`, looked up when the program has loaded it.
//!
//! Names, numbers and types are those of the driver's documentation. Functions exist in several
//! versions; the names here have the suffix of the version that `cuda.h` uses.

#![allow(unsafe_code)]

use crate::driver::{
    Allocation, Device, Direction, Driver, Export, Failure, Handle, Kind, Piece, Place,
};
use libloading::os::unix::{Library, RTLD_LAZY};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, PoisonError};

/// `CUresult`
type Code = c_int;

const SUCCESS: Code = 0;
/// The driver has ended before the process.
const DEINITIALIZED: Code = 4;

/// Attributes of a pointer.
const CONTEXT: c_int = 1;
const MEMORY_TYPE: c_int = 2;
const SYNC_MEMOPS: c_int = 6;
const BUFFER_ID: c_int = 7;
const IS_MANAGED: c_int = 8;
const DEVICE_ORDINAL: c_int = 9;
const IS_LEGACY_IPC_CAPABLE: c_int = 10;
const RANGE_START_ADDR: c_int = 11;
const RANGE_SIZE: c_int = 12;

/// Types of memory.
const HOST: c_uint = 1;
const DEVICE: c_uint = 2;
const UNIFIED: c_uint = 4;

const STREAM_NON_BLOCKING: c_uint = 1;
const HOST_REGISTER_PORTABLE: c_uint = 1;
const IPC_LAZY_ENABLE_PEER_ACCESS: c_uint = 1;

/// `CUDA_MEMCPY2D`
#[repr(C)]
struct Copy2D {
    source_x: usize,
    source_y: usize,
    source_type: c_uint,
    source_host: usize,
    source_device: u64,
    source_array: *mut c_void,
    source_pitch: usize,
    target_x: usize,
    target_y: usize,
    target_type: c_uint,
    target_host: usize,
    target_device: u64,
    target_array: *mut c_void,
    target_pitch: usize,
    width: usize,
    height: usize,
}

const _: () = assert!(size_of::<Copy2D>() == 16 * size_of::<usize>());

/// `CUipcMemHandle`, which functions take by value
#[repr(C)]
#[derive(Clone, Copy)]
struct IpcHandle(Handle);

/// The most handles of own allocations that are kept.
const HANDLES_MAX: usize = 64;

/// The longest pitch of a copy of rows that every device takes.
const PITCH_MAX: usize = i32::MAX as usize;

/// The functions.
struct Functions {
    get_error_string: unsafe extern "C" fn(Code, *mut *const c_char) -> Code,
    pointer_get_attributes:
        unsafe extern "C" fn(c_uint, *const c_int, *const *mut c_void, u64) -> Code,
    device_get: unsafe extern "C" fn(*mut c_int, c_int) -> Code,
    primary_context_retain: unsafe extern "C" fn(*mut usize, c_int) -> Code,
    context_push: unsafe extern "C" fn(usize) -> Code,
    context_pop: unsafe extern "C" fn(*mut usize) -> Code,
    stream_create: unsafe extern "C" fn(*mut usize, c_uint) -> Code,
    stream_synchronize: unsafe extern "C" fn(usize) -> Code,
    memcpy_async: unsafe extern "C" fn(u64, u64, usize, usize) -> Code,
    memcpy_2d_async: unsafe extern "C" fn(*const Copy2D, usize) -> Code,
    host_register: unsafe extern "C" fn(usize, usize, c_uint) -> Code,
    host_unregister: unsafe extern "C" fn(usize) -> Code,
    /// `None` if the driver lacks one of them.
    ipc: Option<IpcFunctions>,
}

/// The functions for memory of other processes.
struct IpcFunctions {
    pointer_set_attribute: unsafe extern "C" fn(*const c_void, c_int, u64) -> Code,
    get_address_range: unsafe extern "C" fn(*mut u64, *mut usize, u64) -> Code,
    device_get_uuid: unsafe extern "C" fn(*mut [u8; 16], c_int) -> Code,
    get_handle: unsafe extern "C" fn(*mut IpcHandle, u64) -> Code,
    open_handle: unsafe extern "C" fn(*mut u64, IpcHandle, c_uint) -> Code,
    close_handle: unsafe extern "C" fn(u64) -> Code,
}

/// The driver, which stays loaded until the process ends.
struct Cuda {
    functions: Functions,
    /// A stream of the library's own for each context that has been used. A context that the
    /// program destroys takes its stream along.
    streams: Mutex<Vec<(usize, usize)>>,
    /// The primary contexts that are held, by the numbers of their devices: each once.
    primary: Mutex<Vec<(i32, usize)>>,
    /// Handles of own allocations, by first address and number.
    handles: Mutex<Vec<(u64, u64, Handle)>>,
    /// Addresses of pinned memory.
    pinned: Mutex<Vec<usize>>,
}

/// Opens the library if this process has loaded it.
pub fn open(file: &str) -> Option<Box<dyn Driver>> {
    // SAFETY: a library that is not loaded is not loaded by this, so no code of it runs.
    let handle = unsafe { Library::open(Some(file), RTLD_LAZY | libc::RTLD_NOLOAD) }.ok()?;
    // Never closed: the functions are used until the process ends.
    let handle = ManuallyDrop::new(handle);
    macro_rules! symbol {
        ($name:literal) => {{
            // SAFETY: cuda.h declares the function with the type of the field.
            let found = unsafe { handle.get($name) };
            *found.ok()?
        }};
    }
    Some(Box::new(Cuda {
        functions: Functions {
            get_error_string: symbol!(b"cuGetErrorString"),
            pointer_get_attributes: symbol!(b"cuPointerGetAttributes"),
            device_get: symbol!(b"cuDeviceGet"),
            primary_context_retain: symbol!(b"cuDevicePrimaryCtxRetain"),
            context_push: symbol!(b"cuCtxPushCurrent_v2"),
            context_pop: symbol!(b"cuCtxPopCurrent_v2"),
            stream_create: symbol!(b"cuStreamCreate"),
            stream_synchronize: symbol!(b"cuStreamSynchronize"),
            memcpy_async: symbol!(b"cuMemcpyAsync"),
            memcpy_2d_async: symbol!(b"cuMemcpy2DAsync_v2"),
            host_register: symbol!(b"cuMemHostRegister_v2"),
            host_unregister: symbol!(b"cuMemHostUnregister"),
            ipc: ipc_functions(&handle),
        },
        streams: Mutex::default(),
        primary: Mutex::default(),
        handles: Mutex::default(),
        pinned: Mutex::default(),
    }))
}

/// Looks up the functions for memory of other processes.
fn ipc_functions(handle: &Library) -> Option<IpcFunctions> {
    macro_rules! symbol {
        ($name:literal) => {{
            // SAFETY: cuda.h declares the function with the type of the field.
            let found = unsafe { handle.get($name) };
            *found.ok()?
        }};
    }
    // The second version tells parts of a device apart that processes see as devices.
    // SAFETY: as above.
    let uuid_of_part = unsafe { handle.get(b"cuDeviceGetUuid_v2") }.ok().map(|found| *found);
    Some(IpcFunctions {
        pointer_set_attribute: symbol!(b"cuPointerSetAttribute"),
        get_address_range: symbol!(b"cuMemGetAddressRange_v2"),
        device_get_uuid: match uuid_of_part {
            Some(found) => found,
            None => symbol!(b"cuDeviceGetUuid"),
        },
        get_handle: symbol!(b"cuIpcGetMemHandle"),
        open_handle: symbol!(b"cuIpcOpenMemHandle_v2"),
        close_handle: symbol!(b"cuIpcCloseMemHandle"),
    })
}

/// Loads the library, and describes the driver and its devices.
pub fn describe(file: &str) -> Result<Vec<String>, String> {
    // SAFETY: the constructors of the driver run; the user of a tool has asked for it.
    let handle = unsafe { Library::open(Some(file), RTLD_LAZY) };
    let handle = ManuallyDrop::new(handle.map_err(|error| error.to_string())?);
    macro_rules! symbol {
        ($name:literal: $type:ty) => {{
            // SAFETY: cuda.h declares the function with this type.
            let found = unsafe { handle.get::<$type>($name) };
            *found.map_err(|error| error.to_string())?
        }};
    }
    let init = symbol!(b"cuInit": unsafe extern "C" fn(c_uint) -> Code);
    let version_of = symbol!(b"cuDriverGetVersion": unsafe extern "C" fn(*mut c_int) -> Code);
    let count_of = symbol!(b"cuDeviceGetCount": unsafe extern "C" fn(*mut c_int) -> Code);
    let name_of =
        symbol!(b"cuDeviceGetName": unsafe extern "C" fn(*mut c_char, c_int, c_int) -> Code);
    let memory_of =
        symbol!(b"cuDeviceTotalMem_v2": unsafe extern "C" fn(*mut usize, c_int) -> Code);
    let (mut version, mut count) = (0, 0);
    // SAFETY: the functions take numbers, and write to local variables.
    let code = unsafe {
        version_of(&mut version);
        match init(0) {
            SUCCESS => count_of(&mut count),
            code => code,
        }
    };
    let mut lines = vec![format!("{file}, for CUDA {}.{}", version / 1000, version % 1000 / 10)];
    if code != SUCCESS {
        lines.push(format!("no device: cuInit gives {code}"));
    }
    for device in 0..count {
        let (mut name, mut bytes) = ([0; 256], 0);
        // SAFETY: the functions write a string of at most as many bytes as they are told, and a
        // number.
        unsafe {
            name_of(name.as_mut_ptr(), name.len() as c_int - 1, device);
            memory_of(&mut bytes, device);
        }
        // SAFETY: the last byte is 0.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy();
        lines.push(format!("device {device}: {name}, {} MiB", bytes >> 20));
    }
    Ok(lines)
}

impl Cuda {
    /// Returns the answer of a function in words if it is an error.
    fn check(&self, function: &str, code: Code) -> Result<(), Failure> {
        if code == SUCCESS {
            return Ok(());
        }
        let mut text = null();
        // SAFETY: the function takes any number and writes the address of a constant text.
        let known = unsafe { (self.functions.get_error_string)(code, &mut text) };
        let text = if known == SUCCESS && !text.is_null() {
            // SAFETY: a C string that lives as long as the library.
            unsafe { CStr::from_ptr(text) }.to_string_lossy()
        } else {
            "unknown error".into()
        };
        Err(Failure(format!("{function}: {text} ({code})")))
    }

    /// The context of a device's memory. Memory of a pool has none, and belongs to the primary
    /// context of its device, which exists.
    fn context_of(&self, device: &Device) -> Result<usize, Failure> {
        if device.context != 0 {
            return Ok(device.context);
        }
        let mut primary = self.primary();
        if let Some((_, context)) = primary.iter().find(|(of, _)| *of == device.ordinal) {
            return Ok(*context);
        }
        let (mut number, mut context) = (0, 0);
        // SAFETY: the function writes to a local variable.
        let code = unsafe { (self.functions.device_get)(&mut number, device.ordinal) };
        self.check("cuDeviceGet", code)?;
        // SAFETY: as above.
        let code = unsafe { (self.functions.primary_context_retain)(&mut context, number) };
        self.check("cuDevicePrimaryCtxRetain", code)?;
        primary.push((device.ordinal, context));
        Ok(context)
    }

    /// Runs `copies` with a context current and its stream, and waits for the stream.
    fn in_context(
        &self,
        context: usize,
        copies: &mut dyn FnMut(usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        // SAFETY: a context that the driver has named; a destroyed one is an error.
        let code = unsafe { (self.functions.context_push)(context) };
        self.check("cuCtxPushCurrent", code)?;
        let outcome = self.stream_of(context).and_then(|stream| {
            let begun = copies(stream);
            // SAFETY: the stream belongs to the current context. Copies that have begun end here,
            // also if a later one is refused.
            let code = unsafe { (self.functions.stream_synchronize)(stream) };
            begun.and(self.check("cuStreamSynchronize", code))
        });
        let mut popped = 0;
        // SAFETY: the context was pushed above; the function writes to a local variable.
        unsafe { (self.functions.context_pop)(&mut popped) };
        if outcome.is_err() {
            self.streams().retain(|(of, _)| *of != context);
            self.primary().retain(|(_, held)| *held != context);
        }
        outcome
    }

    fn pinned(&self) -> std::sync::MutexGuard<'_, Vec<usize>> {
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn primary(&self) -> std::sync::MutexGuard<'_, Vec<(i32, usize)>> {
        self.primary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn streams(&self) -> std::sync::MutexGuard<'_, Vec<(usize, usize)>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The stream of the current context. It waits for no other stream: MPI's caller has
    /// synchronised what it passes, and a kernel of the program may run as long as it likes.
    fn stream_of(&self, context: usize) -> Result<usize, Failure> {
        let mut streams = self.streams();
        if let Some((_, stream)) = streams.iter().find(|(of, _)| *of == context) {
            return Ok(*stream);
        }
        let mut stream = 0;
        // SAFETY: the function writes to a local variable.
        let code = unsafe { (self.functions.stream_create)(&mut stream, STREAM_NON_BLOCKING) };
        self.check("cuStreamCreate", code)?;
        streams.push((context, stream));
        Ok(stream)
    }

    /// Adds the copy of a piece to a stream.
    ///
    /// # Safety
    /// As for [`copy`](crate::copy).
    unsafe fn add(&self, direction: Direction, piece: Piece, stream: usize) -> Result<(), Failure> {
        let pitch_max = piece.pitch.max(piece.host_pitch);
        if piece.rows > 1 && pitch_max <= PITCH_MAX {
            let sides = [
                (DEVICE, 0, piece.device as u64, piece.pitch),
                (HOST, piece.host, 0, piece.host_pitch),
            ];
            let [source, target] = match direction {
                Direction::ToHost => sides,
                Direction::ToDevice => [sides[1], sides[0]],
            };
            let copy = Copy2D {
                source_x: 0,
                source_y: 0,
                source_type: source.0,
                source_host: source.1,
                source_device: source.2,
                source_array: null_mut(),
                source_pitch: source.3,
                target_x: 0,
                target_y: 0,
                target_type: target.0,
                target_host: target.1,
                target_device: target.2,
                target_array: null_mut(),
                target_pitch: target.3,
                width: piece.bytes,
                height: piece.rows,
            };
            // SAFETY: the caller's promise; the function copies the description.
            let code = unsafe { (self.functions.memcpy_2d_async)(&copy, stream) };
            return self.check("cuMemcpy2DAsync", code);
        }
        for row in 0..piece.rows {
            let device = (piece.device + row * piece.pitch) as u64;
            let host = (piece.host + row * piece.host_pitch) as u64;
            let (to, from) = match direction {
                Direction::ToHost => (host, device),
                Direction::ToDevice => (device, host),
            };
            // SAFETY: the caller's promise. One range of addresses serves the host and all devices
            // (unified addressing), so the function tells the direction by them.
            let code = unsafe { (self.functions.memcpy_async)(to, from, piece.bytes, stream) };
            self.check("cuMemcpyAsync", code)?;
        }
        Ok(())
    }
}

impl Driver for Cuda {
    fn place(&self, address: usize) -> Place {
        const ATTRIBUTES: [c_int; 6] =
            [MEMORY_TYPE, CONTEXT, IS_MANAGED, DEVICE_ORDINAL, RANGE_START_ADDR, RANGE_SIZE];
        let (mut memory, mut context, mut managed) = (0_u32, 0_usize, 0_u32);
        let (mut ordinal, mut start, mut bytes) = (0_i32, 0_u64, 0_usize);
        let values: [*mut c_void; 6] = [
            (&raw mut memory).cast(),
            (&raw mut context).cast(),
            (&raw mut managed).cast(),
            (&raw mut ordinal).cast(),
            (&raw mut start).cast(),
            (&raw mut bytes).cast(),
        ];
        // SAFETY: each value is a variable of the attribute's type; any address may be asked for.
        let code = unsafe {
            (self.functions.pointer_get_attributes)(
                ATTRIBUTES.len() as c_uint,
                ATTRIBUTES.as_ptr(),
                values.as_ptr(),
                address as u64,
            )
        };
        // An address that the driver does not know has type 0, or is an error; so is any address
        // before the driver is initialised.
        if code != SUCCESS || memory & (DEVICE | UNIFIED) == 0 && managed == 0 {
            return Place::Host;
        }
        Place::Device(Device {
            vendor: "CUDA",
            kind: if managed != 0 { Kind::Managed } else { Kind::Device },
            ordinal,
            context,
            range: (start as usize, bytes),
        })
    }

    unsafe fn copy(
        &self,
        device: &Device,
        direction: Direction,
        pieces: &mut dyn Iterator<Item = Piece>,
    ) -> Result<(), Failure> {
        let context = self.context_of(device)?;
        let outcome = self.in_context(context, &mut |stream| {
            for piece in &mut *pieces {
                // SAFETY: the caller's promise.
                unsafe { self.add(direction, piece, stream)? };
            }
            Ok(())
        });
        match outcome {
            // The process ends, and its memory with it.
            Err(_) if self.has_ended() => Ok(()),
            outcome => outcome,
        }
    }

    fn pin(&self, device: &Device, address: usize, bytes: usize) {
        let Ok(context) = self.context_of(device) else { return };
        let _ = self.in_context(context, &mut |_| {
            // SAFETY: the caller keeps the memory. The function changes nothing in it.
            let code =
                unsafe { (self.functions.host_register)(address, bytes, HOST_REGISTER_PORTABLE) };
            if code == SUCCESS {
                self.pinned().push(address);
            }
            Ok(())
        });
    }

    fn unpin_all(&self) {
        for address in std::mem::take(&mut *self.pinned()) {
            // SAFETY: the memory was pinned by `pin`, and no copy uses it.
            unsafe { (self.functions.host_unregister)(address) };
        }
    }

    fn export(
        &self,
        device: &Device,
        address: usize,
        bytes: usize,
        process: u64,
    ) -> Option<Export> {
        let ipc = self.functions.ipc.as_ref()?;
        let (mut is_capable, mut number) = (0_u32, 0_u64);
        let attributes = [IS_LEGACY_IPC_CAPABLE, BUFFER_ID];
        let values: [*mut c_void; 2] = [(&raw mut is_capable).cast(), (&raw mut number).cast()];
        // SAFETY: each value is a variable of the attribute's type; any address may be asked for.
        let code = unsafe {
            (self.functions.pointer_get_attributes)(
                attributes.len() as c_uint,
                attributes.as_ptr(),
                values.as_ptr(),
                address as u64,
            )
        };
        if code != SUCCESS || is_capable == 0 || number == 0 || device.kind != Kind::Device {
            return None;
        }
        let (mut base, mut length, mut name) = (0, 0, [0; 16]);
        // SAFETY: the function writes to local variables.
        let code = unsafe { (ipc.get_address_range)(&mut base, &mut length, address as u64) };
        // SAFETY: as above.
        let named = unsafe { (ipc.device_get_uuid)(&mut name, device.ordinal) };
        let offset = (address as u64).checked_sub(base)?;
        let is_inside = offset.checked_add(bytes as u64)? <= length as u64;
        if code != SUCCESS || named != SUCCESS || !is_inside {
            return None;
        }
        let handle = self.handle_of(ipc, base, number)?;
        let allocation = Allocation { process, base, number };
        Some(Export { allocation, bytes: length as u64, offset, device: name, handle })
    }

    fn open(&self, device: &Device, handle: &Handle) -> Result<usize, Failure> {
        let Some(ipc) = &self.functions.ipc else {
            return Err(Failure("the driver has no functions for other processes".into()));
        };
        let (mut address, mut code) = (0, SUCCESS);
        self.in_context(self.context_of(device)?, &mut |_| {
            // SAFETY: the function writes to a local variable; any bytes may be a handle.
            code = unsafe {
                (ipc.open_handle)(&mut address, IpcHandle(*handle), IPC_LAZY_ENABLE_PEER_ACCESS)
            };
            Ok(())
        })?;
        self.check("cuIpcOpenMemHandle", code).map(|()| address as usize)
    }

    fn close(&self, device: &Device, address: usize) {
        let (Some(ipc), Ok(context)) = (&self.functions.ipc, self.context_of(device)) else {
            return;
        };
        // A context that the program has destroyed has taken the mapping along.
        let _ = self.in_context(context, &mut |_| {
            // SAFETY: the caller closes what `open` has returned; every copy from there has been
            // waited for.
            unsafe { (ipc.close_handle)(address as u64) };
            Ok(())
        });
    }

    unsafe fn copy_within(
        &self,
        device: &Device,
        to: usize,
        from: usize,
        bytes: usize,
    ) -> Result<(), Failure> {
        self.in_context(self.context_of(device)?, &mut |stream| {
            // SAFETY: the caller's promise.
            let code =
                unsafe { (self.functions.memcpy_async)(to as u64, from as u64, bytes, stream) };
            self.check("cuMemcpyAsync", code)
        })
    }
}

impl Cuda {
    /// Returns the handle of the allocation with this first address and number.
    fn handle_of(&self, ipc: &IpcFunctions, base: u64, number: u64) -> Option<Handle> {
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        let known = handles.iter().find(|known| (known.0, known.1) == (base, number));
        if let Some((.., handle)) = known {
            return Some(*handle);
        }
        let mut handle = IpcHandle([0; 64]);
        // SAFETY: the function writes to a local variable; what is no allocation is an error.
        if unsafe { (ipc.get_handle)(&mut handle, base) } != SUCCESS {
            return None;
        }
        // Calls of the program that copy synchronously are then done when they return, also those
        // from device to device.
        let is_on: c_uint = 1;
        // SAFETY: the value has the attribute's type.
        unsafe { (ipc.pointer_set_attribute)((&raw const is_on).cast(), SYNC_MEMOPS, base) };
        // An allocation that had the address before is gone.
        handles.retain(|known| known.0 != base);
        if handles.len() == HANDLES_MAX {
            handles.remove(0);
        }
        handles.push((base, number, handle.0));
        Some(handle.0)
    }

    /// Whether the driver has ended, as it does before the functions that a program has given to
    /// `atexit` early.
    fn has_ended(&self) -> bool {
        let mut number = 0;
        // SAFETY: the function writes to a local variable.
        unsafe { (self.functions.device_get)(&mut number, 0) == DEINITIALIZED }
    }
}

//! The macros that make C functions of safe bodies, and objects that C knows by name.

/// Defines C functions. Each has the arguments of C, a value for each argument that is a pointer,
/// made by a constructor of this crate, and a safe body.
///
/// ```text
/// c_functions! {
///     fn nemesis_send(to: u32, header: *const Header, payload: *const u8, bytes: usize) -> c_int
///     where header: In::new(header), payload: InSlice::new(payload, bytes as i64) =>
///     { send(to, header, payload) }
/// }
/// ```
///
/// The constructors rely on what the header of the library asks of the arguments (P1 to P3).
#[macro_export]
macro_rules! c_functions {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $result:ty
        $(where $($value:ident: $made:expr),* $(,)? =>)?
        $body:block
    )*) => {$(
        $(#[$attribute])*
        /// # Safety
        /// The arguments are what the header of the library asks of this function's caller.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> $result {
            $($(
                // SAFETY: the caller's promise is P1 to P3.
                let $value = unsafe { $made };
            )*)?
            $body
        }
    )*};
}

/// Defines objects that C programs and other libraries know by name.
#[macro_export]
macro_rules! c_objects {
    ($($(#[$attribute:meta])* $name:ident: $type:ty = $value:expr;)*) => {$(
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        pub static $name: $type = $value;
    )*};
}

/// The function of type `extern "C" fn($arg, ...) -> $result` at an address. Unsafe: there must be
/// a function of this type. With `variadic`, the function has more arguments, which are not passed.
#[macro_export]
macro_rules! function_at {
    ($address:expr, variadic ($($arg:ty),*)) => {
        ::std::mem::transmute::<usize, unsafe extern "C" fn($($arg),*, ...)>($address)
    };
    ($address:expr, ($($arg:ty),* $(,)?) $(-> $result:ty)?) => {
        ::std::mem::transmute::<usize, unsafe extern "C" fn($($arg),*) $(-> $result)?>($address)
    };
}

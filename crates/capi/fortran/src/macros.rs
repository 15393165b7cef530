//! Macros of the procedures.

/// Exports a function under further names, each of which is a jump to it.
#[macro_export]
macro_rules! exports {
    ($function:path: $($name:ident)*) => {
        const _: () = {
            $(
                #[unsafe(naked)]
                #[unsafe(no_mangle)]
                pub unsafe extern "C" fn $name() {
                    #[cfg(target_arch = "x86_64")]
                    std::arch::naked_asm!("jmp {}", sym $function);
                    #[cfg(target_arch = "aarch64")]
                    std::arch::naked_asm!("b {}", sym $function);
                }
            )*
        };
    };
}

/// The value of a result, or the end of the procedure with the error's code.
#[macro_export]
macro_rules! or_refuse {
    ($result:expr, $owner:expr, $ierror:expr) => {
        match $result {
            Ok(made) => made,
            Err(code) => return refuse($owner, $ierror, code),
        }
    };
}

/// Declares functions of the C library by the types of their arguments.
#[macro_export]
macro_rules! c_functions {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        unsafe extern "C" {
            $(#[allow(dead_code)] pub fn $name($(_: $argument),*) -> $result;)*
        }
    };
}

/// Defines a procedure by its arguments and its statements.
#[macro_export]
macro_rules! procedure {
    ($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?; $($statement:tt)*) => {
        unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
            unsafe { $($statement)* }
        }
    };
}

//! A value on cache lines of its own.

/// Keeps `T` from sharing a cache line with its neighbours: 64 bytes on the processors we know (x86-64, most aarch64).
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct CachePadded<T>(pub T);

impl<T> std::ops::Deref for CachePadded<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> std::ops::DerefMut for CachePadded<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

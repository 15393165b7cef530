//! A value that shares its cache lines with no other.

/// Aligns and pads `T` to 64 bytes, the line size of x86-64 and most aarch64 processors, so that it
/// shares no cache line with other data.
///
/// # Examples
/// ```
/// use nemesis_sync::CachePadded;
///
/// let counters: [CachePadded<u64>; 2] = Default::default();
/// assert_eq!(size_of_val(&counters), 128);
/// assert_eq!(*counters[1], 0);
/// ```
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct CachePadded<T>(
    /// The value.
    pub T,
);

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

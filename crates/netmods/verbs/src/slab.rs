//! Values with small numbers, which are used again.

/// A table of values by number.
#[derive(Debug)]
pub struct Slab<T> {
    values: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab { values: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    pub fn insert(&mut self, value: T) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.values[number as usize] = Some(value);
                number
            }
            None => {
                self.values.push(Some(value));
                self.values.len() as u32 - 1
            }
        }
    }

    pub fn get(&self, number: u32) -> Option<&T> {
        self.values.get(number as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.values.get_mut(number as usize)?.as_mut()
    }

    pub fn remove(&mut self, number: u32) -> Option<T> {
        let value = self.values.get_mut(number as usize)?.take();
        if value.is_some() {
            self.free.push(number);
        }
        value
    }

    /// Removes the values that `is_meant` chooses.
    pub fn remove_all(&mut self, is_meant: impl Fn(&T) -> bool) -> Vec<T> {
        let numbers: Vec<u32> = (0..self.values.len() as u32)
            .filter(|&number| self.get(number).is_some_and(&is_meant))
            .collect();
        numbers.into_iter().filter_map(|number| self.remove(number)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.free.len() == self.values.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again() {
        let mut slab = Slab::default();
        let (a, b) = (slab.insert('a'), slab.insert('b'));
        assert_eq!(slab.get(a), Some(&'a'));
        assert_eq!((slab.remove(a), slab.remove(a)), (Some('a'), None));
        assert_eq!(slab.insert('c'), a);
        assert_eq!(slab.remove_all(|&value| value != 'b'), ['c']);
        assert!(!slab.is_empty());
        assert_eq!(slab.remove(b), Some('b'));
        assert!(slab.is_empty());
    }
}

//! Logs as words, for other processes.

use crate::Call;
use std::collections::HashMap;

/// Writes a log. Equal calls are written once.
#[derive(Default)]
pub(crate) struct Writer {
    words: Vec<u64>,
    calls: Vec<Call>,
    numbers: HashMap<Call, u64>,
}

impl Writer {
    pub fn word(&mut self, word: u64) {
        self.words.push(word);
    }

    pub fn words(&mut self, words: &[u64]) {
        self.words.extend_from_slice(words);
    }

    pub fn call(&mut self, call: &Call) {
        let number = *self.numbers.entry(call.clone()).or_insert_with(|| {
            self.calls.push(call.clone());
            self.calls.len() as u64 - 1
        });
        self.words.push(number);
    }

    /// Returns the words: the number of calls, the calls, and what was written.
    pub fn finish(self) -> Vec<u64> {
        let mut words = vec![self.calls.len() as u64];
        for Call { function, module, offset } in &self.calls {
            words.push(*offset);
            for text in [function, module] {
                words.push(text.len() as u64);
                words.extend(text.as_bytes().chunks(8).map(|bytes| {
                    let mut word = [0; 8];
                    word[..bytes.len()].copy_from_slice(bytes);
                    u64::from_le_bytes(word)
                }));
            }
        }
        words.extend(self.words);
        words
    }
}

/// Reads what a [`Writer`] has written. All functions return `None` where the words do not go on.
pub(crate) struct Reader<'a> {
    words: &'a [u64],
    calls: Option<Vec<Call>>,
}

impl<'a> Reader<'a> {
    pub fn new(words: &'a [u64]) -> Reader<'a> {
        let mut reader = Reader { words, calls: None };
        reader.calls =
            reader.array().and_then(|[calls]| (0..calls).map(|_| reader.read_call()).collect());
        reader
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u64; N]> {
        let (array, rest) = self.words.split_first_chunk()?;
        self.words = rest;
        Some(*array)
    }

    pub fn call(&mut self) -> Option<Call> {
        let [number] = self.array()?;
        self.calls.as_ref()?.get(number as usize).cloned()
    }

    fn read_call(&mut self) -> Option<Call> {
        let [offset] = self.array()?;
        Some(Call { function: self.text()?, module: self.text()?, offset })
    }

    fn text(&mut self) -> Option<String> {
        let [bytes] = self.array()?;
        let (words, rest) = self.words.split_at_checked((bytes as usize).div_ceil(8))?;
        self.words = rest;
        let mut text: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        text.truncate(bytes as usize);
        String::from_utf8(text).ok()
    }
}

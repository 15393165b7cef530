//! Files for the output of ranks, at the host of `mpiexec`.
//!
//! All files are made before a rank starts, so that a folder that cannot be written ends the job
//! before it begins. Few of them are open at a time, because a job may have more ranks than a
//! process may have descriptors.

use crate::labels::{Label, Pattern};
use crate::launch_error::LaunchError;
use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Files that are open at a time.
const OPEN_MAX: usize = 32;

/// The files of one stream of all ranks.
#[derive(Debug)]
pub struct OutputFiles {
    /// By rank: the index of its file.
    of_rank: Vec<usize>,
    files: Vec<RankFile>,
    /// The files that are open, the latest last.
    open: VecDeque<(usize, File)>,
    label: Option<Label>,
    /// The first file that has refused output.
    refused: Option<Refused>,
}

/// A file for the output of one rank or several.
#[derive(Debug)]
struct RankFile {
    path: PathBuf,
    /// The rank whose unfinished line was written last.
    open: Option<u32>,
}

/// A file that takes nothing more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub rank: u32,
    pub path: PathBuf,
    pub why: String,
}

impl OutputFiles {
    /// Makes the files that a pattern names, empty. `stream` names the stream in messages.
    ///
    /// # Errors
    ///
    /// Returns a message about a file that cannot be made.
    pub fn make(
        pattern: &Pattern,
        label: &Label,
        stream: &str,
        makes_folders: bool,
    ) -> Result<OutputFiles, LaunchError> {
        let (mut of_rank, mut files) = (Vec::new(), Vec::new());
        let mut known: HashMap<PathBuf, usize> = HashMap::new();
        for rank in 0..label.ranks() {
            let path = PathBuf::from(pattern.fill(&label.facts(rank)));
            let place = match known.get(&path) {
                Some(&place) => place,
                None => {
                    make(&path, makes_folders).map_err(|why| refused(&path, rank, stream, &why))?;
                    files.push(RankFile { path: path.clone(), open: None });
                    known.insert(path, files.len() - 1);
                    files.len() - 1
                }
            };
            of_rank.push(place);
        }
        let label = label.is_shown().then(|| label.clone());
        Ok(OutputFiles { of_rank, files, open: VecDeque::new(), label, refused: None })
    }

    /// Writes output of `rank`, whose last line may be unfinished, to its file.
    pub fn append(&mut self, rank: u32, bytes: &[u8]) {
        let Some(&place) = self.of_rank.get(rank as usize) else { return };
        if bytes.is_empty() || self.refused.is_some() {
            return;
        }
        let mut text = Vec::with_capacity(bytes.len());
        let open = &mut self.files[place].open;
        append_lines(&mut text, open, self.label.as_ref(), rank, bytes);
        if let Err(why) = self.write(place, &text) {
            let path = self.files[place].path.clone();
            self.refused = Some(Refused { rank, path, why: why.to_string() });
        }
    }

    /// Returns the file that has refused output, once.
    pub fn take_refused(&mut self) -> Option<Refused> {
        // What follows is dropped: the job ends.
        let refused = self.refused.take()?;
        self.of_rank.clear();
        Some(refused)
    }

    /// Writes to a file, which is opened if it is not open.
    fn write(&mut self, place: usize, text: &[u8]) -> io::Result<()> {
        if let Some(at) = self.open.iter().position(|open| open.0 == place) {
            return self.open[at].1.write_all(text);
        }
        if self.open.len() == OPEN_MAX {
            self.open.pop_front();
        }
        let mut file = File::options().append(true).open(&self.files[place].path)?;
        file.write_all(text)?;
        self.open.push_back((place, file));
        Ok(())
    }
}

/// Appends output of `rank` to `text`. `open` is the rank whose unfinished line was appended last:
/// a line of another rank ends it first.
pub fn append_lines(
    text: &mut Vec<u8>,
    open: &mut Option<u32>,
    label: Option<&Label>,
    rank: u32,
    bytes: &[u8],
) {
    let mut at_start = *open != Some(rank);
    if at_start && open.is_some() {
        text.push(b'\n');
    }
    match label.map(|label| label.text(rank)) {
        None => text.extend_from_slice(bytes),
        Some(prefix) => {
            for line in bytes.split_inclusive(|&byte| byte == b'\n') {
                if at_start {
                    text.extend_from_slice(prefix.as_bytes());
                }
                text.extend_from_slice(line);
                at_start = true;
            }
        }
    }
    *open = (bytes.last() != Some(&b'\n')).then_some(rank);
}

/// Makes a file, or empties it.
fn make(path: &Path, makes_folders: bool) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|_| makes_folders) {
        fs::create_dir_all(folder)?;
    }
    // A device such as /dev/null or a named pipe is as good as a file.
    File::create(path).map(drop)
}

/// Explains that a file cannot be made.
fn refused(path: &Path, rank: u32, stream: &str, why: &io::Error) -> LaunchError {
    let what = format!("{}, for {stream} of rank {rank}, cannot be written: {why}", path.display());
    LaunchError::new(what, "a folder that is there and that you may write, with space (`df`)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::RankTable;
    use std::rc::Rc;

    fn label(prefix: Option<&str>) -> Label {
        let table = RankTable::new(100, [("a", (0..100).collect())], |_| 0);
        let prefix = prefix.map(|text| Pattern::read("x", text).unwrap());
        Label::new(Rc::new(table), prefix, false)
    }

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("nemesis-test-{name}-{}", std::process::id()))
    }

    #[test]
    fn each_rank_has_a_file_also_when_few_are_open() {
        let folder = folder("files");
        let pattern = Pattern::read("x", &format!("{}/%r/out", folder.display())).unwrap();
        assert!(OutputFiles::make(&pattern, &label(None), "x", false).is_err(), "no folder");
        let mut files = OutputFiles::make(&pattern, &label(None), "x", true).unwrap();
        for turn in 0..2 {
            (0..100).for_each(|rank| files.append(rank, format!("{rank} {turn}\n").as_bytes()));
        }
        assert!(files.take_refused().is_none());
        for rank in [0, 31, 32, 99] {
            let text = fs::read_to_string(folder.join(format!("{rank}/out"))).unwrap();
            assert_eq!(text, format!("{rank} 0\n{rank} 1\n"));
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn ranks_with_one_file_do_not_share_lines() {
        let path = folder("one-file");
        let pattern = Pattern::read("x", path.to_str().unwrap()).unwrap();
        let mut files = OutputFiles::make(&pattern, &label(Some("[%r] ")), "x", false).unwrap();
        files.append(0, b"a\nb");
        files.append(1, b"c\n");
        files.append(1, b"d");
        files.append(1, b"e\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), "[0] a\n[0] b\n[1] c\n[1] de\n");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_full_disk_is_told_once() {
        let pattern = Pattern::read("x", "/dev/full").unwrap();
        let mut files = OutputFiles::make(&pattern, &label(None), "x", false).unwrap();
        files.append(3, b"lost\n");
        files.append(4, b"lost, too\n");
        let refused = files.take_refused().unwrap();
        assert!(refused.rank == 3 && refused.why.contains("No space left"), "{refused:?}");
        files.append(5, b"dropped\n");
        assert!(files.take_refused().is_none());
    }
}

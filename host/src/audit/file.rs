//! The file that lines are written to: each in one piece, not too many of a kind, and never in vain without anybody's knowing.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::line::{Line, RPC};
use crate::regular;

/// Lines of a kind within a second; of those beyond, the number is told.
const MOST: u64 = 5_000;
/// How long they are counted.
const WINDOW: Duration = Duration::from_secs(1);
/// Lines that are kept until they can be written. While they are, no call of a component is begun: there are few more of them than calls
/// were under way.
const KEPT: usize = 10_000;

/// All files for lines. What still runs while the process leaves may have some.
static ALL: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Has all files say how many lines are missing in them so far. What can't be written by now never is, which is told to whoever still
/// reads what this process says.
pub(crate) fn flush() {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    for file in all.iter().filter_map(Weak::upgrade) {
        file.writing().leave();
    }
}

/// A file for lines. Clones write to the same one.
#[derive(Clone)]
pub struct AuditFile(Arc<Shared>);

struct Shared {
    required: bool,
    writing: Mutex<Writing>,
}

struct Writing {
    path: PathBuf,
    file: Option<File>,
    /// The same, to look at its end. None of a pipe, and where it may be written and not read.
    end: Option<File>,
    /// Since when lines are counted.
    since: Instant,
    counts: BTreeMap<&'static str, Count>,
    /// What was done and has to be written down, since it couldn't be.
    kept: VecDeque<Vec<u8>>,
    /// Why the last line couldn't be written.
    failure: Option<String>,
    /// Whether a part of that line was written, as on a disk that became full. Where the file's end can be seen, that tells it better:
    /// others write to it, and leave.
    torn: bool,
    told: bool,
}

/// Lines of one kind.
#[derive(Default)]
struct Count {
    written: u64,
    dropped: u64,
}

impl Shared {
    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AuditFile {
    /// A file to add lines to, made if it isn't there, for nobody but its owner. If it is required, nothing is to be done that
    /// can't be written there. Whether it can be written shows in `failure`.
    pub fn new(path: &Path, required: bool) -> Self {
        let (path, since, counts) = (path.to_owned(), Instant::now(), BTreeMap::new());
        let kept = VecDeque::new();
        let (file, end, failure) = (None, None, None);
        let mut writing = Writing { path, file, end, since, counts, kept, failure, torn: false, told: false };
        writing.open();
        let shared = Arc::new(Shared { required, writing: Mutex::new(writing) });
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|file| file.strong_count() > 0);
        all.push(Arc::downgrade(&shared));
        Self(shared)
    }

    /// Adds a line, unless there are too many of its kind. False where it has to be written and isn't, so that what it is about
    /// may not be done.
    pub(super) fn write(&self, kind: &'static str, line: &[u8]) -> bool {
        let (required, mut writing) = (self.0.required, self.0.writing());
        let over = writing.since.elapsed() >= WINDOW;
        // Whoever rotates it makes the next one a moment later, where this process may make none.
        if writing.failure.is_some() && (required || over) {
            writing.resume();
        }
        if over {
            writing.tell_of_dropped();
            writing.since = Instant::now();
        }
        let count = writing.counts.entry(kind).or_default();
        // How often engines call is nothing that a component could flood it with.
        let bounded = !(required && kind == RPC);
        if bounded && count.written >= MOST {
            count.dropped = count.dropped.saturating_add(1);
            return !required;
        }
        count.written += 1;
        if writing.failure.is_none() && writing.put(line) {
            return true;
        }
        writing.missed(kind, line, required);
        !required
    }

    /// Why lines can't be written, once.
    pub(super) fn failure(&self) -> Option<String> {
        let mut writing = self.0.writing();
        if writing.told {
            return None;
        }
        let failure = writing.failure.clone()?;
        writing.told = true;
        Some(format!("the audit file {} can't be written: {failure}", writing.path.display()))
    }

    /// What fails, so that nothing may be done: the file is required and can't be written, still.
    pub(super) fn refusal(&self) -> Option<String> {
        if !self.0.required {
            return None;
        }
        let mut writing = self.0.writing();
        if writing.failure.is_some() {
            writing.resume();
        }
        let failure = writing.failure.as_ref()?;
        Some(format!("write to the audit file {}, which is required: {failure}", writing.path.display()))
    }
}

impl Writing {
    fn open(&mut self) {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        // A pipe that nobody reads would keep the provider from starting.
        regular::unhurried(&mut options);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&self.path).and_then(waiting) {
            Ok(file) => {
                // What there is of a line is in the file that it was written to.
                self.torn &= self.file.as_ref().is_some_and(|before| is_same(before.metadata(), file.metadata()));
                let is_file = file.metadata().is_ok_and(|found| found.is_file());
                let end = is_file.then(|| regular::open(&self.path).ok()).flatten();
                self.end = end.filter(|end| is_same(end.metadata(), file.metadata()));
                (self.file, self.failure) = (Some(file), None);
            }
            Err(error) => (self.file, self.end, self.failure) = (None, None, Some(error.to_string())),
        }
    }

    /// Tries again, and makes up for what couldn't be written.
    fn resume(&mut self) {
        self.open();
        if !self.put(&Line { event: "resumed", ..Line::default() }.written()) {
            return;
        }
        while let Some(line) = self.kept.pop_front() {
            if !self.put(&line) {
                self.kept.push_front(line);
                return;
            }
        }
        // Should it fail again, that is told again.
        self.told = false;
    }

    /// Adds a line. False if it isn't there.
    fn put(&mut self, line: &[u8]) -> bool {
        if self.file.as_ref().is_some_and(|file| !lies_at(file, &self.path)) {
            self.open();
        }
        let torn = self.end.as_ref().map_or(self.torn, ends_within_a_line);
        let Some(file) = &mut self.file else { return false };
        // What there is of a line spoils no other.
        let line = if torn { Cow::Owned([b"\n", line].concat()) } else { Cow::Borrowed(line) };
        // One write: what others append at the same time comes before or after it.
        let written = written_at_once(file, &line).and_then(|count| {
            self.torn = if count == 0 { self.torn } else { count < line.len() };
            if count == line.len() { Ok(()) } else { Err(io::Error::from(io::ErrorKind::WriteZero)) }
        });
        self.failure = written.err().map(|error| error.to_string());
        self.failure.is_none()
    }

    /// A line couldn't be written. What the engine had done is known to nobody else, and was done by then; of everything else there is
    /// the number.
    fn missed(&mut self, kind: &'static str, line: &[u8], required: bool) {
        if required && kind == RPC && self.kept.len() < KEPT {
            self.kept.push_back(line.to_owned());
            return;
        }
        let count = self.counts.entry(kind).or_default();
        count.dropped = count.dropped.saturating_add(1);
    }

    fn tell_of_dropped(&mut self) {
        for (of, Count { dropped, .. }) in std::mem::take(&mut self.counts) {
            if dropped > 0
                && !self.put(&Line { event: "dropped", of, count: Some(dropped), ..Line::default() }.written())
            {
                self.counts.insert(of, Count { written: 0, dropped });
            }
        }
    }

    /// Nothing more is to be written: what couldn't be is tried for the last time.
    fn leave(&mut self) {
        if self.failure.is_some() {
            self.resume();
        }
        self.tell_of_dropped();
        let dropped = self.counts.values().fold(0, |sum: u64, count| sum.saturating_add(count.dropped));
        let missing = dropped.saturating_add(u64::try_from(self.kept.len()).unwrap_or(u64::MAX));
        if let Some(failure) = self.failure.as_ref().filter(|_| missing > 0) {
            let path = self.path.display();
            tracing::warn!(
                "the audit file {path} can't be written: {failure}; lines that it lacks for ever: {missing}"
            );
        }
        (self.kept, self.counts) = (VecDeque::new(), BTreeMap::new());
    }
}

/// Writes what it is given in one go, as far as there is room. A signal that comes meanwhile is nobody's failure.
fn written_at_once(file: &mut File, line: &[u8]) -> io::Result<usize> {
    loop {
        match file.write(line) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            written => return written,
        }
    }
}

/// Whether what a file has at its end is a part of a line, by whomever. That of a line that another process is writing is all of it a moment
/// later.
fn ends_within_a_line(file: &File) -> bool {
    let mut file = file;
    let mut torn = || {
        let mut last = *b"\n";
        // An empty one has no end to look at.
        file.seek(SeekFrom::End(-1)).is_ok() && file.read(&mut last).is_ok() && last != *b"\n"
    };
    torn() && {
        std::thread::yield_now();
        torn()
    }
}

/// Whether a file still lies where it was opened. Nobody would find what is written to one that was deleted, or look for it in one that
/// was renamed.
fn lies_at(file: &File, path: &Path) -> bool {
    is_same(file.metadata(), path.metadata())
}

#[cfg(unix)]
fn is_same(one: io::Result<Metadata>, other: io::Result<Metadata>) -> bool {
    use std::os::unix::fs::MetadataExt;

    matches!((one, other), (Ok(one), Ok(other)) if (one.dev(), one.ino()) == (other.dev(), other.ino()))
}

#[cfg(not(unix))]
fn is_same(_one: io::Result<Metadata>, _other: io::Result<Metadata>) -> bool {
    true
}

/// A pipe that somebody reads may be full at times, which is no failure.
#[cfg(unix)]
fn waiting(file: File) -> io::Result<File> {
    rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND)?;
    Ok(file)
}

#[cfg(not(unix))]
fn waiting(file: File) -> io::Result<File> {
    Ok(file)
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn line() -> Vec<u8> {
        Line { event: "call", ..Line::default() }.written()
    }

    /// Held by whoever counts lines: one of them has all files tell at once what is missing.
    static COUNTING: Mutex<()> = Mutex::new(());

    fn counting() -> MutexGuard<'static, ()> {
        COUNTING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file whose lines are all of one second, however long they take.
    fn within_a_second(path: &Path, required: bool) -> AuditFile {
        let file = AuditFile::new(path, required);
        file.0.writing.lock().unwrap().since += Duration::from_secs(3_600);
        file
    }

    #[test]
    fn lines_are_added_and_the_rest_of_their_kind_is_counted() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("audit.jsonl");
        fs::write(&path, "before\n").unwrap();
        let _counting = counting();
        let file = within_a_second(&path, false);
        for _ in 0..MOST + 7 {
            file.write("call", &line());
        }
        file.write("denied", b"a decision\n");
        drop(file);
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let most = usize::try_from(MOST).unwrap();
        assert_eq!((lines[0], lines.len()), ("before", most + 3));
        assert_eq!(lines[most + 1], "a decision", "calls don't crowd out decisions");
        assert!(lines[most + 2].contains(r#""event":"dropped","of":"call","count":7"#), "{}", lines[most + 2]);
    }

    #[test]
    fn what_is_missing_is_told_before_a_process_leaves_whoever_still_writes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("audit.jsonl");
        let _counting = counting();
        let file = AuditFile::new(&path, false);
        file.0.writing.lock().unwrap().counts.entry("call").or_default().dropped = 7;
        let missing = || fs::read_to_string(&path).unwrap().matches(r#""of":"call","count":7"#).count();
        assert_eq!(missing(), 0);
        flush();
        assert_eq!(missing(), 1);
        drop(file);
        assert_eq!(missing(), 1, "once");
    }

    #[test]
    fn a_line_of_which_a_part_was_written_spoils_no_other() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("audit.jsonl");
        let text = || fs::read_to_string(&path).unwrap();
        fs::write(&path, "{\"time\":\"20").unwrap();
        let file = AuditFile::new(&path, true);
        for line in ["one\n", "two\n"] {
            assert!(file.write("call", line.as_bytes()));
        }
        assert_eq!(text(), "{\"time\":\"20\none\ntwo\n", "by a process that is gone");
        File::options().append(true).open(&path).unwrap().write_all(b"{\"ti").unwrap();
        assert!(file.write("call", b"three\n"));
        assert!(text().ends_with("two\n{\"ti\nthree\n"), "by another one meanwhile: {}", text());
        fs::write(&path, "{\"t").unwrap();
        let mut writing = file.0.writing.lock().unwrap();
        (writing.torn, writing.end) = (true, None);
        drop(writing);
        assert!(file.write("call", b"four\n") && file.write("call", b"five\n"));
        assert_eq!(text(), "{\"t\nfour\nfive\n", "in a file that nobody may read");
    }

    #[cfg(unix)]
    #[test]
    fn a_part_of_a_line_that_was_moved_away_leaves_nothing_in_the_next_file() {
        let directory = tempfile::tempdir().unwrap();
        for seen in [true, false] {
            let path = directory.path().join("audit.jsonl");
            let file = AuditFile::new(&path, true);
            fs::write(&path, "{\"t").unwrap();
            let mut writing = file.0.writing.lock().unwrap();
            (writing.torn, writing.failure) = (true, Some("No space left on device".to_owned()));
            writing.end = writing.end.take().filter(|_| seen);
            drop(writing);
            fs::rename(&path, directory.path().join("audit.1")).unwrap();
            assert!(file.write("call", &line()));
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.as_bytes().starts_with(crate::audit::BEGINNING), "{text}");
            assert_eq!(text.lines().count(), 2, "{text}");
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn what_has_to_be_written_and_is_not_is_said_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let _counting = counting();
        let written = |file: &str, required| {
            let file = within_a_second(&directory.path().join(file), required);
            (0..2 * MOST).filter(|_| file.write("allowed", &line())).count()
        };
        let (all, most) = (usize::try_from(2 * MOST).unwrap(), usize::try_from(MOST).unwrap());
        assert_eq!(written("a.jsonl", false), all);
        let told = written("b.jsonl", true);
        assert_eq!(told, most);
        assert_eq!(written("missing/c.jsonl", true), 0);
    }

    #[test]
    fn calls_of_the_engine_are_all_there_where_they_have_to_be() {
        let directory = tempfile::tempdir().unwrap();
        let _counting = counting();
        let lines = |name: &str, required, kind| {
            let path = directory.path().join(name);
            let file = within_a_second(&path, required);
            let told = (0..2 * MOST).filter(|_| file.write(kind, &line())).count();
            drop(file);
            (told, fs::read_to_string(&path).unwrap().lines().count())
        };
        let all = usize::try_from(2 * MOST).unwrap();
        assert_eq!(lines("required", true, RPC), (all, all));
        assert!(lines("not required", false, RPC).1 < all);
        assert!(lines("of the component", true, "call").1 < all, "which could fill the disk with them");
    }

    #[test]
    fn a_file_that_could_not_be_written_is_tried_again_though_nobody_requires_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing/audit.jsonl");
        let file = AuditFile::new(&path, false);
        file.write("call", b"lost\n");
        fs::create_dir(directory.path().join("missing")).unwrap();
        file.0.writing.lock().unwrap().since -= WINDOW;
        file.write("call", b"a line\n");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(r#""event":"resumed""#) && text.ends_with("}\na line\n"), "{text}");
    }

    #[test]
    fn what_was_done_is_written_down_once_that_is_possible() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing/audit.jsonl");
        let file = AuditFile::new(&path, true);
        assert!(!file.write(RPC, b"one\n") && !file.write(RPC, b"two\n"));
        assert!(!file.write("allowed", b"what is not allowed for it\n"));
        assert!(file.refusal().is_some() && file.failure().is_some());
        fs::create_dir(directory.path().join("missing")).unwrap();
        assert_eq!(file.refusal(), None);
        let lines = || fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(lines()[0].contains(r#""event":"resumed""#), "{:?}", lines());
        assert_eq!(lines()[1..], ["one", "two"]);
        fs::remove_dir_all(directory.path().join("missing")).unwrap();
        file.write(RPC, b"three\n");
        assert!(file.failure().is_some(), "it fails again, and that is told again");
        fs::create_dir(directory.path().join("missing")).unwrap();
        drop(file);
        assert_eq!(lines()[1], "three", "at the latest where the process leaves: {:?}", lines());
    }

    #[test]
    fn of_what_could_not_be_written_and_nobody_requires_there_is_the_number() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing/audit.jsonl");
        let file = AuditFile::new(&path, false);
        assert!(file.write("call", b"one\n") && file.write("call", b"two\n") && file.write(RPC, b"three\n"));
        fs::create_dir(directory.path().join("missing")).unwrap();
        drop(file);
        let text = fs::read_to_string(&path).unwrap();
        for missing in [r#""of":"call","count":2"#, r#""of":"rpc","count":1"#] {
            assert!(text.contains(missing), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("audit.jsonl");
        let _file = AuditFile::new(&path, false);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0);
    }

    #[cfg(unix)]
    #[test]
    fn lines_are_where_the_file_is_called_so_whatever_became_of_the_one_before() {
        let directory = tempfile::tempdir().unwrap();
        let [path, renamed] = ["audit.jsonl", "audit.jsonl.1"].map(|name| directory.path().join(name));
        let file = AuditFile::new(&path, true);
        let written = |line: &str| file.write("call", line.as_bytes());
        assert!(written("one\n"));
        fs::rename(&path, &renamed).unwrap();
        assert!(written("two\n"));
        assert_eq!([&path, &renamed].map(|path| fs::read_to_string(path).unwrap()), ["two\n", "one\n"]);
        fs::remove_file(&path).unwrap();
        assert!(written("three\n"));
        File::create(&path).unwrap();
        assert!(written("four\n"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "four\n");
        fs::remove_file(&path).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        assert!(!written("five\n"), "nobody reads it");
        assert!(file.refusal().is_some());
        fs::remove_file(&path).unwrap();
        assert_eq!(file.refusal(), None);
        drop(directory);
        assert!(!written("six\n"), "there is no place for it");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_is_waited_for_at_the_other_end_of_a_pipe() {
        use std::io::Read;

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
        assert!(AuditFile::new(&path, true).refusal().is_some(), "nobody reads it");
        let mut reader = File::options();
        let mut reader = crate::regular::unhurried(reader.read(true)).open(&path).unwrap();
        let file = AuditFile::new(&path, true);
        assert!(file.write("call", b"a line\n"));
        let mut read = [0; 16];
        assert_eq!(reader.read(&mut read).unwrap(), 7);
    }

    /// Whoever reads a pipe may be waited for by its writers, and no second one is to be there for them.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_opened_by_nobody_who_does_not_write_to_it() {
        use rustix::fs::inotify;

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
        let mut reader = File::options();
        let _reader = crate::regular::unhurried(reader.read(true)).open(&path).unwrap();
        let closed = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
        inotify::add_watch(&closed, &path, inotify::WatchFlags::CLOSE_NOWRITE).unwrap();
        assert!(AuditFile::new(&path, true).write("call", b"a line\n"));
        assert_eq!(rustix::io::read(&closed, &mut [0; 64]), Err(rustix::io::Errno::AGAIN));
    }

    #[test]
    fn what_cannot_be_written_is_told_once_and_refused_until_it_can() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing/audit.jsonl");
        let file = AuditFile::new(&path, true);
        let told = file.failure().unwrap();
        assert!(told.starts_with(&format!("the audit file {} can't be written: ", path.display())), "{told}");
        assert_eq!(file.failure(), None);
        assert!(file.refusal().unwrap().starts_with("write to the audit file "));
        fs::create_dir(directory.path().join("missing")).unwrap();
        assert_eq!(file.refusal(), None);
        file.write("call", &line());
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
        assert_eq!(AuditFile::new(&directory.path().join("not/there"), false).refusal(), None);
    }
}

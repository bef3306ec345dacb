//! What a system hasn't enough of for this process, and who gives it more.
//!
//! An error of the system names the shortage and no remedy, and what is in hand when it comes (a file, a port) has nothing to do with it:
//! somebody who is told to look at that file looks in vain.

use std::error::Error;
use std::io;

/// What to do about an error that is a shortage of the system's. None if it is something else.
pub(crate) fn remedy(error: &io::Error) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use rustix::io::Errno;

        const FILES: &str = "let processes have more files open (`ulimit -n`)";
        const FILES_OF_ALL: &str = "end what has many files open, or let this system have more (`sysctl fs.file-max`)";
        const THREADS: &str =
            "let this user have more processes and threads (`ulimit -u`, or the `pids` of a control group)";
        const MEMORY: &str =
            "let this process have more memory and addresses (`ulimit -v`, or the `memory` of a control group)";
        match Errno::from_io_error(error)? {
            Errno::MFILE => Some(FILES),
            Errno::NFILE => Some(FILES_OF_ALL),
            Errno::AGAIN => Some(THREADS),
            Errno::NOMEM => Some(MEMORY),
            _ => None,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        None
    }
}

/// The system's error, if that is what another one comes from.
pub(crate) fn error_of_system(cause: &(dyn Error + 'static)) -> Option<io::Error> {
    #[cfg(unix)]
    if let Some(errno) = cause.downcast_ref::<rustix::io::Errno>() {
        return Some((*errno).into());
    }
    let error = cause.downcast_ref::<io::Error>()?;
    Some(error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error))
}

/// Whether this process, or the whole system, has as many files and connections open as it can have.
pub(crate) fn is_of_files(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;

        matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn a_shortage_names_what_gives_more_and_nothing_else_is_one() {
        let told = |errno: Errno| remedy(&errno.into());
        for (errno, named) in [
            (Errno::MFILE, "ulimit -n"),
            (Errno::NFILE, "file-max"),
            (Errno::AGAIN, "ulimit -u"),
            (Errno::NOMEM, "ulimit -v"),
        ] {
            assert!(told(errno).is_some_and(|remedy| remedy.contains(named)), "{errno:?}");
            assert_eq!(is_of_files(&errno.into()), matches!(errno, Errno::MFILE | Errno::NFILE), "{errno:?}");
        }
        assert_eq!((told(Errno::NOENT), told(Errno::IO), remedy(&io::Error::other("no"))), (None, None, None));
    }
}

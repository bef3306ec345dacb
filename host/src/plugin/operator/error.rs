//! Why an operator's file keeps a provider from being served.

use std::io;
use std::path::PathBuf;

use bulkhead_policy::OperatorFileError;

use crate::scarcity;

/// Why an operator's file can't be followed.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// It can't be read.
    #[error("read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It isn't what an operator's file is.
    #[error("follow {}: {error}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        error: OperatorFileError,
    },
    /// It grants, where only narrowing is possible.
    #[error(
        "follow {}: it grants the provider `{provider}` something, which only a project's file can; write what it may at most \
         under [providers.{provider}.allow]",
        path.display()
    )]
    GrantsAbove {
        /// The file.
        path: PathBuf,
        /// The provider.
        provider: String,
    },
    /// It has files written that lie elsewhere, where only files of one's own project are anybody's to name.
    #[error(
        "follow {}: it has records written to {}, which lies outside of the project, or in its `.git`; only the user's or the \
         organisation's file can say so",
        path.display(), file.display()
    )]
    RecordsElsewhere {
        /// The file.
        path: PathBuf,
        /// The file of the records.
        file: PathBuf,
    },
    /// It has records added to what are none.
    #[error("follow {}: it has records added to {}, which is there and holds something else", path.display(), file.display())]
    RecordsAmongOthers {
        /// The file.
        path: PathBuf,
        /// The file of the records.
        file: PathBuf,
    },
}

impl OperatorError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { error, .. } => scarcity::remedy(error).unwrap_or(match error.kind() {
                io::ErrorKind::PermissionDenied => {
                    "let whoever runs providers read it: what it says holds for all of them"
                }
                io::ErrorKind::InvalidData => {
                    "save it as UTF-8: it is in another encoding, as some editors and shells write it"
                }
                _ => {
                    "put back the file that was meant, or take away what is in its place if nothing was to be said there"
                }
            }),
            // Several people use a project's file, and not all of them the same Bulkhead.
            Self::Malformed { error, .. } if error.is_about_something_unknown() => concat!(
                "docs/operator.md has the form of the file; what Bulkhead ",
                env!("CARGO_PKG_VERSION"),
                " doesn't know, a later one may"
            ),
            // Whoever has only a bundle has no document.
            Self::Malformed { error, .. } if error.is_about_something_twice() => {
                "each name stands once in a table: put all of it into one list or table, or what is granted into a second block \
                 [[providers.NAME.grants]] with the same digest"
            }
            Self::RecordsAmongOthers { .. } => "name a file of its own under [audit], such as \"audit.jsonl\", or none",
            Self::Malformed { .. } | Self::GrantsAbove { .. } | Self::RecordsElsewhere { .. } => {
                "docs/operator.md has the form of the file"
            }
        }
    }
}

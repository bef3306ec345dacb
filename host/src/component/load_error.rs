//! Why a component can't be loaded, and what to do about it.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;

use super::sections::SectionsError;
use super::shape::ShapeError;
use crate::provider::shortened;
use crate::scarcity;

/// What to do about an export that isn't the contract's.
pub(super) const REBUILT: &str = "build the provider with an SDK for this host's version";

/// Why a component can't be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file can't be read.
    #[error("can't read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file isn't a component.
    #[error("{error}")]
    NotAComponent {
        /// What it is.
        #[from]
        error: SectionsError,
    },
    /// The compiler refused it.
    #[error("the component can't be compiled: {}", said(.0))]
    Compile(String),
    /// It is too much to be compiled.
    #[error("the component isn't compiled: {error}")]
    Shape {
        /// What is too much.
        #[from]
        error: ShapeError,
    },
    /// It is larger than it may be.
    #[error("the component has {}, and may have {}", ByteSize::b(*found), ByteSize::b(*limit))]
    Large {
        /// Its size, bytes.
        found: u64,
        /// The limit, bytes.
        limit: u64,
        /// Where it is set, if anybody can set it.
        place: Option<String>,
    },
    /// The compiler's process ended over it.
    #[error("the component can't be compiled: the compiler {}, and ended ({how})", over(*memory))]
    Crashed {
        /// What it might have, bytes.
        memory: Option<u64>,
        /// Whether an honest component may need more: there was little, or the system ended it.
        scarce: bool,
        /// How it ended.
        how: String,
    },
    /// No process or thread could be started, or asked, to compile it, or the system refused that what it needs.
    #[error("the component can't be compiled: nothing can do it here: {0}")]
    NoCompiler(std::io::Error),
    /// The system keeps its machine code from being run.
    #[error("the component can't be run: this process can't have its machine code in memory: {0}")]
    Unmapped(std::io::Error),
    /// It takes longer to compile than it may.
    #[error("compiling the component took longer than {} s", limit.as_secs_f64())]
    Slow {
        /// The limit.
        limit: Duration,
        /// Where it is set.
        place: String,
    },
    /// It wants something that this host doesn't have.
    #[error("the component needs imports that this host doesn't offer: {}", said(.0))]
    Link(String),
    /// It exports nothing of the contract.
    #[error("the component isn't a provider: it exports {}", listed(exports))]
    NotAProvider {
        /// What it exports.
        exports: Vec<String>,
    },
    /// It speaks another version of the contract.
    #[error(
        "the component exports `bulkhead:provider/{interface}` of contract {}, and this host speaks {supported}",
        said(found)
    )]
    Contract {
        /// The interface.
        interface: String,
        /// Its version.
        found: String,
        /// The host's version.
        supported: &'static str,
    },
    /// An interface lacks a function.
    #[error("the component's export `{interface}` isn't what the contract says: it has no `{function}`")]
    Export {
        /// The interface.
        interface: String,
        /// The function.
        function: String,
    },
}

impl LoadError {
    /// What keeps this process from having machine code in memory, if that is what an error comes from: none of the component's faults.
    pub(super) fn unmapped(error: &wasmtime::Error) -> Option<Self> {
        scarcity::error_of_system(error.root_cause()).map(Self::Unmapped)
    }

    /// What to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Large { place: Some(place), .. } => {
                return format!("if it is to be that large, set the limit `component` in {place}").into();
            }
            Self::Slow { place, .. } => {
                return format!("if it is to take that long, set the limit `compile` in {place}").into();
            }
            Self::Large { place: None, .. } => "no provider is that large; name another file",
            Self::Unreadable { error, .. } => scarcity::remedy(error).unwrap_or_else(|| unread(error)),
            Self::NotAComponent { error: SectionsError::CoreModule } => {
                "build for the target wasm32-wasip2: `bulkhead build` does"
            }
            Self::NotAComponent { .. } => "the file may be incomplete; build or download it again",
            Self::Compile(_) => "the file may be damaged, or use proposals that this host doesn't know; build it again",
            Self::Crashed { scarce: true, .. } => {
                "if you know where it comes from, let this process have more memory (`ulimit -v`, or the `memory` of a control group), or \
                 run the component once where there is more, with the same BULKHEAD_CACHE_DIR"
            }
            Self::Crashed { scarce: false, .. } => {
                "no provider's code is known to do that; don't run it unless you know where it comes from, and then where there is \
                 more memory"
            }
            Self::NoCompiler(error) => scarcity::remedy(error).unwrap_or(
                "let Bulkhead start its own executable as a process, or run the component once where it may, with the same \
                 BULKHEAD_CACHE_DIR",
            ),
            Self::Unmapped(error) => scarcity::remedy(error).unwrap_or(
                "let this process run code that it made: its service says `MemoryDenyWriteExecute`, or a policy of the system forbids it",
            ),
            Self::Shape { .. } => "no provider's code is like that; don't run it unless you know where it comes from",
            // It may be of an earlier version, or a host that was left behind.
            Self::Link(_) | Self::Contract { .. } => {
                "use a Bulkhead of the version that it was built for, or build the provider with an SDK for this host's version"
            }
            Self::NotAProvider { .. } => {
                "a provider exports `bulkhead:provider/schema` at least; use the SDK's `provider!`"
            }
            Self::Export { .. } => REBUILT,
        })
    }
}

/// What to do about a file that can't be read, unless what it lies on is broken.
fn unread(error: &std::io::Error) -> &'static str {
    #[cfg(unix)]
    if let Some(rustix::io::Errno::IO | rustix::io::Errno::STALE) = rustix::io::Errno::from_io_error(error) {
        return "see whether the disk that it lies on is in order, or name a copy elsewhere";
    }
    let _ = error;
    "name an existing .wasm file that you may read"
}

fn over(memory: Option<u64>) -> String {
    match memory {
        Some(memory) => format!("needed more memory than the {} that it may have, or crashed", ByteSize::b(memory)),
        None => "had no memory left, or crashed".to_owned(),
    }
}

/// The most characters of what others say of a component.
const WORDS: usize = 1_000;

/// What others say of a component. They repeat names that it has, which may be of any length and have lines of their own.
pub(super) fn said(words: &str) -> String {
    shortened(words.split_whitespace().collect::<Vec<_>>().join(" "), WORDS)
}

/// Names that are shown, and the most characters of each: a component may have any number, of any length.
const NAMES: (usize, usize) = (8, 100);

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    let (most, longest) = NAMES;
    let shown: Vec<_> = names.iter().take(most).map(|name| shortened(said(name), longest)).collect();
    let more = names.len().saturating_sub(most);
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    shown.join(", ") + &rest
}

//! What is denied, why, and which line would grant it.
//!
//! A denial is the first thing that an operator of somebody else's provider reads. It has to be enough to go on.

use std::collections::HashSet;
use std::fmt;
use std::net::IpAddr;

use crate::address::Reached;
use crate::request::Phase;
use crate::template::Unbound;

/// A kind of permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capability {
    /// To talk to endpoints.
    Network,
    /// To read environment variables.
    Environment,
    /// To use directories.
    Filesystem,
    /// To have the engine use other packages.
    Packages,
}

/// A denied permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// Of what kind.
    pub capability: Capability,
    /// What was to be used.
    pub subject: String,
    /// Why not.
    pub why: Why,
    /// What would change that, where anything does.
    pub remedy: Option<Remedy>,
}

/// What would change a denial, as somebody may do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// To run a command, or to add an entry by hand. In a box, since denials are errors that are returned all over.
    Grant(Box<Granting>),
    /// Whatever else, in words.
    Other(String),
}

/// What grants something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granting {
    /// A command, as a shell takes it.
    pub command: String,
    /// An entry, and where it belongs.
    pub entry: String,
    /// Whether the component is being developed, so that the command may grant to its later builds as well.
    pub development: bool,
}

/// Why a permission is denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nobody gets it.
    Never(&'static str),
    /// The component never asked for it.
    NotRequested,
    /// Nobody grants it.
    NotGranted,
    /// Nobody grants it to this component, though something is granted to others of this name, or to this one by another name.
    GrantedTo(Others),
    /// It is granted, but not in this phase.
    Phase(Phase),
    /// It is granted for other HTTP methods.
    Method,
    /// What would grant it refers to a configuration that doesn't say.
    Unbound(Box<Unbound>),
    /// Files that narrow don't allow it: all of them, since whoever mends one would hear of the next only then.
    Above(Vec<Narrowing>),
    /// Its name stands for an address that isn't granted, and for so many others that aren't either.
    Address(IpAddr, Reached, usize),
    /// Whatever stands in the way, in words.
    Other(String),
}

/// A table that doesn't allow something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowing {
    /// The file that it stands in.
    pub file: String,
    /// The table.
    pub table: String,
}

/// Whose grants don't count for a component, though somebody may have meant it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Others {
    /// Those of this very digest under another provider's name.
    Name(String),
    /// Those of other digests.
    Digests,
    /// Whatever is being developed, which this component isn't.
    Development,
}

impl Denial {
    /// What can be done about it.
    pub fn hint(&self) -> Option<String> {
        self.remedy.as_ref().map(ToString::to_string)
    }

    /// The same for who reads it after others: a command that they have named is referred to, and not said again.
    pub fn hint_after(&self, said: &mut HashSet<String>) -> Option<String> {
        match self.remedy.as_ref()? {
            Remedy::Grant(granting) if !said.insert(granting.command.clone()) => {
                Some(format!("the same command grants it, or add {}", granting.entry))
            }
            remedy => Some(remedy.to_string()),
        }
    }
}

impl Remedy {
    /// The same with other texts in it, e.g. without what is secret.
    pub fn map(self, mut told: impl FnMut(String) -> String) -> Self {
        match self {
            Self::Grant(granting) => {
                let Granting { command, entry, development } = *granting;
                Self::Grant(Box::new(Granting { command: told(command), entry: told(entry), development }))
            }
            Self::Other(words) => Self::Other(told(words)),
        }
    }
}

/// As it reads after "hint:".
impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grant(granting) => {
                let later = if granting.development { " (with `--dev` for later builds too)" } else { "" };
                write!(f, "run `{}`{later}, or add {}", granting.command, granting.entry)
            }
            Self::Other(words) => f.write_str(words),
        }
    }
}

impl From<String> for Remedy {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}

impl From<&str> for Remedy {
    fn from(words: &str) -> Self {
        Self::Other(words.to_owned())
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Network => "network",
            Self::Environment => "environment",
            Self::Filesystem => "filesystem",
            Self::Packages => "packages",
        })
    }
}

/// As it reads after "is denied:".
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never(reason) => write!(f, "no grant allows {reason}"),
            Self::NotRequested => f.write_str("the component's manifest doesn't ask for it"),
            Self::NotGranted => f.write_str("nothing grants it"),
            Self::GrantedTo(Others::Name(name)) => {
                write!(
                    f,
                    "nothing grants it, since bulkhead.toml has what it grants to this digest under the name `{name}`"
                )
            }
            Self::GrantedTo(Others::Digests) => f.write_str("nothing grants it to this digest"),
            Self::GrantedTo(Others::Development) => f.write_str(
                "nothing grants it to this digest, and digest = \"dev\" counts only where a provider is developed",
            ),
            Self::Phase(phase) => write!(f, "it is granted, but not in {phase}"),
            Self::Method => f.write_str("it is granted for other methods"),
            Self::Unbound(unbound) => write!(f, "the grant {unbound}"),
            Self::Above(tables) => {
                let told: Vec<String> = tables.iter().map(ToString::to_string).collect();
                write!(f, "{} {} allow it", told.join(" and "), if told.len() > 1 { "don't" } else { "doesn't" })
            }
            Self::Address(address, reached, others) => {
                write!(f, "it stands for {address}, {reached}")?;
                match others {
                    0 => Ok(()),
                    1 => f.write_str(" (1 more is denied with it)"),
                    others => write!(f, " ({others} more are denied with it)"),
                }
            }
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

impl fmt::Display for Narrowing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.table, self.file)
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { capability, subject, why, .. } = self;
        write!(f, "{capability} {subject} is denied: {why}")
    }
}

impl std::error::Error for Denial {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_named_once_and_referred_to_afterwards() {
        let denial = |subject: &str, remedy: Remedy| Denial {
            capability: Capability::Environment,
            subject: subject.to_owned(),
            why: Why::NotGranted,
            remedy: Some(remedy),
        };
        let grant = |command: &str, entry: &str| {
            Remedy::Grant(Box::new(Granting {
                command: command.to_owned(),
                entry: entry.to_owned(),
                development: false,
            }))
        };
        let all = [
            denial("A", grant("bulkhead grant a.wasm", "environment = [\"A\"] in bulkhead.toml")),
            denial("B", grant("bulkhead grant a.wasm", "environment = [\"B\"] in bulkhead.toml")),
            denial("C", grant("bulkhead grant a.wasm --widen", "environment = [\"C\"] in bulkhead.toml")),
            denial("D", "add environment = [\"D\"] in bulkhead.toml".into()),
        ];
        let mut said = HashSet::new();
        let hints: Vec<String> = all.iter().filter_map(|denial| denial.hint_after(&mut said)).collect();
        assert_eq!(
            hints,
            [
                "run `bulkhead grant a.wasm`, or add environment = [\"A\"] in bulkhead.toml",
                "the same command grants it, or add environment = [\"B\"] in bulkhead.toml",
                "run `bulkhead grant a.wasm --widen`, or add environment = [\"C\"] in bulkhead.toml",
                "add environment = [\"D\"] in bulkhead.toml",
            ]
        );
    }
}

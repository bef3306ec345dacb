//! `bulkhead serve`: a provider that engines attach to, loaded again whenever its file changes.

use std::io::Write;
use std::path::Path;

use super::error::{CommandError, report};
use crate::component::Cache;
use crate::plugin::{self, PluginError, Served, Told};

/// Serves a component until Ctrl-C.
///
/// # Errors
/// A file that isn't a usable provider, or a port that is taken.
pub(super) async fn serve(component: &Path, port: u16, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let path = component.to_owned();
    let tell = move |told: Told<'_>| match told {
        Told::Serving(served, port) => say(&format!(
            "serving {} from {}\n{}\
             to use it, in another terminal (with others that are served, joined by commas):\n\
             \x20 export PULUMI_DEBUG_PROVIDERS={}:{port}\n\
             Ctrl-C ends",
            described(&served),
            path.display(),
            warning(&served),
            served.name
        )),
        Told::Reloaded(served) => {
            say(&format!("{}reloaded {}; the next run uses it", warning(&served), described(&served)));
        }
        Told::Refused(error) => {
            // Its exit code is for a process that fails.
            let _ = report(&Refused(error), hint(error));
        }
    };
    plugin::serve(component, port, cache, tell).await.map_err(|error| {
        let told = CommandError::new(error.to_string());
        match hint(&error) {
            Some(hint) => told.hint(hint),
            None => told,
        }
    })?;
    Ok(Vec::new())
}

/// A new file that can't be served.
#[derive(Debug, thiserror::Error)]
#[error("{0}; {until}", until = until(.0))]
struct Refused<'a>(&'a PluginError);

/// What goes on until it can be.
fn until(error: &PluginError) -> &'static str {
    match error {
        // What an operator wrote down isn't known any more, so nothing may be done.
        PluginError::Operator(_) => "runs are refused until that is mended",
        _ => "what was loaded before is still served",
    }
}

fn hint(error: &PluginError) -> Option<String> {
    match error {
        PluginError::OtherPackage { .. } => {
            Some("one port is one provider's: serve the other one by itself".to_owned())
        }
        error => error.hint(),
    }
}

/// A line of its own, if there is anything to warn of.
fn warning(served: &Served) -> String {
    served.warning.as_ref().map(|warning| format!("warning: {warning}\n")).unwrap_or_default()
}

fn described(served: &Served) -> String {
    let version = served.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    format!("{}{version} (sha256:{})", served.name, served.digest)
}

/// Writes to stdout at once. With it closed there is nobody left to tell.
fn say(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::OperatorError;

    #[test]
    fn who_looks_on_is_told_whether_anything_is_served() {
        let unreadable = OperatorError::Unreadable { path: "b.toml".into(), error: std::io::Error::other("gone") };
        let refused = Refused(&PluginError::Operator(unreadable)).to_string();
        assert_eq!(refused, "read b.toml: gone; runs are refused until that is mended");
        let kept = Refused(&PluginError::Runtime(std::io::Error::other("no").into())).to_string();
        assert_eq!(kept, "start the WebAssembly engine: no; what was loaded before is still served");
    }
}

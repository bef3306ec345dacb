//! `bulkhead new`: the files of a small provider, to begin with.
//!
//! They are those of `examples/random-string` under another name, so that what an author begins with is what the tree's own tests build.

use std::fs;
use std::io;
use std::path::Path;

use bulkhead_schema::{Package, Problem, SchemaError};

use super::error::CommandError;
use crate::plugin::BASE;

/// What the example is called.
const EXAMPLE: &str = "random-string";
/// Where the example has the SDK.
const SDK: &str = r#""../../guest-sdk""#;
/// The example's files.
const FILES: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../../../examples/random-string/Cargo.toml")),
    ("Cargo.lock", include_str!("../../../examples/random-string/Cargo.lock")),
    ("src/lib.rs", include_str!("../../../examples/random-string/src/lib.rs")),
    ("src/tests.rs", include_str!("../../../examples/random-string/src/tests.rs")),
];

/// Writes a provider to a directory of its name, and says what to do next.
///
/// # Errors
/// A name that no package may have, a directory that is there, or an SDK that isn't.
pub(super) fn new(name: &str, sdk: &Path) -> Result<Vec<u8>, CommandError> {
    let failed = |what: &str| CommandError::new(format!("make the provider {name}: {what}"));
    if let Err(error) = Package::parse(serde_json::json!({ "name": name }).to_string().as_bytes()) {
        return Err(match &error {
            // Of the form of names, and taken or too long.
            SchemaError::Problems(problems) if let [Problem { message, hint: None, .. }] = problems.as_slice() => {
                failed(message).hint("give it another name")
            }
            _ => failed("that is no package name").hint("use letters, digits, `-` and `_`, a letter first"),
        });
    }
    if packages().any(|package| package == name) {
        return Err(failed("that is a package that providers are built with").hint("give it another name"));
    }
    if name == BASE {
        return Err(failed("that is the base provider's name").hint("give it another name"));
    }
    let sdk = dependency(sdk).ok_or_else(|| {
        failed(&format!("there is no SDK in {}", sdk.display()))
            .hint("name the directory `guest-sdk` of a checkout of Bulkhead: `--sdk DIR`")
    })?;
    write(name, &sdk).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => failed("its directory is there already").hint("give it another name"),
        _ => failed(&error.to_string()).due_to(&error, "go to a directory that you may write to and that has room"),
    })?;
    let said = format!(
        "{name}: a provider of random strings\nnext: bulkhead build {name}\n      bulkhead check {name}.wasm\n"
    );
    Ok(said.into_bytes())
}

/// What the example is built with. No package can be built with another one of its name, nor with itself.
fn packages() -> impl Iterator<Item = &'static str> {
    let [_, (_, lock), ..] = FILES;
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    names.filter(|name| *name != EXAMPLE)
}

/// The SDK's directory as a provider's Cargo.toml has it, if it is there. A relative one is seen from the provider's directory.
fn dependency(sdk: &Path) -> Option<String> {
    let manifest = fs::read_to_string(sdk.join("Cargo.toml")).ok()?;
    if !manifest.lines().any(|line| line.trim() == r#"name = "bulkhead-sdk""#) {
        return None;
    }
    let seen = Path::new("..").join(sdk);
    Some(toml_edit::Value::from(seen.to_str()?).to_string())
}

/// Writes the example's files under another name: all of them, or none.
fn write(name: &str, sdk: &str) -> io::Result<()> {
    let directory = Path::new(name);
    fs::create_dir(directory)?;
    let written = fs::create_dir(directory.join("src")).and_then(|()| {
        FILES.iter().try_for_each(|(file, text)| fs::write(directory.join(file), renamed(text, name, sdk)))
    });
    written.inspect_err(|_| {
        // Nobody else's is in it: it wasn't there a moment ago. With it the next attempt would be told that the name is taken.
        let _ = fs::remove_dir_all(directory);
    })
}

fn renamed(text: &str, name: &str, sdk: &str) -> String {
    text.replace(EXAMPLE, name).replace(SDK, sdk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_that_would_be_built_with_itself_is_refused() {
        let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest-sdk");
        for name in ["bulkhead-sdk", "serde", "wit-bindgen"] {
            let error = new(name, &sdk).unwrap_err().to_string();
            assert!(error.contains("a package that providers are built with"), "{error}");
        }
        assert!(!packages().any(|package| package == EXAMPLE), "it is this one that is renamed");
    }

    #[test]
    fn a_name_that_no_package_may_have_is_told_why() {
        for (name, why) in [
            ("pulumi", "'pulumi' is a reserved name; give it another name"),
            ("input", "'input' is a reserved name; give it another name"),
            ("2shop", "that is no package name; use letters, digits, `-` and `_`, a letter first"),
        ] {
            let error = new(name, Path::new("nowhere")).unwrap_err();
            let told = format!("{}; {}", error.message, error.hint.unwrap_or_default());
            assert_eq!(told, format!("make the provider {name}: {why}"));
        }
    }

    #[test]
    fn nothing_of_the_example_s_place_is_left() {
        for (file, text) in FILES {
            let text = renamed(text, "shop", "\"../sdk\"");
            assert!(!text.contains(EXAMPLE) && !text.contains("guest-sdk"), "{file}: {text}");
        }
        assert!(renamed(FILES[0].1, "shop", "\"../sdk\"").contains("bulkhead-sdk = { path = \"../sdk\" }"));
    }
}

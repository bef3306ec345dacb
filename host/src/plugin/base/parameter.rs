//! What is recorded of a component: where it was, and which one it was.

use serde::{Deserialize, Serialize};

use super::error::ParameterError;

/// The longest parameter that is read, bytes. Ours have a few hundred.
const LONGEST: usize = 64 << 10;
const ALGORITHM: &str = "sha256:";

/// A reference to a component, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameter {
    /// The path that it was added by. A relative one starts at the project's directory.
    pub(super) source: String,
    /// `sha256:` and the component's digest.
    digest: String,
    /// The package's version, for people who read it.
    version: String,
}

impl Parameter {
    pub(super) fn new(source: &str, digest: &str, version: &str) -> Self {
        Self { source: source.to_owned(), digest: format!("{ALGORITHM}{digest}"), version: version.to_owned() }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads what was recorded for a package.
    ///
    /// # Errors
    /// Bytes that this host didn't record.
    pub(super) fn parse(name: &str, bytes: &[u8]) -> Result<Self, ParameterError> {
        let malformed = |reason: String| ParameterError::Malformed { name: name.to_owned(), reason };
        if bytes.len() > LONGEST {
            return Err(malformed(format!("it has {} bytes, more than a reference to a component has", bytes.len())));
        }
        let parameter: Self = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        // It becomes part of a file's name.
        let hexadecimal = |digest: &str| {
            digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        };
        if parameter.digest.strip_prefix(ALGORITHM).is_some_and(hexadecimal) {
            Ok(parameter)
        } else {
            Err(malformed("`digest` isn't `sha256:` and 64 hexadecimal digits".to_owned()))
        }
    }

    /// The package's version when it was added.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// The digest, without its algorithm.
    pub(super) fn digest(&self) -> &str {
        self.digest.strip_prefix(ALGORITHM).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_is_read_again() {
        let digest = "0a".repeat(32);
        let parameter = Parameter::new("./x.wasm", &digest, "1.0.0");
        let bytes = parameter.to_bytes();
        assert_eq!(
            String::from_utf8(bytes.clone()).unwrap(),
            format!(r#"{{"source":"./x.wasm","digest":"sha256:{digest}","version":"1.0.0"}}"#)
        );
        let read = Parameter::parse("x", &bytes).unwrap();
        assert_eq!((read.digest(), &read), (digest.as_str(), &parameter));
    }

    #[test]
    fn nothing_else_is_taken_for_a_reference() {
        let reason = |text: &str| Parameter::parse("x", text.as_bytes()).unwrap_err().to_string();
        assert!(reason("").starts_with("read the recorded parameter of the package `x`: EOF"), "{}", reason(""));
        assert!(reason("\0asm").ends_with("expected value at line 1 column 1"), "{}", reason("\0asm"));
        for digest in ["../../x".to_owned(), "../x".repeat(16), "0G".repeat(32), "0A".repeat(32), "0a".repeat(33)] {
            let escaping = format!(r#"{{"source": "x", "digest": "sha256:{digest}", "version": "1.0.0"}}"#);
            let told = reason(&escaping);
            assert!(told.ends_with("`digest` isn't `sha256:` and 64 hexadecimal digits"), "{digest}: {told}");
        }
        let later = r#"{"source": "x", "digest": "", "version": "", "signature": ""}"#;
        assert!(reason(later).contains("unknown field `signature`"), "{}", reason(later));
        let whole = " ".repeat(LONGEST + 1);
        assert!(reason(&whole).contains("it has 65537 bytes"), "{}", reason(&whole));
    }
}

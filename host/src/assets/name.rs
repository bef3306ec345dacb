//! Names of members: what an archive calls them may not lead anywhere else once a guest writes them down.

use std::borrow::Cow;

use super::AssetError;

/// The longest name, in bytes.
const LONGEST: usize = 4_096;

/// A member's name with `/` between levels, without empty levels and `.`.
///
/// # Errors
/// A name that is empty, absolute, leads upwards, or means different things on different machines.
pub(super) fn cleaned(name: &str) -> Result<Cow<'_, str>, AssetError> {
    let refused = |why: &str| {
        let shown: String = name.escape_debug().take(200).collect();
        Err(AssetError::Malformed(format!("the archive has a member called `{shown}`, and {why}")))
    };
    if name.len() > LONGEST {
        return refused("the name is too long");
    }
    if name.starts_with('/') {
        return refused("an absolute name leads out of it");
    }
    if name.contains('\\') {
        return refused("a backslash means different things on different machines");
    }
    if name.contains('\0') {
        return refused("names have no NUL");
    }
    let left_out = |level: &str| matches!(level, "" | ".");
    if name.split('/').any(|level| level == "..") {
        return refused("`..` leads out of it");
    }
    // Most are written so.
    if !name.split('/').any(left_out) {
        return Ok(Cow::Borrowed(name));
    }
    let levels: Vec<&str> = name.split('/').filter(|level| !left_out(level)).collect();
    if levels.is_empty() {
        return refused("that is no name");
    }
    Ok(Cow::Owned(levels.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_one_way() {
        for (name, clean) in [("a", "a"), ("./a/./b", "a/b"), ("a//b", "a/b"), ("..a/b..", "..a/b.."), ("é/ü", "é/ü")]
        {
            assert_eq!(cleaned(name).unwrap(), clean);
        }
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for (name, why) in [
            ("/etc/passwd", "an absolute name leads out of it"),
            ("../a", "`..` leads out of it"),
            ("a/../../b", "`..` leads out of it"),
            ("a/..", "`..` leads out of it"),
            ("a\\..\\b", "a backslash means different things on different machines"),
            ("a\0b", "names have no NUL"),
            ("", "that is no name"),
            ("./", "that is no name"),
        ] {
            let AssetError::Malformed(reason) = cleaned(name).unwrap_err() else { panic!("{name}") };
            assert!(reason.ends_with(why), "{reason}");
        }
    }
}

//! Addresses: files of this machine, and what other machines have.

use std::path::PathBuf;

use url::Url;

use super::AssetError;

/// The longest address, bytes. It takes as many steps as the square of a part of a host's name has letters to spell that in ASCII, and a state that a
/// component returns has addresses of any length.
const LONGEST: usize = 64 << 10;

/// What an address means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A file of this machine.
    File(PathBuf),
    /// What a server answers with.
    Remote(Url),
}

impl Place {
    /// The path, for what its end says.
    pub(super) fn path(&self) -> String {
        match self {
            Self::File(path) => path.to_string_lossy().into_owned(),
            Self::Remote(url) => url.path().to_owned(),
        }
    }
}

/// The place that an address means.
///
/// # Errors
/// An address that means nothing that can be read.
pub(super) fn place(uri: &str) -> Result<Place, AssetError> {
    if uri.len() > LONGEST {
        return Err(AssetError::Malformed(format!("the address is longer than {LONGEST} bytes")));
    }
    let url = Url::parse(uri).map_err(|error| AssetError::Malformed(format!("the address can't be read: {error}")))?;
    match url.scheme() {
        "file" => file(&url).map(Place::File),
        "http" | "https" => Ok(Place::Remote(url)),
        scheme => {
            let message = format!("addresses of the kind `{scheme}:` are unknown; use file, http or https");
            Err(AssetError::Malformed(message))
        }
    }
}

fn file(url: &Url) -> Result<PathBuf, AssetError> {
    let unusable = |why: &str| Err(AssetError::Malformed(format!("the address of a file {why}")));
    if url.host_str().is_some_and(|host| !host.is_empty() && host != "localhost") {
        return unusable("names another machine");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return unusable("has a query or a fragment");
    }
    if !url.username().is_empty() || url.password().is_some() || url.port().is_some() {
        return unusable("has a user or a port");
    }
    url.to_file_path().or_else(|()| unusable("has no usable path"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files_mean_their_paths() {
        for uri in ["file:///a/b%20c.txt", "file://localhost/a/b%20c.txt", "file:/a/b%20c.txt"] {
            assert_eq!(place(uri).unwrap(), Place::File("/a/b c.txt".into()), "{uri}");
        }
    }

    #[test]
    fn other_machines_are_asked_for_all_of_an_address() {
        let uri = "https://user:hunter2@example.com/a.tgz?signature=hunter2";
        let place = place(uri).unwrap();
        assert_eq!(place, Place::Remote(Url::parse(uri).unwrap()));
        assert_eq!(place.path(), "/a.tgz");
    }

    #[test]
    fn other_addresses_say_what_is_wrong_with_them() {
        for (uri, error) in [
            ("file://elsewhere/a", "the address of a file names another machine"),
            ("file:///a?b", "the address of a file has a query or a fragment"),
            ("file:///a#b", "the address of a file has a query or a fragment"),
            ("s3://bucket/a", "addresses of the kind `s3:` are unknown; use file, http or https"),
            ("a.txt", "the address can't be read: relative URL without a base"),
        ] {
            assert_eq!(place(uri).unwrap_err(), AssetError::Malformed(error.to_owned()), "{uri}");
        }
        let label: String = ('\u{4e00}'..).take(1_000).collect();
        let uri = format!("https://{}/a", vec![label; 22].join("."));
        let error = AssetError::Malformed("the address is longer than 65536 bytes".to_owned());
        assert_eq!(place(&uri), Err(error), "nobody reads it");
        for uri in ["file://user@localhost/a", "file://user:hunter2@localhost/a", "file://localhost:80/a"] {
            let Err(AssetError::Malformed(error)) = place(uri) else { panic!("a file has no {uri}") };
            assert!(!error.contains("hunter2"), "{error}");
        }
    }
}

//! Addresses: files of this machine, and what needs a permission that nobody can give yet.

use std::path::PathBuf;

use url::Url;

use super::AssetError;

/// The file that an address means.
///
/// # Errors
/// An address of a network, which is denied, or one that means no file of this machine.
pub(super) fn file(uri: &str) -> Result<PathBuf, AssetError> {
    let url = Url::parse(uri).map_err(|error| AssetError::Malformed(format!("the address can't be read: {error}")))?;
    let unusable = |why: &str| Err(AssetError::Malformed(format!("the address of a file {why}")));
    match url.scheme() {
        "file" => {}
        scheme @ ("http" | "https") => {
            // No more of it: what follows the host may be a secret.
            let host = url.host_str().unwrap_or_default();
            return Err(AssetError::Denied(format!(
                "reading from `{scheme}://{host}` needs the permission `network`, and nothing can grant it yet; \
                 give the contents as a text or a file"
            )));
        }
        scheme => {
            let message = format!("addresses of the kind `{scheme}:` are unknown; use file, http or https");
            return Err(AssetError::Malformed(message));
        }
    }
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
            assert_eq!(file(uri).unwrap(), PathBuf::from("/a/b c.txt"), "{uri}");
        }
    }

    #[test]
    fn other_addresses_say_what_is_wrong_with_them_and_nothing_secret() {
        let denied = "reading from `https://example.com` needs the permission `network`, and nothing can grant it yet; \
                      give the contents as a text or a file";
        for (uri, error) in [
            ("https://user:hunter2@example.com/a?signature=hunter2", AssetError::Denied(denied.to_owned())),
            ("file://elsewhere/a", AssetError::Malformed("the address of a file names another machine".to_owned())),
            ("file:///a?b", AssetError::Malformed("the address of a file has a query or a fragment".to_owned())),
            ("file:///a#b", AssetError::Malformed("the address of a file has a query or a fragment".to_owned())),
            (
                "s3://bucket/a",
                AssetError::Malformed("addresses of the kind `s3:` are unknown; use file, http or https".to_owned()),
            ),
            ("a.txt", AssetError::Malformed("the address can't be read: relative URL without a base".to_owned())),
        ] {
            assert_eq!(file(uri).unwrap_err(), error, "{uri}");
        }
    }
}

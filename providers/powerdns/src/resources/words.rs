//! The server's words, in which names and values stand that programs chose: what those say is nothing that the server says.

/// A sentence without what stands in quotation marks of a kind, from the first to the last of them.
pub(super) fn without_quoted(text: &str, mark: char) -> String {
    let Some((before, rest)) = text.split_once(&format!(" {mark}")) else { return text.to_owned() };
    let after = rest.rsplit_once(mark).map_or("", |(_, after)| after);
    format!("{before}{after}")
}

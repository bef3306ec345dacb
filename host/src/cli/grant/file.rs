//! An operator's file with more granted in it. What people wrote there stays as they wrote it.

use std::collections::{BTreeSet, HashMap, HashSet};

use bulkhead_policy::{Grant, OperatorFile, quoted};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, RawString, Table, Value, value};

/// Characters of a list that still stands on one line.
const LONGEST_LINE: usize = 100;

/// Why a file can't be extended.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExtendError {
    /// It isn't TOML.
    #[error("it isn't TOML: {0}")]
    Malformed(#[from] toml_edit::TomlError),
    /// Somebody wrote it in another form.
    #[error("`{0}` is written in a form that can't be extended")]
    Form(String),
    /// What came of it isn't an operator's file.
    #[error("it wouldn't be an operator's file any more: {0}")]
    Unreadable(#[from] bulkhead_policy::OperatorFileError),
}

/// The text of a file with grants in it, and limits that it doesn't set yet.
///
/// # Errors
/// A file of another form.
pub(super) fn extended(
    text: &str,
    provider: &str,
    title: &str,
    (granted, limits): (&[Grant], &[(&'static str, String)]),
) -> Result<String, ExtendError> {
    let mut document: DocumentMut = text.parse()?;
    let form = |name: &str| ExtendError::Form(name.to_owned());
    let providers =
        document.entry("providers").or_insert_with(implicit).as_table_mut().ok_or_else(|| form("providers"))?;
    let settings = providers.entry(provider).or_insert_with(implicit).as_table_mut().ok_or_else(|| form(provider))?;
    if !granted.is_empty() {
        let blocks = settings.entry("grants").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let blocks = blocks.as_array_of_tables_mut().ok_or_else(|| form("grants"))?;
        for (position, grant) in granted.iter().enumerate() {
            let apart = if position == 0 && text.trim().is_empty() { "" } else { "\n" };
            write(blocks, grant, format!("{apart}# {title}\n"))?;
        }
    }
    if !limits.is_empty() {
        let set = settings.entry("limits").or_insert_with(|| Item::Table(Table::new()));
        let set = set.as_table_like_mut().ok_or_else(|| form("limits"))?;
        for (name, raised) in limits {
            // One that somebody has set is somebody's decision.
            set.entry(name).or_insert_with(|| raised.parse::<i64>().map_or_else(|_| value(raised), value));
        }
    }
    let text = in_form_of(text, &in_order(text, document));
    OperatorFile::parse(&text)?;
    Ok(text)
}

/// Writes a grant into a block of its component, a new one below a heading where none has the same authorities for its endpoints.
fn write(blocks: &mut ArrayOfTables, grant: &Grant, heading: String) -> Result<(), ExtendError> {
    let digest = grant.digest.to_string();
    let fits = |block: &Table| {
        let of_it = block.get("digest").and_then(Item::as_str) == Some(&digest);
        of_it
            && (grant.network.is_empty()
                || authorities(block) == grant.certificates.iter().map(String::as_str).collect::<BTreeSet<_>>())
    };
    let known = blocks.iter().position(fits);
    if known.is_none() {
        let mut table = Table::new();
        // Nobody who reads the file should have to look up a digest.
        table.decor_mut().set_prefix(heading);
        table.insert("digest", value(&digest));
        blocks.push(table);
    }
    let last = blocks.len().saturating_sub(1);
    let block = blocks.get_mut(known.unwrap_or(last)).ok_or_else(|| ExtendError::Form("grants".to_owned()))?;
    let lines = |granted: &mut dyn Iterator<Item = String>| granted.collect::<Vec<String>>();
    let quoted = |text: &String| quoted(text);
    for (capability, granted) in [
        ("network", lines(&mut grant.network.iter().map(ToString::to_string))),
        ("environment", lines(&mut grant.environment.iter().map(quoted))),
        ("filesystem", lines(&mut grant.filesystem.iter().map(ToString::to_string))),
        ("packages", lines(&mut grant.packages.iter().map(ToString::to_string))),
        ("certificates", lines(&mut grant.certificates.iter().map(quoted))),
    ] {
        add(block, capability, granted)?;
    }
    Ok(())
}

/// The authorities that a block names.
fn authorities(block: &Table) -> BTreeSet<&str> {
    let named = block.get("certificates").and_then(Item::as_array).into_iter().flatten();
    named.filter_map(Value::as_str).collect()
}

/// A document as text. A comment at the end of what was there stays in front of what was added, which has no other end of its own.
fn in_order(before: &str, document: DocumentMut) -> String {
    let trailing = document.trailing().as_str().unwrap_or_default().replace("\r\n", "\n");
    let before = before.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let text = document.to_string();
    let (before, trailing) = (before.trim_end(), trailing.trim_end());
    let added =
        text.trim_end().strip_suffix(trailing).and_then(|text| text.strip_prefix(before.strip_suffix(trailing)?));
    match added {
        Some(added) if !trailing.is_empty() => {
            format!("{before}\n{}{added}", if added.starts_with('\n') { "" } else { "\n" })
        }
        _ => text,
    }
}

/// A text with the ends of lines of the one that it comes of, each its own, and with the mark that some editors begin a file with: neither
/// outlives parsing. What is new has the end of the line that stood there, or of the last one.
fn in_form_of(before: &str, text: &str) -> String {
    let mark = "\u{feff}";
    let mut formed = String::from(if before.starts_with(mark) { mark } else { "" });
    let lines: Vec<&str> = before.trim_start_matches(mark).split_inclusive('\n').collect();
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, line) in lines.iter().enumerate() {
        places.entry(apart(line).0).or_default().push(place);
    }
    let (mut next, mut last) = (0, "\n");
    for line in text.trim_start_matches(mark).split_inclusive('\n') {
        let (written, ended) = apart(line);
        let stands = |place: &usize| lines.get(*place).is_some_and(|line| apart(line).0 == written);
        let later = || {
            // Blank lines are anybody's.
            let all = places.get(written).filter(|_| !written.trim().is_empty())?;
            all.get(all.partition_point(|place| *place < next)).copied()
        };
        let place = Some(next).filter(stands).or_else(later);
        let end = lines.get(place.unwrap_or(next)).map(|line| apart(line).1).filter(|end| !end.is_empty());
        (next, last) = (place.map_or(next, |place| place + 1), end.unwrap_or(last));
        formed.push_str(written);
        formed.push_str(if ended.is_empty() { "" } else { last });
    }
    formed
}

/// A line without its end, and that.
fn apart(line: &str) -> (&str, &str) {
    let written = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    line.split_at(written.len())
}

/// A table that is only there for what is in it.
fn implicit() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

/// Adds to a list what isn't in it.
fn add(grant: &mut Table, capability: &str, granted: Vec<String>) -> Result<(), ExtendError> {
    if granted.is_empty() {
        return Ok(());
    }
    let form = || ExtendError::Form(capability.to_owned());
    let list = grant.entry(capability).or_insert_with(|| value(Array::new()));
    let list = list.as_array_mut().ok_or_else(form)?;
    let plain = |value: &Value| value.clone().decorated("", "").to_string();
    let mut known: HashSet<String> = list.iter().map(plain).collect();
    let mut more: Vec<Value> = Vec::new();
    for line in granted {
        let line: Value = line.parse()?;
        if known.insert(plain(&line)) {
            more.push(line);
        }
    }
    if !more.is_empty() {
        push(list, more);
    }
    Ok(())
}

/// Adds values to a list. Where the last one has a line of its own so have these, and where they are too many for one line: a
/// thousand in one hide any of them. A comment behind the last one stays with that, and says nothing of these.
fn push(list: &mut Array, more: Vec<Value>) {
    let written = |text: Option<&RawString>| text.and_then(RawString::as_str).unwrap_or_default().to_owned();
    let before = written(list.iter().last().and_then(|last| last.decor().prefix()));
    let trailing = written(Some(list.trailing()));
    let length: usize = more.iter().map(|value| value.to_string().len()).sum();
    let indent = match before.rsplit_once('\n') {
        Some((_, indent)) => indent.to_owned(),
        None if length > LONGEST_LINE || trailing.contains('\n') => "  ".to_owned(),
        None => return more.into_iter().for_each(|value| list.push(value)),
    };
    let last = list.len().checked_sub(1).and_then(|last| list.get_mut(last));
    let mut apart = String::new();
    if let Some(last) = last {
        apart.push_str(written(last.decor().suffix()).trim_end());
        last.decor_mut().set_suffix("");
    }
    apart.push_str(trailing.trim_end());
    for mut value in more {
        apart.push_str(&format!("\n{indent}"));
        value.decor_mut().set_prefix(std::mem::take(&mut apart));
        list.push_formatted(value);
    }
    list.set_trailing("\n");
    list.set_trailing_comma(true);
}

#[cfg(test)]
mod tests {
    use bulkhead_policy::Granted;

    use super::*;

    #[test]
    fn nothing_that_is_written_is_hidden_or_turned_from_who_reads_it() {
        let steering = "a\u{202e}b\u{200b}'\"\\c";
        let requests = serde_json::json!({
            "environment": [{ "name": "A\u{202e}B", "reason": "r" }],
            "filesystem": [
                { "path": steering, "access": "read", "reason": "r" },
                { "path": steering, "access": "write", "reason": "r" },
            ],
            "packages": [{ "package": steering, "from": steering, "reason": "r" }],
        });
        let mut grant = Grant::of(&serde_json::from_value(requests).unwrap(), Granted::Development);
        grant.certificates = vec![steering.to_owned()];
        let text = extended("", "p", "p 1.0.0", (std::slice::from_ref(&grant), &[])).unwrap();
        assert!(text.is_ascii(), "{text}");
        assert_eq!(OperatorFile::parse(&text).unwrap().grants("p"), [grant]);
    }

    #[test]
    fn a_comment_stays_with_what_it_was_written_for() {
        let granted = |network: &[String], list: &str| {
            let network: Vec<_> =
                network.iter().map(|endpoint| serde_json::json!({"endpoint": endpoint, "reason": "r"})).collect();
            let requests = serde_json::from_value(serde_json::json!({ "network": network })).unwrap();
            let before = format!("[[providers.p.grants]]\ndigest = \"dev\"\n{list}");
            let text = extended(&before, "p", "p 1.0.0", (&[Grant::of(&requests, Granted::Development)], &[])).unwrap();
            text.strip_prefix("[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = ").unwrap().to_owned()
        };
        let more = ["https://b".to_owned(), "https://c".to_owned()];
        for (list, expected) in [
            ("", "[\"https://b\", \"https://c\"]\n"),
            ("[\"https://a\"] # ours\n", "[\"https://a\", \"https://b\", \"https://c\"] # ours\n"),
            ("[\n\t\"https://a\",\n]\n", "[\n\t\"https://a\",\n\t\"https://b\",\n\t\"https://c\",\n]\n"),
            (
                "[\n  \"https://a\", # reviewed\n]\n",
                "[\n  \"https://a\", # reviewed\n  \"https://b\",\n  \"https://c\",\n]\n",
            ),
            (
                "[\n  \"https://a\" # reviewed\n]\n",
                "[\n  \"https://a\", # reviewed\n  \"https://b\",\n  \"https://c\",\n]\n",
            ),
            ("[\"https://a\", # reviewed\n]\n", "[\"https://a\", # reviewed\n  \"https://b\",\n  \"https://c\",\n]\n"),
        ] {
            let list = if list.is_empty() { String::new() } else { format!("network = {list}") };
            assert_eq!(granted(&more, &list), expected);
        }
        let many: Vec<String> = (1..=1000).map(|number| format!("https://{number}.example")).collect();
        let text = granted(&many, "");
        assert_eq!((text.lines().count(), text.lines().nth(1)), (1002, Some("  \"https://1.example\",")));
        assert!(OperatorFile::parse(&format!("[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = {text}")).is_ok());
    }

    #[test]
    fn a_file_keeps_the_ends_of_its_lines_and_its_beginning() {
        let grant = Grant::of(
            &serde_json::from_str(r#"{"environment":[{"name":"A","reason":"r"}]}"#).unwrap(),
            Granted::Development,
        );
        let written = |before: &str| extended(before, "p", "p 1.0.0", (std::slice::from_ref(&grant), &[])).unwrap();
        let block = "\n# p 1.0.0\n[[providers.p.grants]]\ndigest = \"dev\"\nenvironment = [\"A\"]\n";
        for (before, block) in [
            ("# ours\r\n[limits]\r\nqueue = 1\r\n", block.replace('\n', "\r\n")),
            ("\u{feff}# ours\r\n[limits]\r\nqueue = 1\r\n", block.replace('\n', "\r\n")),
            ("\u{feff}[limits]\nqueue = 1\n", block.to_owned()),
            ("[limits]\n\tqueue\t=\t1 # ours\n", block.to_owned()),
            ("# reviewed by ours\n", block.to_owned()),
            ("# ours\r\n[limits]\nqueue = 1\r\n\r\n[audit]\nfile = \"a.jsonl\"\n", block.to_owned()),
            ("# ours\n[limits]\nqueue = 1\r\n", block.replace('\n', "\r\n")),
            ("[limits]\nqueue = 1\n\n# reviewed by ours\n", block.to_owned()),
        ] {
            assert_eq!(written(before), format!("{before}{block}"));
        }
        let list = "# ours\r\n[[providers.p.grants]]\r\ndigest = \"dev\"\nenvironment = [\"B\"]\r\n\r\n[limits]\nqueue = 1\r\n";
        assert_eq!(written(list), list.replace("[\"B\"]", "[\"B\", \"A\"]"), "each line its own");
    }

    /// An authority vouches for all that stands beside it.
    #[test]
    fn nothing_is_written_beside_authorities_that_it_was_not_granted_with() {
        let block = |text: &str| format!("[[providers.p.grants]]\ndigest = \"dev\"\n{text}\n");
        let (open, vouched) = (
            block("network = [\"https://a\"]"),
            block("network = [\"https://a\"]\ncertificates = [\"ca.pem\", \"cb.pem\"]"),
        );
        let grant = |text: &str| Grant::parse(&Granted::Development, text).unwrap();
        for (before, granted, blocks) in [
            (&vouched, "network = [\"https://b\"]", &["a by ca.pem cb.pem", "b by "][..]),
            (&open, "network = [\"https://b\"]\ncertificates = [\"ca.pem\"]", &["a by ", "b by ca.pem"]),
            (&open, "network = [\"https://a\"]\ncertificates = [\"ca.pem\"]", &["a by ", "a by ca.pem"]),
            (&vouched, "network = [\"https://b\"]\ncertificates = [\"cb.pem\", \"ca.pem\"]", &["a b by ca.pem cb.pem"]),
            (&open, "network = [\"https://b\"]", &["a b by "]),
            (&vouched, "environment = [\"A\"]", &["a by ca.pem cb.pem"]),
            (&block("certificates = [\"ca.pem\"]"), "network = [\"https://b\"]", &[" by ca.pem", "b by "]),
        ] {
            let text = extended(before, "p", "p 1.0.0", (&[grant(granted)], &[])).unwrap();
            let written = OperatorFile::parse(&text).unwrap();
            let told = |grant: &Grant| {
                let network: Vec<String> = grant.network.iter().map(|to| to.endpoint.to_string()).collect();
                format!("{} by {}", network.join(" ").replace("https://", ""), grant.certificates.join(" "))
            };
            assert_eq!(written.grants("p").iter().map(told).collect::<Vec<_>>(), blocks, "{text}");
        }
    }

    #[test]
    fn each_block_that_is_new_says_what_it_is_for() {
        let grant = |text: &str| Grant::parse(&Granted::Development, text).unwrap();
        let granted =
            [grant("network = [\"https://a\"]\ncertificates = [\"ca.pem\"]"), grant("network = [\"https://b\"]")];
        let text = extended("", "p", "p 1.0.0", (&granted, &[])).unwrap();
        let block =
            |network: &str| format!("# p 1.0.0\n[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = [\"{network}\"]\n");
        assert_eq!(text, format!("{}certificates = [\"ca.pem\"]\n\n{}", block("https://a"), block("https://b")));
    }

    #[test]
    fn limits_alone_take_no_block_of_a_component() {
        let text = extended("", "p", "p 1.0.0", (&[], &[("memory", "2GiB".to_owned())])).unwrap();
        assert_eq!(text.trim_start(), "[providers.p.limits]\nmemory = \"2GiB\"\n");
    }
}

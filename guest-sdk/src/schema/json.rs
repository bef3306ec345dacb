//! JSON, written as text.
//!
//! A JSON library would be a tenth of a small component, most of it for what a schema never holds: doubles are rarer in it than
//! providers. So members are written as they come, in the author's order, and nothing is ever read back.

use std::fmt::Write;

/// The members of an object, as text, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members(String);

impl Members {
    /// An object of these members.
    pub(crate) fn into_object(self) -> String {
        format!("{{{}}}", self.0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds members.
    pub(crate) fn append(&mut self, members: Self) {
        if !self.0.is_empty() && !members.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(&members.0);
    }

    /// Adds a member whose value is JSON already.
    pub(crate) fn json(&mut self, name: &str, json: &str) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        string(&mut self.0, name);
        self.0.push(':');
        self.0.push_str(json);
    }

    /// Adds a string.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        let mut json = String::new();
        string(&mut json, text);
        self.json(name, &json);
    }

    /// Adds a string, if there is one.
    pub(crate) fn text_if(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    /// Adds `true`, or nothing.
    pub(crate) fn flag(&mut self, name: &str, flag: bool) {
        if flag {
            self.json(name, "true");
        }
    }

    /// Adds a number, if there is one.
    pub(crate) fn count_if(&mut self, name: &str, count: Option<u32>) {
        if let Some(count) = count {
            self.json(name, &count.to_string());
        }
    }

    /// Adds a list of strings, unless it is empty.
    pub(crate) fn texts<'a>(&mut self, name: &str, texts: impl IntoIterator<Item = &'a str>) {
        let mut list = List::default();
        for text in texts {
            let mut json = String::new();
            string(&mut json, text);
            list.json(&json);
        }
        self.list(name, list);
    }

    /// Adds a list, unless it is empty.
    pub(crate) fn list(&mut self, name: &str, list: List) {
        if !list.0.is_empty() {
            self.json(name, &list.into_array());
        }
    }

    /// Adds an object, unless it is empty.
    pub(crate) fn object(&mut self, name: &str, members: Self) {
        if !members.is_empty() {
            self.json(name, &members.into_object());
        }
    }
}

/// The elements of a list, as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct List(String);

impl List {
    pub(crate) fn json(&mut self, json: &str) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(json);
    }

    pub(crate) fn into_array(self) -> String {
        format!("[{}]", self.0)
    }
}

/// Writes a string in quotes.
pub(crate) fn string(json: &mut String, text: &str) {
    json.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => json.extend(['\\', char]),
            '\n' => json.push_str("\\n"),
            // Writing to a string doesn't fail.
            '\0'..='\x1f' => _ = write!(json, "\\u{:04x}", u32::from(char)),
            _ => json.push(char),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_the_order_and_leave_out_what_is_empty() {
        let mut inner = Members::default();
        inner.count_if("n", Some(3));
        let mut members = Members::default();
        members.text("z", "last");
        members.text_if("none", None);
        members.flag("no", false);
        members.flag("yes", true);
        members.texts("empty", []);
        members.texts("list", ["a", "b"]);
        members.object("nothing", Members::default());
        members.object("a", inner);
        assert_eq!(members.into_object(), r#"{"z":"last","yes":true,"list":["a","b"],"a":{"n":3}}"#);
    }

    #[test]
    fn strings_come_back_from_a_json_parser() {
        let text = "quote \" backslash \\ newline \n tab \t nul \0 escape \u{1b} snowman ☃ clef 𝄞";
        let mut json = String::new();
        string(&mut json, text);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}

//! What an update did, by the engine's own events rather than by what it prints.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::process::Finished;

/// A finished `preview`, `up`, `refresh`, `destroy` or `import`.
pub struct Update {
    finished: Finished,
    events: Vec<Value>,
}

impl Update {
    /// From the process and the log of events, one JSON document a line.
    pub(crate) fn new(finished: Finished, log: &str) -> Self {
        let events = serde_json::Deserializer::from_str(log).into_iter().map_while(Result::ok).collect();
        Self { finished, events }
    }

    /// Itself, if the process succeeded.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        let finished = self.finished.succeeded();
        // Without its end, it would be a log of fewer steps and warnings than there were.
        let is_whole = self.events.iter().any(|event| event["summaryEvent"].is_object());
        assert!(is_whole, "the log of events should have a summary: {finished}");
        Self { finished, ..self }
    }

    /// Itself, if the process failed.
    #[track_caller]
    pub fn failed(self) -> Self {
        Self { finished: self.finished.failed(), ..self }
    }

    /// What was printed.
    pub fn output(&self) -> String {
        self.finished.output()
    }

    /// The log of events as the engine wrote it.
    pub fn events(&self) -> String {
        self.events.iter().map(|event| format!("{event}\n")).collect()
    }

    /// What was done, in the order in which it was completed, as `operation name`; `failed name` for what couldn't be. Left out are the
    /// stack itself, default providers and what stayed as it was.
    pub fn steps(&self) -> Vec<String> {
        let own =
            |step: &Value| step["type"] != "pulumi:pulumi:Stack" && !name(text(&step["urn"])).starts_with("default");
        let step = |event: &Value| {
            let (done, failed) = (&event["resOutputsEvent"]["metadata"], &event["resOpFailedEvent"]["metadata"]);
            let (verb, step) = if failed.is_object() { ("failed", failed) } else { (text(&done["op"]), done) };
            let counts = step.is_object() && own(step) && verb != "same";
            counts.then(|| format!("{verb} {}", name(text(&step["urn"]))))
        };
        self.events.iter().filter_map(step).collect()
    }

    /// The differences that a resource's step was taken for: property path to kind, e.g. `keepers.v` to `add-replace`.
    pub fn differences(&self, resource: &str) -> BTreeMap<String, String> {
        let steps = self.events.iter().map(|event| &event["resOutputsEvent"]["metadata"]);
        let step = { steps }.find(|step| name(text(&step["urn"])) == resource && step["detailedDiff"].is_object());
        let details = step.and_then(|step| step["detailedDiff"].as_object());
        let kinds =
            details.into_iter().flatten().map(|(path, diff)| (path.clone(), text(&diff["diffKind"]).to_owned()));
        kinds.collect()
    }

    /// The messages of a severity (`error`, `warning`, `info`) as `name: message`; the stack's own without a name.
    pub fn messages(&self, severity: &str) -> Vec<String> {
        let diagnostics = self.events.iter().map(|event| &event["diagnosticEvent"]);
        let wanted = diagnostics.filter(|event| event["severity"] == severity && event["ephemeral"] != true);
        let told = wanted.map(|event| {
            let message = plain(text(&event["message"]));
            match event["urn"].as_str() {
                Some(urn) => format!("{}: {message}", name(urn)),
                None => message,
            }
        });
        told.collect()
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.finished.fmt(f)
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The name in a URN.
fn name(urn: &str) -> &str {
    urn.rsplit("::").next().unwrap_or(urn)
}

/// A message without the engine's colour tags, e.g. `<{%fg 1%}>`.
fn plain(message: &str) -> String {
    let mut text = String::new();
    let mut rest = message;
    while let Some((before, tagged)) = rest.split_once("<{%") {
        text.push_str(before);
        rest = tagged.split_once("%}>").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn colours_are_no_part_of_a_message() {
        assert_eq!(plain("<{%reset%}>failed to <{%fg 1%}>start<{%reset%}>\n"), "failed to start");
        assert_eq!(plain("nothing"), "nothing");
    }
}

//! [`RandomString`].

use bulkhead_sdk::{
    Create, Created, Fields, Read, Resource, Result, Snapshot, State, Update, Updated, Value, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate, Upgrade, Upgraded},
};

use super::{
    checked::{self, Flaw},
    coerced::Coerced,
    id,
    kept::{self, Kept},
    notes::Notes,
    text_inputs::{self, TextInputs},
};
use crate::{import, plan::Kind, upgrade};

/// A random string of letters, digits and special characters, drawn once and kept until an input changes.
///
/// The result is shown in plain. Use `RandomPassword` for what must stay secret, and `RandomId` for what must be unique.
///
/// To import a string, give the string itself as the id.
#[derive(Debug, State)]
pub struct RandomString {
    #[bulkhead(flatten)]
    inputs: TextInputs,
    /// The string.
    result: String,
    #[bulkhead(flatten)]
    notes: Notes<TextInputs>,
}

#[resource(token = "random:index/randomString:RandomString", schema_version = 2, same_inputs)]
impl Resource for RandomString {
    type Inputs = Coerced<TextInputs>;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs.typed()?)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, Self::imported)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        kept::update(request)
    }

    fn check(request: Check) -> Result<Checked> {
        checked::check::<TextInputs>(request, flaws)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        kept::diff(request)
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        kept::preview_create::<Self>(&request)
    }

    fn preview_update(request: PreviewUpdate<Self>) -> Result<Fields> {
        kept::preview_update(&request)
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        Ok(Upgraded { state: upgrade::text(request.state), inputs: request.inputs })
    }
}

impl Kept for RandomString {
    type Given = TextInputs;
    const DRAWN: &'static [(&'static str, Kind)] = &[("result", Kind::Text)];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomString {
    fn drawn(inputs: TextInputs) -> Result<Created<Self>> {
        let result = inputs.draw()?;
        Ok(Created::new(result.clone(), Self { inputs, notes: Notes::of(result.clone()), result }))
    }

    fn imported(text: &str) -> Result<Snapshot<Self>> {
        import::printable(text)?;
        let state = Self { inputs: TextInputs::imported(text)?, result: text.to_owned(), notes: Notes::of(text) };
        let inputs = kept::inputs_of(&state, &text_inputs::OF_IMPORT)?;
        Ok(Snapshot::new(text, state).inputs(inputs))
    }
}

/// What can't be drawn, or not be an id.
fn flaws(inputs: &Fields) -> Vec<Flaw> {
    let mut flaws = text_inputs::contradictions(inputs);
    let text = |name| inputs.get(name).and_then(Value::as_text).unwrap_or_default();
    let number = |name| inputs.get(name).and_then(Value::as_number).unwrap_or_default();
    let is_special = inputs.get("special").is_none_or(|special| !matches!(special.plain(), Value::Boolean(false)));
    let special = if is_special || number("minSpecial") > 0.0 { text("overrideSpecial") } else { "" };
    if !id::is_printable(special) {
        let from = &["overrideSpecial", "special", "minSpecial"];
        flaws.push(Flaw { input: "overrideSpecial", reason: id::UNPRINTABLE, from });
    }
    let widest = special.chars().map(char::len_utf8).max().unwrap_or(1);
    if number("length") * widest as f64 > id::LONGEST as f64 {
        let from = &["length", "overrideSpecial", "special", "minSpecial"];
        flaws.push(Flaw { input: "length", reason: id::TOO_LONG, from });
    }
    flaws
}

#[cfg(test)]
mod tests {
    use bulkhead_sdk::fields;

    use super::*;

    #[test]
    fn the_id_is_the_string() {
        let created = RandomString::drawn(TextInputs::imported("length").unwrap()).unwrap();
        assert_eq!(created.state.result.chars().count(), 6);
        assert_eq!(created.id, created.state.result);
    }

    #[test]
    fn what_can_not_be_an_id_is_refused_before_it_is_drawn() {
        let refused = |inputs: Fields| flaws(&inputs).iter().map(|flaw| flaw.input).collect::<Vec<_>>();
        assert_eq!(refused(fields! { "length": 4, "overrideSpecial": "-\t" }), ["overrideSpecial"]);
        assert_eq!(refused(fields! { "length": 4, "overrideSpecial": "-\u{2066}" }), ["overrideSpecial"]);
        assert_eq!(refused(fields! { "length": 4, "overrideSpecial": "\t", "special": false }), Vec::<&str>::new());
        let one = fields! { "length": 4, "overrideSpecial": "\t", "special": false, "minSpecial": 1 };
        assert_eq!(refused(one), ["overrideSpecial"]);
        assert_eq!(refused(fields! { "length": 65536 }), Vec::<&str>::new());
        assert_eq!(refused(fields! { "length": 65537 }), ["length"]);
        assert_eq!(refused(fields! { "length": 32769, "overrideSpecial": "é" }), ["length"], "it has two bytes");
        assert_eq!(
            refused(fields! { "length": Value::Unknown, "overrideSpecial": Value::Unknown }),
            Vec::<&str>::new()
        );
        assert!(RandomString::imported("a\nb").unwrap_err().to_string().contains("control characters"));
    }

    #[test]
    fn an_import_is_the_string_that_was_typed() {
        let imported = RandomString::imported("abc123").unwrap();
        assert_eq!((imported.id.as_str(), imported.state.result.as_str()), ("abc123", "abc123"));
        assert_eq!(imported.state.inputs.length, 6);
    }
}

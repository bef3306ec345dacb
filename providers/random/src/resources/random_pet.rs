//! [`RandomPet`].

use bulkhead_sdk::{
    Create, Created, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, Value, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate},
};

use super::{
    checked::{self, Flaw},
    coerced::Coerced,
    id,
    keepers::Keepers,
    kept::{self, Kept},
    notes::Notes,
    table::Table,
};
use crate::{
    entropy::Entropy,
    pet,
    plan::{Attribute, Kind, Unset},
};

/// How the name is made up.
#[derive(Debug, Inputs)]
pub struct RandomPetInputs {
    /// Values that, when they change, have a new name drawn.
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
    /// How many words the name has, a prefix not counted.
    #[bulkhead(replace, output_default = 2, maximum = 65536)]
    length: i64,
    /// What the name begins with, followed by the separator.
    #[bulkhead(replace, output_default = None)]
    prefix: Option<String>,
    /// What stands between the words, there in lower case, and as it is after a prefix.
    #[bulkhead(replace, output_default = "-")]
    separator: String,
}

impl Table for RandomPetInputs {
    const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::KEEPERS,
        Attribute::new("length", Kind::Whole, Unset::Whole(2)),
        Attribute::new("prefix", Kind::Text, Unset::Absent),
        Attribute::new("separator", Kind::Text, Unset::Text("-")),
    ];
}

/// A name that people can remember, such as `calm-otter`, drawn once and kept until an input changes. The name is the id.
///
/// A name can't be imported.
#[derive(Debug, State)]
pub struct RandomPet {
    #[bulkhead(flatten)]
    inputs: RandomPetInputs,
    #[bulkhead(flatten)]
    notes: Notes<RandomPetInputs>,
}

#[resource(token = "random:index/randomPet:RandomPet")]
impl Resource for RandomPet {
    type Inputs = Coerced<RandomPetInputs>;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs.typed()?)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, kept::no_import)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        kept::update(request)
    }

    fn check(request: Check) -> Result<Checked> {
        checked::check::<RandomPetInputs>(request, flaws)
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
}

impl Kept for RandomPet {
    type Given = RandomPetInputs;
    const DRAWN: &'static [(&'static str, Kind)] = &[];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomPet {
    fn drawn(inputs: RandomPetInputs) -> Result<Created<Self>> {
        let separator = &inputs.separator;
        let name = pet::name(inputs.length, separator, &mut Entropy::new()?);
        let name = match inputs.prefix.as_deref().filter(|prefix| !prefix.is_empty()) {
            Some(prefix) => format!("{prefix}{separator}{name}"),
            None => name,
        };
        // Natively an empty prefix isn't recorded.
        let inputs = RandomPetInputs { prefix: inputs.prefix.filter(|prefix| !prefix.is_empty()), ..inputs };
        Ok(Created::new(name.clone(), Self { inputs, notes: Notes::of(name) }))
    }
}

/// What can't be an id.
fn flaws(inputs: &Fields) -> Vec<Flaw> {
    let text = |name| inputs.get(name).and_then(Value::as_text);
    let (prefix, separator) = (text("prefix").unwrap_or_default(), text("separator").unwrap_or("-"));
    let mut flaws = Vec::new();
    if !id::is_printable(prefix) {
        flaws.push(Flaw { input: "prefix", reason: id::UNPRINTABLE, from: &["prefix"] });
    }
    if !id::is_printable(separator) {
        flaws.push(Flaw { input: "separator", reason: id::UNPRINTABLE, from: &["separator"] });
    }
    // A number that isn't known yet may turn out to be any.
    let words = inputs.get("length").map_or(Some(2.0), Value::as_number).unwrap_or(1.0);
    let words = if words < 1.0 { 2.0 } else { words };
    let input = if prefix.len() > id::LONGEST { "prefix" } else { "length" };
    let (first, lowered) = (prefix.len() + separator.len(), pet::lowered(separator).len());
    let longest = first as f64 + words * pet::longest_word() as f64 + (words - 1.0) * lowered as f64;
    if longest > id::LONGEST as f64 {
        flaws.push(Flaw { input, reason: id::TOO_LONG, from: &["length", "prefix", "separator"] });
    }
    flaws
}

#[cfg(test)]
mod tests {
    use bulkhead_sdk::fields;

    use super::*;

    #[test]
    fn what_can_not_be_an_id_is_refused_before_it_is_drawn() {
        let refused = |inputs: Fields| flaws(&inputs).iter().map(|flaw| flaw.input).collect::<Vec<_>>();
        assert_eq!(refused(fields! { "prefix": "web\n", "separator": "\t" }), ["prefix", "separator"]);
        assert_eq!(refused(fields! { "prefix": "\u{202e}web", "separator": "\u{2028}" }), ["prefix", "separator"]);
        assert_eq!(refused(fields! { "prefix": "web", "separator": "é" }), Vec::<&str>::new());
        assert_eq!(refused(fields! { "length": 3000 }), Vec::<&str>::new());
        assert_eq!(refused(fields! { "length": 65536 }), ["length"]);
        let grows = |length: i32| refused(fields! { "length": length, "separator": "\u{23a}".repeat(1_000) });
        assert_eq!((grows(22), grows(23)), (Vec::new(), vec!["length"]), "lowered, some letters are longer");
        assert_eq!(refused(fields! { "prefix": "p".repeat(65_537) }), ["prefix"]);
        assert_eq!(refused(fields! { "prefix": Value::Unknown, "length": Value::Unknown }), Vec::<&str>::new());
    }

    fn name(prefix: Option<&str>) -> String {
        let prefix = prefix.map(str::to_owned);
        let inputs = RandomPetInputs { keepers: None, length: 2, prefix, separator: "+".to_owned() };
        RandomPet::drawn(inputs).unwrap().id
    }

    #[test]
    fn the_separator_stands_between_all_parts() {
        assert_eq!(name(None).split('+').count(), 2);
        assert_eq!(name(Some("")).split('+').count(), 2);
        let prefixed = name(Some("Prefix"));
        assert!(prefixed.starts_with("Prefix+"), "{prefixed}");
        assert_eq!(prefixed.split('+').count(), 3);
    }

    #[test]
    fn a_prefix_and_what_follows_it_stay_as_they_are() {
        let (prefix, separator) = (Some("My".to_owned()), "X".to_owned());
        let created = RandomPet::drawn(RandomPetInputs { keepers: None, length: 2, prefix, separator }).unwrap();
        let drawn = created.id.strip_prefix("MyX").unwrap();
        assert!(drawn.contains('x') && drawn.bytes().all(|byte| byte.is_ascii_lowercase()), "{drawn}");
        assert_eq!(created.state.inputs.separator, "X", "what is recorded is what was given");
    }
}

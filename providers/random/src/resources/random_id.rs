//! [`RandomId`].

use bulkhead_sdk::{
    Create, Created, Error, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate},
};

use super::{
    coerced::Coerced,
    keepers::Keepers,
    kept::{self, Kept},
    notes::Notes,
    table::Table,
};
use crate::{
    encodings,
    entropy::Entropy,
    import,
    plan::{Attribute, Kind, Unset},
};

/// How many bytes to draw, and what to put before them.
#[derive(Debug, Inputs)]
pub struct RandomIdInputs {
    /// Values that, when they change, have a new id drawn.
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
    /// How many random bytes there are; at least 1, and at most 49152. With 16 of them ids are as unique as UUIDs.
    #[bulkhead(replace, minimum = 1, maximum = 49152)]
    byte_length: u32,
    /// What stands before the random part in all outputs. It is used as it is, in whatever notation.
    #[bulkhead(replace, output_default = None)]
    prefix: Option<String>,
}

impl Table for RandomIdInputs {
    const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::KEEPERS,
        Attribute::new("byteLength", Kind::Whole, Unset::Absent),
        Attribute::new("prefix", Kind::Text, Unset::Absent),
    ];
}

/// A random identifier in several notations, drawn once and kept until an input changes.
///
/// The result is shown in plain; use `RandomBytes` for what must stay secret.
///
/// To import an identifier, give its random part as the id, in Base64 for URLs without padding; with a prefix,
/// `PREFIX,RANDOM`.
#[derive(Debug, State)]
pub struct RandomId {
    #[bulkhead(flatten)]
    inputs: RandomIdInputs,
    /// The identifier in Base64, with `+`, `/` and padding.
    b64_std: String,
    /// The identifier in Base64 for URLs: with `-` and `_`, without padding.
    b64_url: String,
    /// The identifier as a decimal number without leading zeros.
    dec: String,
    /// The identifier in lower-case hexadecimal digits, two for each byte.
    hex: String,
    #[bulkhead(flatten)]
    notes: Notes<RandomIdInputs>,
}

#[resource(token = "random:index/randomId:RandomId")]
impl Resource for RandomId {
    type Inputs = Coerced<RandomIdInputs>;

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
        kept::check::<RandomIdInputs>(request)
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

impl Kept for RandomId {
    type Given = RandomIdInputs;
    const DRAWN: &'static [(&'static str, Kind)] =
        &[("b64Std", Kind::Text), ("b64Url", Kind::Text), ("dec", Kind::Text), ("hex", Kind::Text)];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomId {
    fn drawn(inputs: RandomIdInputs) -> Result<Created<Self>> {
        if inputs.byte_length == 0 {
            return Err(Error::rejected("byteLength", "must be at least 1"));
        }
        let bytes = Entropy::new()?.bytes(inputs.byte_length as usize);
        let id = encodings::base64_url(&bytes);
        Ok(Created::new(id.clone(), Self::new(inputs, &id, &bytes)))
    }

    fn new(inputs: RandomIdInputs, id: &str, bytes: &[u8]) -> Self {
        let prefix = inputs.prefix.as_deref().unwrap_or_default();
        let prefixed = |text: &str| format!("{prefix}{text}");
        Self {
            b64_std: prefixed(&encodings::base64(bytes)),
            b64_url: prefixed(id),
            dec: prefixed(&encodings::decimal(bytes)),
            hex: prefixed(&encodings::hexadecimal(bytes)),
            inputs,
            notes: Notes::of(id),
        }
    }

    fn imported(id: &str) -> Result<Snapshot<Self>> {
        let import::Id { prefix, id, bytes } = import::id(id)?;
        let prefix = prefix.map(str::to_owned);
        let inputs = RandomIdInputs { keepers: None, byte_length: u32::try_from(bytes.len())?, prefix };
        Ok(Snapshot::new(id, Self::new(inputs, id, &bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_the_random_part_alone() {
        let inputs = RandomIdInputs { keepers: None, byte_length: 8, prefix: Some("p-".to_owned()) };
        let created = RandomId::drawn(inputs).unwrap();
        assert_eq!(created.state.b64_url, format!("p-{}", created.id));
        assert_eq!(created.state.hex.len(), 2 + 16);
        assert_eq!(encodings::from_base64_url(&created.id).unwrap().len(), 8);
    }

    #[test]
    fn no_bytes_make_no_id() {
        let inputs = RandomIdInputs { keepers: None, byte_length: 0, prefix: None };
        assert_eq!(RandomId::drawn(inputs).unwrap_err().to_string(), "`byteLength` must be at least 1");
    }

    #[test]
    fn an_import_has_all_notations_with_the_prefix() {
        let imported = RandomId::imported("p-,xnrBSQ").unwrap();
        assert_eq!(imported.id, "xnrBSQ");
        let RandomId { inputs, b64_std, b64_url, dec, hex, .. } = imported.state;
        assert_eq!((inputs.byte_length, inputs.prefix.as_deref()), (4, Some("p-")));
        assert_eq!([b64_std, b64_url, dec, hex], ["p-xnrBSQ==", "p-xnrBSQ", "p-3329933641", "p-c67ac149"]);
    }

    #[test]
    fn an_import_without_prefix_has_none() {
        assert_eq!(RandomId::imported("xnrBSQ").unwrap().state.inputs.prefix, None);
    }
}

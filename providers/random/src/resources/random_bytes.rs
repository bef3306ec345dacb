//! [`RandomBytes`].

use bulkhead_sdk::{
    Create, Created, Error, Fields, Inputs, Read, Resource, Result, Secret, Snapshot, State, Update, Updated, resource,
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
    plan::{Attribute, Kind, Replaces, Unset},
};

/// How many bytes to draw.
#[derive(Debug, Inputs)]
pub struct RandomBytesInputs {
    /// Values that, when they change, have new bytes drawn.
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
    /// How many bytes there are; at least 1, and at most 49152, since the id repeats them.
    #[bulkhead(replace, minimum = 1, maximum = 49152)]
    length: u32,
}

impl Table for RandomBytesInputs {
    const ATTRIBUTES: &'static [Attribute] = &[
        // Natively, empty keepers that come or go replace bytes, and nothing else.
        Attribute::KEEPERS.replaces(Replaces::Always),
        Attribute::new("length", Kind::Whole, Unset::Absent),
    ];
    const REPEATS_ID: bool = false;
}

/// Random bytes for keys and other secrets, drawn once and kept until an input changes. They are secret, in the state as
/// well; the id repeats them, and isn't.
///
/// To import bytes, give them as the id, in Base64.
#[derive(Debug, State)]
pub struct RandomBytes {
    #[bulkhead(flatten)]
    inputs: RandomBytesInputs,
    /// The bytes in Base64.
    base64: Secret<String>,
    /// The bytes in lower-case hexadecimal digits, two for each.
    hex: Secret<String>,
    #[bulkhead(flatten)]
    notes: Notes<RandomBytesInputs>,
}

#[resource(token = "random:index/randomBytes:RandomBytes")]
impl Resource for RandomBytes {
    type Inputs = Coerced<RandomBytesInputs>;

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
        kept::check::<RandomBytesInputs>(request)
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

impl Kept for RandomBytes {
    type Given = RandomBytesInputs;
    const DRAWN: &'static [(&'static str, Kind)] = &[("base64", Kind::Text), ("hex", Kind::Text)];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomBytes {
    fn drawn(inputs: RandomBytesInputs) -> Result<Created<Self>> {
        if inputs.length == 0 {
            return Err(Error::rejected("length", "must be at least 1"));
        }
        let bytes = Entropy::new()?.bytes(inputs.length as usize);
        // Programs made with the native provider use the id, so it is the same here.
        Ok(Created::new(encodings::base64(&bytes), Self::new(inputs, &bytes)))
    }

    fn new(inputs: RandomBytesInputs, bytes: &[u8]) -> Self {
        let notes = Notes::of(encodings::base64(bytes));
        Self { inputs, base64: encodings::base64(bytes).into(), hex: encodings::hexadecimal(bytes).into(), notes }
    }

    fn imported(id: &str) -> Result<Snapshot<Self>> {
        let bytes = import::bytes(id)?;
        let inputs = RandomBytesInputs { keepers: None, length: u32::try_from(bytes.len())? };
        // Bits beyond the last whole byte stay as they were typed, in the id and beside it.
        Ok(Snapshot::new(id, Self { base64: id.to_owned().into(), ..Self::new(inputs, &bytes) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_and_id_are_of_the_same_bytes() {
        let created = RandomBytes::drawn(RandomBytesInputs { keepers: None, length: 9 }).unwrap();
        let bytes = encodings::from_base64(&created.id).unwrap();
        assert_eq!(bytes.len(), 9);
        assert_eq!(*created.state.base64, encodings::base64(&bytes));
        assert_eq!(*created.state.hex, encodings::hexadecimal(&bytes));
    }

    #[test]
    fn no_bytes_are_nothing() {
        let inputs = RandomBytesInputs { keepers: None, length: 0 };
        assert_eq!(RandomBytes::drawn(inputs).unwrap_err().to_string(), "`length` must be at least 1");
    }

    #[test]
    fn an_import_is_what_was_encoded() {
        let imported = RandomBytes::imported("d2RtNQ==").unwrap();
        assert_eq!(imported.id, "d2RtNQ==");
        assert_eq!(imported.state.inputs.length, 4);
        assert_eq!(imported.state.base64.as_str(), "d2RtNQ==");
        assert_eq!(imported.state.hex.as_str(), "77646d35");
        let imported = RandomBytes::imported("/x==").unwrap();
        assert_eq!((imported.id.as_str(), imported.state.base64.as_str()), ("/x==", "/x=="));
    }
}

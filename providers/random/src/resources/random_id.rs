//! [`RandomId`].

use bulkhead_sdk::{
    Create, Created, Inputs, Read, Resource, Result, Snapshot, State, resource,
    resource::{Diff, Difference},
};

use super::{
    keepers::{self, Keepers},
    kept,
};
use crate::{encodings, entropy::Entropy, import};

/// How many bytes to draw, and what to put before them.
#[derive(Debug, Inputs)]
pub struct RandomIdInputs {
    /// Values that, when they change, have a new id drawn.
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
    /// How many random bytes there are; at least 1. With 16 of them ids are as unique as UUIDs.
    #[bulkhead(replace, minimum = 1, maximum = 65536)]
    byte_length: u32,
    /// What stands before the random part in all outputs. It is used as it is, in whatever notation.
    #[bulkhead(replace, output_default = None)]
    prefix: Option<String>,
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
}

#[resource(token = "random:index/randomId:RandomId")]
impl Resource for RandomId {
    type Inputs = RandomIdInputs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, Self::imported)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        keepers::diff(request)
    }
}

impl RandomId {
    fn drawn(inputs: RandomIdInputs) -> Result<Created<Self>> {
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
    fn an_import_has_all_notations_with_the_prefix() {
        let imported = RandomId::imported("p-,xnrBSQ").unwrap();
        assert_eq!(imported.id, "xnrBSQ");
        let RandomId { inputs, b64_std, b64_url, dec, hex } = imported.state;
        assert_eq!((inputs.byte_length, inputs.prefix.as_deref()), (4, Some("p-")));
        assert_eq!([b64_std, b64_url, dec, hex], ["p-xnrBSQ==", "p-xnrBSQ", "p-3329933641", "p-c67ac149"]);
    }

    #[test]
    fn an_import_without_prefix_has_none() {
        assert_eq!(RandomId::imported("xnrBSQ").unwrap().state.inputs.prefix, None);
    }
}

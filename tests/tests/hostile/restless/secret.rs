//! What programs are told in confidence, how they say it, and whether anybody who reads along was told.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bulkhead_value::{Object, Value};

use crate::calls::{Addresses, Call, Given};
use crate::object;
use crate::secrets::tells;

/// What a program is configured with.
const CONFIGURED: &str = "Tr0ub4dor-Lamp-Anchor-Violet";
/// What requests tell it.
const ASKED: &str = "Correct-Horse-Battery-Staple";

/// Its configuration.
pub(super) fn configuration() -> Object {
    object([("key", CONFIGURED)])
}

/// A request of an engine with a secret wherever one can be.
pub(super) fn request(engine: Addresses) -> Given {
    let secret = || Value::from(ASKED).secret();
    let [arguments, configuration] = ["what", "key"].map(|name| object([(name, secret())]));
    Given {
        what: secret(),
        changed: secret(),
        text: secret(),
        arguments,
        configuration,
        timeout: 1.0,
        engine: Some(engine),
    }
}

/// How somebody spells a secret who doesn't mean to hide it.
pub(super) fn spelt() -> Vec<String> {
    let spelt = |secret: &str| {
        let hexadecimal = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        [
            secret.to_owned(),
            secret.to_owned(),
            format!("the key is {secret}, I think"),
            secret.to_uppercase(),
            hexadecimal,
            BASE64_STANDARD.encode(format!("user:{secret}")),
            format!("{secret}.example"),
            format!("/x?key={secret}"),
            format!("https://user:{secret}@host.example/x"),
            format!("{{\"key\":\"{secret}\"}}"),
        ]
    };
    [CONFIGURED, ASKED].into_iter().flat_map(spelt).collect()
}

/// Whether a call tells the program what requests tell it. What a call doesn't is none that the host could know: a program may have it of
/// another call.
pub(super) fn is_asked(call: Call) -> bool {
    !matches!(call, Call::Import | Call::Mapping | Call::Mappings)
}

/// The line of a text that tells what a program is configured with, or was asked as well, if one does.
pub(super) fn told(asked: bool, text: &str) -> Option<&str> {
    let secrets = if asked { &[CONFIGURED, ASKED][..] } else { &[CONFIGURED] };
    text.lines().find(|line| secrets.iter().any(|secret| tells(line, secret)))
}

//! The strings that tell kinds of values apart where the wire has only JSON's kinds.
//!
//! An object that holds [`KEY`] isn't a plain object: the string under that key says what it stands for. An unknown value
//! is a plain string, one of seven sentinels. All are facts of the protocol (upstream's `sdk/go/common/resource/sig` and
//! `plugin/rpc.go`).

/// The key whose value names the kind of an object.
pub const KEY: &str = "4dabf18193072939515e22adb298388d";

/// A secret: `value`.
pub const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

/// An asset: `hash`, and one of `text`, `path`, `uri`.
pub const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";

/// An archive: `hash`, and one of `assets`, `path`, `uri`.
pub const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";

/// A resource reference: `urn`, and maybe `id`, `packageVersion`, `name`, `type`.
pub const REFERENCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";

/// An output: maybe `value`, `secret`, `dependencies`.
pub const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/// A string that isn't UTF-8: `value` in base64.
pub const BYTES: &str = "803fd3297a5875dc03ca845dda5d2a98";

/// An unknown value. The one that is written; the others are only read.
pub const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// An unknown value that will be a boolean.
pub const UNKNOWN_BOOL: &str = "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7";

/// An unknown value that will be a number.
pub const UNKNOWN_NUMBER: &str = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";

/// An unknown value that will be a list.
pub const UNKNOWN_ARRAY: &str = "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2";

/// An unknown value that will be an asset.
pub const UNKNOWN_ASSET: &str = "030794c1-ac77-496b-92df-f27374a8bd58";

/// An unknown value that will be an archive.
pub const UNKNOWN_ARCHIVE: &str = "e48ece36-62e2-4504-bad9-02848725956a";

/// An unknown value that will be an object.
pub const UNKNOWN_OBJECT: &str = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";

/// Whether a string on the wire stands for an unknown value.
pub fn is_unknown(text: &str) -> bool {
    matches!(
        text,
        UNKNOWN | UNKNOWN_BOOL | UNKNOWN_NUMBER | UNKNOWN_ARRAY | UNKNOWN_ASSET | UNKNOWN_ARCHIVE | UNKNOWN_OBJECT
    )
}

//! Property bags on the wire.

use bulkhead_value::Bounds;
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::wire::{decode, encode};

/// Decodes a bag. What decodes can be encoded, and decodes to the same again; tighter bounds accept the same or nothing.
pub(crate) fn run(bytes: &[u8]) {
    let decoded = decode::properties(bytes, &Bounds::default());
    let tight = decode::properties(bytes, &Bounds { depth: 8, nodes: 64, bytes: 4_096 });
    if let Ok(tight) = &tight {
        assert_eq!(decoded.as_ref().ok(), Some(tight), "bounds decide whether something decodes, not to what");
    }
    if let Ok(object) = decoded
        && let Ok(encoded) = encode::properties(&object, &Capabilities::ALL)
    {
        // A value may be longer in its own spelling than in the one that it came in.
        let bounds = Bounds { depth: usize::MAX, nodes: usize::MAX, bytes: usize::MAX };
        let again = decode::properties(&encoded, &bounds).ok();
        assert_eq!(again.as_ref(), Some(&object), "what was understood should be understood again");
        let plain =
            Capabilities { secrets: false, resources: false, outputs: false, byte_strings: false, unknowns: true };
        drop(encode::properties(&object, &plain));
    }
    drop(decode::value(bytes, &Bounds::default()));
}

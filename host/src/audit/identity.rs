//! Which trace something belongs to, as the W3C's Trace Context has it.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A span's place in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) trace: [u8; 16],
    pub(super) span: [u8; 8],
    /// The span above, all zeros if there is none.
    pub(super) parent: [u8; 8],
    flags: u8,
}

impl Identity {
    /// A span of whatever trace a `traceparent` names, or of a new one.
    pub(super) fn below(traceparent: Option<&str>) -> Self {
        match traceparent.and_then(parsed) {
            Some((trace, parent, flags)) => Self { trace, span: drawn().to_be_bytes(), parent, flags },
            None => {
                let trace = (u128::from(drawn()) << 64 | u128::from(drawn())).to_be_bytes();
                Self { trace, span: drawn().to_be_bytes(), parent: [0; 8], flags: 1 }
            }
        }
    }

    /// Whether whoever began the trace wants to see it.
    pub(super) fn is_sampled(&self) -> bool {
        self.flags & 1 == 1
    }

    /// A span below this one.
    pub(super) fn child(&self) -> Self {
        Self { span: drawn().to_be_bytes(), parent: self.span, ..*self }
    }
}

/// As a `traceparent`.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trace, span) = (u128::from_be_bytes(self.trace), u64::from_be_bytes(self.span));
        write!(f, "00-{trace:032x}-{span:016x}-{:02x}", self.flags)
    }
}

/// Trace, span and flags of a header. A version that isn't known yet may have more behind them.
fn parsed(header: &str) -> Option<([u8; 16], [u8; 8], u8)> {
    let mut parts = header.trim().split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let digits = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let formed = digits(version, 2) && digits(trace, 32) && digits(span, 16) && digits(flags, 2);
    if !formed || version == "ff" || (version == "00" && parts.next().is_some()) {
        return None;
    }
    let (trace, span) = (u128::from_str_radix(trace, 16).ok()?, u64::from_str_radix(span, 16).ok()?);
    let known = trace != 0 && span != 0;
    known.then_some((trace.to_be_bytes(), span.to_be_bytes(), u8::from_str_radix(flags, 16).ok()?))
}

/// A number that nobody draws twice, and that needn't be secret.
fn drawn() -> u64 {
    RandomState::new().build_hasher().finish().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_goes_below_the_one_that_the_header_names() {
        let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let identity = Identity::below(Some(header));
        assert_eq!(identity.parent, 0xb7ad_6b71_6920_3331_u64.to_be_bytes());
        let outgoing = identity.to_string();
        assert!(
            outgoing.starts_with("00-0af7651916cd43dd8448eb211c80319c-") && outgoing.ends_with("-01"),
            "{outgoing}"
        );
        assert_ne!(identity.span, identity.parent);
        let child = identity.child();
        assert_eq!((child.trace, child.parent), (identity.trace, identity.span));
        assert_eq!(Identity::below(Some(&outgoing)).parent, identity.span);
    }

    #[test]
    fn a_trace_is_wanted_unless_its_header_says_otherwise() {
        let header = |flags: &str| format!("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-{flags}");
        for (flags, sampled) in [("00", false), ("01", true), ("02", false), ("03", true)] {
            let identity = Identity::below(Some(&header(flags)));
            assert_eq!((identity.is_sampled(), identity.child().is_sampled()), (sampled, sampled), "{flags}");
        }
        assert!(Identity::below(None).is_sampled());
    }

    #[test]
    fn what_is_no_header_begins_another_trace() {
        let trace = "0af7651916cd43dd8448eb211c80319c";
        for wrong in [
            None,
            Some(""),
            Some("00-0-0-01"),
            Some("00-00000000000000000000000000000000-b7ad6b7169203331-01"),
            Some("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
            Some("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"),
            Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"),
            Some("00-0af7651916cd43dd8448eb211c80319c-é7ad6b716920333-01"),
        ] {
            let identity = Identity::below(wrong);
            assert_eq!(identity.parent, [0; 8], "{wrong:?}");
            assert!(!identity.to_string().contains(trace), "{wrong:?}");
        }
        let later = "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-more";
        assert_eq!(Identity::below(Some(later)).trace[..2], [0x0a, 0xf7]);
    }
}

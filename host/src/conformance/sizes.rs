//! What a component's file is full of.

use wasmparser::{Parser, Payload};

use super::finding::{Finding, Findings, Level, Stage};

/// From here on a component is larger than what native compilers make of a whole provider, bytes.
const LARGE: usize = 32 << 20;

/// Looks at the sizes of a component's parts. Bytes that aren't one have none.
pub(super) fn look(component: &[u8], findings: &mut Findings) {
    let sections = Parser::new(0).parse_all(component).map_while(Result::ok).filter_map(|payload| match payload {
        Payload::CustomSection(section) if section.name().starts_with(".debug_") => Some(section.data().len()),
        _ => None,
    });
    let debug: usize = sections.sum();
    if debug > 0 {
        let message = format!("{debug} of {} bytes are information for debuggers", component.len());
        findings.add(
            Finding::new(Level::Hint, Stage::Load, "component", message)
                .hint("`bulkhead build` leaves it out; so does `strip = true` in the profile"),
        );
    }
    if component.len() > LARGE {
        let message = format!("it has {} MiB, all of which is compiled before the first call", component.len() >> 20);
        findings.add(Finding::new(Level::Hint, Stage::Load, "component", message).hint("look for what it is full of"));
    }
}

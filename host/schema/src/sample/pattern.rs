//! Strings that match a pattern.

use rand::distr::Distribution;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use super::draw::Draw;
use crate::model::Pattern;

/// How often what is open-ended is repeated at most.
const REPETITIONS: u32 = 8;
/// How many strings are drawn before a pattern counts as too hard.
const ATTEMPTS: usize = 200;
/// Deeper patterns aren't tried.
const DEPTH: usize = 64;

/// A string that matches a pattern and satisfies everything else that is asked; the last one drawn if none did.
pub(super) fn matching(pattern: &Pattern, draw: &mut Draw, fits: impl Fn(&str) -> bool) -> Option<String> {
    let hir = regex_syntax::parse(pattern.as_str()).ok()?;
    let source = rand_regex::Regex::with_hir(plain(&hir, DEPTH)?, REPETITIONS).ok()?;
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let text: String = source.sample(draw.source());
        if fits(&text) {
            return Some(text);
        }
        last = Some(text);
    }
    last
}

/// The pattern without anchors, and with what people type where it allows everything: whoever asked looks at what comes
/// out.
fn plain(hir: &Hir, depth: usize) -> Option<Hir> {
    let depth = depth.checked_sub(1)?;
    let all = |parts: &[Hir]| parts.iter().map(|part| plain(part, depth)).collect::<Option<Vec<Hir>>>();
    Some(match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Hir::empty(),
        HirKind::Literal(literal) => Hir::literal(literal.0.clone()),
        HirKind::Class(Class::Unicode(class)) => {
            let mut typed = ClassUnicode::new([ClassUnicodeRange::new(' ', '~')]);
            typed.intersect(class);
            Hir::class(Class::Unicode(if typed.ranges().is_empty() { class.clone() } else { typed }))
        }
        HirKind::Class(class) => Hir::class(class.clone()),
        HirKind::Repetition(repetition) => {
            let part = plain(&repetition.sub, depth)?;
            Hir::repetition(regex_syntax::hir::Repetition { sub: Box::new(part), ..repetition.clone() })
        }
        HirKind::Capture(capture) => plain(&capture.sub, depth)?,
        HirKind::Concat(parts) => Hir::concat(all(parts)?),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)?),
    })
}

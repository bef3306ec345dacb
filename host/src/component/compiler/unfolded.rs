//! What a compiler makes of a component's types and names, beside its code.
//!
//! An instance's type is spelt out again wherever it is mentioned: a file of some kilobytes may stand for millions of names. The host reads all
//! of them whenever it loads the machine code, and keeps some thirty times as much for as long as it has the component. How often a type is
//! mentioned by way of others, only the compiler works out, whose memory is bounded; so what came out of that is measured before it is read.

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection};

use super::super::load_error::LoadError;
use super::super::shape::ShapeError;

/// The section of machine code that says what modules and components are, as wasmtime calls it.
const SECTION: &str = ".wasmtime.info";
/// The most of it, bytes. Components of a whole language's runtime have less than half a megabyte.
const MOST: u64 = 8 << 20;

/// Holds machine code to it.
///
/// # Errors
/// A component that unfolds into more, or what is no machine code.
pub(super) fn fits(code: &[u8]) -> Result<(), LoadError> {
    let file = ElfFile64::<Endianness>::parse(code)
        .map_err(|error| LoadError::Compile(format!("its machine code can't be used: {error}")))?;
    let size = file.section_by_name(SECTION).map_or(0, |section| section.size());
    if size > MOST { Err(ShapeError::Unfolded { most: MOST >> 20 }.into()) } else { Ok(()) }
}

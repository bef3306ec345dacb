//! Schema and manifest inside a component: two custom sections at its end, written by `bulkhead build`.
//!
//! A host that had to run a component to learn what it is would run code that nobody has agreed to yet.

use std::ops::Range;

use wasmparser::{Encoding, Parser, Payload};

/// The section with the package schema, JSON.
const SCHEMA: &str = "bulkhead:schema";
/// The section with the manifest, JSON.
const MANIFEST: &str = "bulkhead:manifest";
/// How deep components may be nested: each level takes a few bytes of a file, and many more of whoever reads it.
const DEEPEST: usize = 100;

/// The sections of a component, where it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    /// The package schema.
    pub schema: Option<Vec<u8>>,
    /// The manifest.
    pub manifest: Option<Vec<u8>>,
}

/// Why bytes aren't a component.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SectionsError {
    /// Nothing at all.
    #[error("the file is empty")]
    Empty,
    /// Something else.
    #[error("the file isn't WebAssembly")]
    NotWasm,
    /// A core module.
    #[error("the file is a core WebAssembly module, not a component")]
    CoreModule,
    /// Truncated or corrupt.
    #[error("the file is damaged: {0}")]
    Damaged(String),
}

impl Sections {
    /// Reads the sections of a component. Only the outermost level is looked at, and no code.
    ///
    /// # Errors
    /// Bytes that aren't a component.
    pub fn read(component: &[u8]) -> Result<Self, SectionsError> {
        let mut sections = Self::default();
        for_custom_sections(component, |name, _, data| match name {
            SCHEMA => sections.schema = Some(data.to_vec()),
            MANIFEST => sections.manifest = Some(data.to_vec()),
            _ => {}
        })?;
        Ok(sections)
    }
}

/// The version that a schema says its package has, before anything else of it is checked. What is none is none: engines take a plugin
/// that says one for broken, and hide why.
pub(super) fn package_version(schema: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Versioned {
        version: String,
    }
    let said = serde_json::from_slice::<Versioned>(schema).ok()?;
    bulkhead_schema::package_version(&said.version).map(|version| version.to_string())
}

/// The package that a schema says it is, before anything of it is checked.
pub(crate) fn package_name(schema: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_slice::<Named>(schema).ok().map(|named| named.name)
}

/// The component with its sections replaced by these.
///
/// # Errors
/// Bytes that aren't a component.
pub fn embed(component: &[u8], schema: &[u8], manifest: &[u8]) -> Result<Vec<u8>, SectionsError> {
    let mut old: Vec<Range<usize>> = Vec::new();
    for_custom_sections(component, |name, range, _| {
        if name == SCHEMA || name == MANIFEST {
            old.push(range);
        }
    })?;
    old.sort_by_key(|range| range.start);
    let mut output = Vec::with_capacity(component.len() + schema.len() + manifest.len() + 64);
    let mut from = 0;
    for range in old {
        output.extend_from_slice(component.get(from..range.start).unwrap_or_default());
        from = range.end;
    }
    output.extend_from_slice(component.get(from..).unwrap_or_default());
    for (name, data) in [(SCHEMA, schema), (MANIFEST, manifest)] {
        let section = wasm_encoder::CustomSection { name: name.into(), data: data.into() };
        output.push(wasm_encoder::ComponentSectionId::CoreCustom as u8);
        wasm_encoder::Encode::encode(&section, &mut output);
    }
    Ok(output)
}

/// Visits the custom sections at the outermost level: name, range of the whole section, contents. A file may have a hundred million of
/// them, so none is kept.
fn for_custom_sections<'a>(
    component: &'a [u8],
    mut visit: impl FnMut(&'a str, Range<usize>, &'a [u8]),
) -> Result<(), SectionsError> {
    match component {
        [] => return Err(SectionsError::Empty),
        [0, b'a', b's', b'm', ..] => {}
        _ => return Err(SectionsError::NotWasm),
    }
    let mut depth = 0_usize;
    let mut end = 0;
    for payload in Parser::new(0).parse_all(component) {
        match payload.map_err(|error| SectionsError::Damaged(error.to_string()))? {
            Payload::Version { encoding: Encoding::Module, .. } if depth == 0 => return Err(SectionsError::CoreModule),
            Payload::Version { range, .. } if depth == 0 => end = range.end,
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } if depth == DEEPEST => {
                return Err(SectionsError::Damaged(format!("components in it are nested more than {DEEPEST} deep")));
            }
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(at) => {
                depth = depth.saturating_sub(1);
                end = at;
            }
            Payload::CustomSection(section) if depth == 0 => {
                let start = section_start(component, section.range().start, end);
                visit(section.name(), start..section.range().end, section.data());
                end = section.range().end;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Where a custom section's id byte stands, given where its contents start: an id and a LEB128 size lie before them.
fn section_start(component: &[u8], contents: usize, earliest: usize) -> usize {
    (1..=6)
        .filter_map(|back| contents.checked_sub(back))
        .filter(|start| *start >= earliest)
        .find(|start| component.get(*start) == Some(&0) && sized(component, *start + 1, contents))
        .unwrap_or(contents)
}

/// Whether a LEB128 number fills exactly the bytes from one position to another.
fn sized(component: &[u8], from: usize, to: usize) -> bool {
    let Some([rest @ .., last]) = component.get(from..to) else { return false };
    rest.iter().all(|byte| byte & 0x80 != 0) && last & 0x80 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest component: a preamble.
    const COMPONENT: [u8; 8] = [0, b'a', b's', b'm', 0x0d, 0, 1, 0];

    #[test]
    fn what_is_embedded_is_read_again_and_replaced_the_next_time() {
        assert_eq!(Sections::read(&COMPONENT), Ok(Sections::default()));
        let long = vec![b' '; 100_000];
        let once = embed(&COMPONENT, &long, b"{}").unwrap();
        let sections = Sections::read(&once).unwrap();
        assert_eq!((sections.schema, sections.manifest), (Some(long), Some(b"{}".to_vec())));
        let twice = embed(&once, b"s", b"m").unwrap();
        let sections = Sections::read(&twice).unwrap();
        assert_eq!((sections.schema.as_deref(), sections.manifest.as_deref()), (Some(&b"s"[..]), Some(&b"m"[..])));
        assert_eq!(twice, embed(&COMPONENT, b"s", b"m").unwrap(), "nothing of the first time is left");
    }

    #[test]
    fn other_sections_stay() {
        let other = wasm_encoder::CustomSection { name: "other".into(), data: vec![0; 300].into() };
        let mut component = COMPONENT.to_vec();
        component.push(0);
        wasm_encoder::Encode::encode(&other, &mut component);
        let embedded = embed(&embed(&component, b"s", b"m").unwrap(), b"t", b"n").unwrap();
        assert!(embedded.starts_with(&component));
        let mut names = Vec::new();
        for_custom_sections(&embedded, |name, _, _| names.push(name)).unwrap();
        assert_eq!(names, ["other", SCHEMA, MANIFEST]);
    }

    #[test]
    fn a_version_is_said_only_if_engines_can_read_it() {
        let said = |version: &str| package_version(format!(r#"{{"name":"x","version":{version}}}"#).as_bytes());
        for version in ["1.2.3", "v1.2.3", "1.2.3-alpha.1+abc"] {
            assert_eq!(said(&format!("\"{version}\"")).as_deref(), Some(version.trim_start_matches('v')));
        }
        let long = format!("\"1.2.3-{}\"", "a".repeat(100_000));
        for none in ["\"latest\"", "\"1.2\"", "\"\"", "\"01.2.3\"", "1", "null", "\"99999999999999999999.0.0\"", &long]
        {
            assert_eq!(said(none), None, "{none}");
        }
    }

    #[test]
    fn bytes_that_are_no_component_are_told_apart() {
        let error = |bytes: &[u8]| Sections::read(bytes).unwrap_err().to_string();
        assert_eq!(error(b""), "the file is empty");
        assert_eq!(error(b"#!/bin/sh"), "the file isn't WebAssembly");
        assert_eq!(error(&[0, b'a', b's', b'm', 1, 0, 0, 0]), "the file is a core WebAssembly module, not a component");
        let truncated = [&COMPONENT[..], &[0, 0x20, 1]].concat();
        assert!(error(&truncated).starts_with("the file is damaged: "), "{}", error(&truncated));
    }
}

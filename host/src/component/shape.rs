//! What a component is put together from, counted before it is compiled.
//!
//! Components hold components, each of which may be instantiated several times by the one around it. A compiler unfolds all of
//! that: a few hundred bytes could stand for a billion instances. So they are counted first, without unfolding anything, and a
//! component whose instances can't be counted this way isn't compiled. Nothing here looks at code but for its length.

use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind, ComponentTypeRef, DataKind,
    ElementItems, Encoding, Instance, Parser, Payload,
};

/// Instances, of modules and of components, that a component may be made of.
const MOST_INSTANCES: u64 = 1_000;
/// Items that all instances have together: functions, globals, elements, segments, types. Each takes some of the host's memory, whenever
/// the component is instantiated.
const MOST_ITEMS: u64 = 1_000_000;
/// What an item takes of the host's memory, bytes, at most: an import, a function that may be referred to and a segment take as much; a
/// global and an element of a segment take half of it.
const ITEM: u64 = 32;
/// Items that a function counts for that is lifted or lowered: a way into it, and where it leads from one component into another, an
/// adapter with all that this imports.
const CANONICAL: u32 = 4;
/// Names that all instances of components export: each is kept for each of them, with some hundred bytes beside it.
const MOST_EXPORTS: u64 = 250_000;
/// Bytes that all instances write into memories and tables before anything of them runs. That is one instruction of the host's, so to
/// speak: nobody can interrupt it, and it counts as nobody's computing until it is over.
const MOST_DATA: u64 = 1 << 30;
/// Bytes that the types of all core modules take, instantiated or not: the host keeps some eighty times as much of them, for as long as it has
/// the component.
const MOST_TYPES: usize = 1 << 20;
/// The same of what modules and components import, export and call by names otherwise, of which it keeps some seventeen times as much.
const MOST_NAMES: usize = 4 << 20;
/// Modules and components that one of them knows by index, other names for them counted too.
const MOST_KNOWN: usize = 10_000;
/// How deep components may be nested.
const DEEPEST: usize = 100;
/// How deep types may be spelt out within each other. Whoever reads them calls itself for each level, and no stack has room for the
/// millions that fit into a file; where they refer to each other instead, the compiler counts levels.
const DEEPEST_TYPE: usize = 5_000;
/// Bytes of one function's code. What it takes to compile one grows faster than its length.
const LARGEST_FUNCTION: usize = 1 << 20;

/// Why a component isn't compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// It isn't what a component is.
    #[error("{0}")]
    Damaged(String),
    /// It unfolds into too much.
    #[error("it is made of more than {MOST_INSTANCES} instances")]
    Instances,
    /// Its instances have too much of their own.
    #[error("its instances have more than {MOST_ITEMS} functions, globals and elements together")]
    Items,
    /// Its instances have too much written into memories.
    #[error("its instances begin with more than {} MiB of data together", MOST_DATA >> 20)]
    Data,
    /// Its modules have too many types.
    #[error("its modules have more than {} MiB of types together", MOST_TYPES >> 20)]
    Types,
    /// Its modules import and export too much.
    #[error("it has more than {} MiB of imports, exports and other names together", MOST_NAMES >> 20)]
    Names,
    /// Its instances export too much.
    #[error("its instances export more than {MOST_EXPORTS} names together")]
    Exports,
    /// What is mentioned again and again is spelt out each time.
    #[error("its types and names unfold into more than {most} MiB")]
    Unfolded {
        /// The limit, MiB.
        most: u64,
    },
    /// It has too many parts, or too many names for them.
    #[error("a component in it has more than {MOST_KNOWN} modules and components, or names for them")]
    Known,
    /// It is nested too deep.
    #[error("components in it are nested more than {DEEPEST} deep")]
    Deep,
    /// A type in it is nested too deep.
    #[error("types in it are spelt out more than {DEEPEST_TYPE} deep")]
    DeepType,
    /// It takes or hands out components, and only running it would show how many it is made of.
    #[error("it passes components or modules to others inside of itself")]
    Passed,
    /// A function is too large.
    #[error("one of its functions has {found} bytes, and {LARGEST_FUNCTION} are the most")]
    Function {
        /// Its length.
        found: usize,
    },
}

/// What an instance of something is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weight {
    instances: u64,
    items: u64,
    /// Bytes of data that is written at the beginning.
    data: u64,
    /// Names that components export.
    names: u64,
}

/// What modules and components say of themselves, bytes: kept once for each that is defined, however often it is instantiated.
#[derive(Default)]
struct Described {
    types: usize,
    names: usize,
}

impl Described {
    fn count(&mut self, payload: &Payload<'_>) -> Result<(), ShapeError> {
        let (counted, length) = match payload {
            Payload::TypeSection(types) => (&mut self.types, types.range().len()),
            Payload::CoreTypeSection(types) => (&mut self.types, types.range().len()),
            Payload::ImportSection(imports) => (&mut self.names, imports.range().len()),
            Payload::ExportSection(exports) => (&mut self.names, exports.range().len()),
            Payload::InstanceSection(instances) => (&mut self.names, instances.range().len()),
            Payload::ComponentTypeSection(types) => (&mut self.names, types.range().len()),
            Payload::ComponentImportSection(imports) => (&mut self.names, imports.range().len()),
            Payload::ComponentExportSection(exports) => (&mut self.names, exports.range().len()),
            Payload::ComponentInstanceSection(instances) => (&mut self.names, instances.range().len()),
            Payload::ComponentAliasSection(aliases) => (&mut self.names, aliases.range().len()),
            _ => return Ok(()),
        };
        *counted = counted.saturating_add(length);
        if self.types > MOST_TYPES {
            return Err(ShapeError::Types);
        }
        if self.names > MOST_NAMES { Err(ShapeError::Names) } else { Ok(()) }
    }
}

/// A component or a module on the way to its end.
#[derive(Default)]
struct Level {
    module: bool,
    /// What each of the components is made of that it knows, by index.
    components: Vec<Weight>,
    /// The same of modules.
    modules: Vec<Weight>,
    /// What one of it is made of.
    weight: Weight,
}

/// Looks through a component, and counts the items that each instance of it has.
///
/// # Errors
/// A component that no compiler should see.
pub(super) fn examine(component: &[u8]) -> Result<u64, ShapeError> {
    let mut levels: Vec<Level> = Vec::new();
    let (mut items, mut described) = (0, Described::default());
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload.map_err(damaged)?;
        if let Payload::Version { encoding, .. } = payload {
            if levels.len() > DEEPEST {
                return Err(ShapeError::Deep);
            }
            levels.push(Level { module: encoding == Encoding::Module, ..Level::default() });
            continue;
        }
        if let Payload::CodeSectionEntry(body) = &payload {
            let found = body.range().len();
            if found > LARGEST_FUNCTION {
                return Err(ShapeError::Function { found });
            }
        }
        if let Payload::ComponentTypeSection(types) = &payload {
            let types = component.get(types.range()).unwrap_or_default();
            if nested_types(types) > DEEPEST_TYPE {
                return Err(ShapeError::DeepType);
            }
        }
        if let Payload::End(_) = payload {
            let ended = levels.pop().unwrap_or_default();
            match levels.last_mut() {
                Some(around) => around.learn(ended.module, ended.weight)?,
                None => items = ended.weight.items,
            }
            continue;
        }
        described.count(&payload)?;
        count(&payload, &mut levels)?;
        let weight = levels.last().map(|level| level.weight).unwrap_or_default();
        if weight.instances > MOST_INSTANCES {
            return Err(ShapeError::Instances);
        }
        if weight.items > MOST_ITEMS {
            return Err(ShapeError::Items);
        }
        if weight.names > MOST_EXPORTS {
            return Err(ShapeError::Exports);
        }
        if weight.data > MOST_DATA {
            return Err(ShapeError::Data);
        }
    }
    Ok(items)
}

/// What so many items of an instance take of the host's memory, bytes.
pub(super) fn memory(items: u64) -> usize {
    usize::try_from(items.saturating_mul(ITEM)).unwrap_or(usize::MAX)
}

/// How deep types in a section are spelt out within each other at most. They aren't read for that, since whoever reads them calls
/// itself: each level begins with a declaration of a type (1) that is one of a component (0x41) or of an instance (0x42), so there are
/// no more levels than places that look like that.
fn nested_types(section: &[u8]) -> usize {
    section.windows(2).filter(|bytes| matches!(bytes, [1, 0x41 | 0x42])).count()
}

/// Adds what a section makes.
fn count(payload: &Payload<'_>, levels: &mut [Level]) -> Result<(), ShapeError> {
    let Some((level, around)) = levels.split_last_mut() else { return Ok(()) };
    match payload {
        Payload::ImportSection(imports) => level.weight.own(imports.count()),
        Payload::FunctionSection(functions) => level.weight.own(functions.count()),
        Payload::GlobalSection(globals) => level.weight.own(globals.count()),
        Payload::ElementSection(segments) => {
            level.weight.own(segments.count());
            for segment in segments.clone() {
                level.weight.own(match segment.map_err(damaged)?.items {
                    ElementItems::Functions(items) => items.count(),
                    ElementItems::Expressions(_, items) => items.count(),
                });
            }
        }
        Payload::DataSection(segments) => {
            level.weight.own(segments.count());
            for segment in segments.clone() {
                let segment = segment.map_err(damaged)?;
                if matches!(segment.kind, DataKind::Active { .. }) {
                    level.weight.data = level.weight.data.saturating_add(segment.data.len() as u64);
                }
            }
        }
        // Those of resources take some, and aren't told apart here, which takes reading them.
        Payload::ComponentTypeSection(types) => level.weight.own(types.count()),
        Payload::ComponentCanonicalSection(functions) => {
            level.weight.own(functions.count().saturating_mul(CANONICAL));
        }
        Payload::InstanceSection(instances) => {
            for instance in instances.clone() {
                let made = match instance.map_err(damaged)? {
                    Instance::Instantiate { module_index, .. } => known(&level.modules, module_index),
                    Instance::FromExports(exports) => Weight { names: exports.len() as u64, ..Weight::default() },
                };
                level.weight.add(made);
            }
        }
        Payload::ComponentInstanceSection(instances) => {
            for instance in instances.clone() {
                let made = match instance.map_err(damaged)? {
                    ComponentInstance::Instantiate { component_index, .. } => known(&level.components, component_index),
                    ComponentInstance::FromExports(exports) => {
                        Weight { names: exports.len() as u64, ..Weight::default() }
                    }
                };
                level.weight.add(made);
            }
        }
        Payload::ComponentImportSection(imports) => {
            for import in imports.clone() {
                let module = match import.map_err(damaged)?.ty {
                    ComponentTypeRef::Component(_) => false,
                    ComponentTypeRef::Module(_) => true,
                    _ => continue,
                };
                if !around.is_empty() {
                    return Err(ShapeError::Passed);
                }
                // Nobody gives one to the outermost component, which isn't instantiated then.
                level.learn(module, Weight::default())?;
            }
        }
        Payload::ComponentAliasSection(aliases) => {
            for alias in aliases.clone() {
                alias_of(&alias.map_err(damaged)?, level, around)?;
            }
        }
        Payload::ComponentExportSection(exports) => {
            level.weight.names = level.weight.names.saturating_add(exports.count().into());
            for export in exports.clone() {
                let export = export.map_err(damaged)?;
                match export.kind {
                    ComponentExternalKind::Component => level.learn(false, known(&level.components, export.index))?,
                    ComponentExternalKind::Module => level.learn(true, known(&level.modules, export.index))?,
                    _ => {}
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Adds what another name stands for.
fn alias_of(alias: &ComponentAlias<'_>, level: &mut Level, around: &[Level]) -> Result<(), ShapeError> {
    let (kind, count, index) = match *alias {
        ComponentAlias::InstanceExport {
            kind: ComponentExternalKind::Component | ComponentExternalKind::Module,
            ..
        } => return Err(ShapeError::Passed),
        ComponentAlias::Outer { kind, count, index } => (kind, usize::try_from(count).unwrap_or(usize::MAX), index),
        _ => return Ok(()),
    };
    // The first one around is the last in the list; none at all is the component itself.
    let outer = count.checked_sub(1).map(|count| around.iter().rev().nth(count));
    let of = |own: &[Weight], list: fn(&Level) -> &[Weight]| match outer {
        None => known(own, index),
        Some(outer) => outer.map_or(Weight::default(), |outer| known(list(outer), index)),
    };
    match kind {
        ComponentOuterAliasKind::Component => level.learn(false, of(&level.components, |level| &level.components)),
        ComponentOuterAliasKind::CoreModule => level.learn(true, of(&level.modules, |level| &level.modules)),
        _ => Ok(()),
    }
}

/// What a component or a module is made of.
fn known(all: &[Weight], index: u32) -> Weight {
    usize::try_from(index).ok().and_then(|index| all.get(index)).copied().unwrap_or_default()
}

impl Level {
    /// One more module or component that it knows.
    fn learn(&mut self, module: bool, made: Weight) -> Result<(), ShapeError> {
        if self.modules.len().saturating_add(self.components.len()) >= MOST_KNOWN {
            return Err(ShapeError::Known);
        }
        if module { &mut self.modules } else { &mut self.components }.push(made);
        Ok(())
    }
}

impl Weight {
    /// One more instance, of something.
    fn add(&mut self, made: Self) {
        self.instances = self.instances.saturating_add(made.instances).saturating_add(1);
        self.items = self.items.saturating_add(made.items);
        self.data = self.data.saturating_add(made.data);
        self.names = self.names.saturating_add(made.names);
    }

    /// Some items of its own.
    fn own(&mut self, items: u32) {
        self.items = self.items.saturating_add(items.into());
    }
}

fn damaged(error: wasmparser::BinaryReaderError) -> ShapeError {
    ShapeError::Damaged(error.to_string())
}

#[cfg(test)]
mod tests;

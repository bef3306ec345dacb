//! What a component is put together from, counted before it is compiled.
//!
//! Components hold components, each of which may be instantiated several times by the one around it. A compiler unfolds all of
//! that: a few hundred bytes could stand for a billion instances. So they are counted first, without unfolding anything, and a
//! component whose instances can't be counted this way isn't compiled. Nothing here looks at code but for its length.

use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind, ComponentTypeRef, Encoding,
    Parser, Payload,
};

/// Instances, of modules and of components, that a component may be made of.
const MOST_INSTANCES: u64 = 1_000;
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
    /// It takes or hands out components, and only running it would show how many it is made of.
    #[error("it passes components to others inside of itself")]
    Passed,
    /// A function is too large.
    #[error("one of its functions has {found} bytes, and {LARGEST_FUNCTION} are the most")]
    Function {
        /// Its length.
        found: usize,
    },
}

/// A component on the way to its end.
#[derive(Default)]
struct Level {
    module: bool,
    /// How many instances each of the components is made of that it knows, by index.
    components: Vec<u64>,
    /// How many instances one of it is made of.
    weight: u64,
}

/// Looks through a component.
///
/// # Errors
/// A component that no compiler should see.
pub(super) fn examine(component: &[u8]) -> Result<(), ShapeError> {
    let mut levels: Vec<Level> = Vec::new();
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload.map_err(damaged)?;
        if let Payload::Version { encoding, .. } = payload {
            levels.push(Level { module: encoding == Encoding::Module, ..Level::default() });
            continue;
        }
        if let Payload::CodeSectionEntry(body) = &payload {
            let found = body.range().len();
            if found > LARGEST_FUNCTION {
                return Err(ShapeError::Function { found });
            }
        }
        if let Payload::End(_) = payload {
            let ended = levels.pop().unwrap_or_default();
            if let Some(around) = levels.last_mut().filter(|_| !ended.module) {
                around.components.push(ended.weight);
            }
            continue;
        }
        count(&payload, &mut levels)?;
        if levels.last().is_some_and(|level| level.weight > MOST_INSTANCES) {
            return Err(ShapeError::Instances);
        }
    }
    Ok(())
}

/// Adds what a section of a component makes.
fn count(payload: &Payload<'_>, levels: &mut [Level]) -> Result<(), ShapeError> {
    let nested = levels.len() > 1;
    match payload {
        Payload::InstanceSection(instances) => {
            let Some(level) = levels.last_mut() else { return Ok(()) };
            level.weight = level.weight.saturating_add(instances.count().into());
        }
        Payload::ComponentInstanceSection(instances) => {
            let Some(level) = levels.last_mut() else { return Ok(()) };
            for instance in instances.clone() {
                let made = match instance.map_err(damaged)? {
                    ComponentInstance::Instantiate { component_index, .. } => level.known(component_index),
                    ComponentInstance::FromExports(_) => 0,
                };
                level.weight = level.weight.saturating_add(made).saturating_add(1);
            }
        }
        Payload::ComponentImportSection(imports) => {
            for import in imports.clone() {
                if let ComponentTypeRef::Component(_) = import.map_err(damaged)?.ty {
                    if nested {
                        return Err(ShapeError::Passed);
                    }
                    // Nobody gives one to the outermost component, which isn't instantiated then.
                    levels.last_mut().into_iter().for_each(|level| level.components.push(0));
                }
            }
        }
        Payload::ComponentAliasSection(aliases) => {
            for alias in aliases.clone() {
                match alias.map_err(damaged)? {
                    ComponentAlias::InstanceExport { kind: ComponentExternalKind::Component, .. } => {
                        return Err(ShapeError::Passed);
                    }
                    ComponentAlias::Outer { kind: ComponentOuterAliasKind::Component, count, index } => {
                        let outer = usize::try_from(count).ok().and_then(|count| levels.len().checked_sub(count + 1));
                        let weight = outer.and_then(|at| levels.get(at)).map_or(0, |level| level.known(index));
                        levels.last_mut().into_iter().for_each(|level| level.components.push(weight));
                    }
                    _ => {}
                }
            }
        }
        Payload::ComponentExportSection(exports) => {
            let Some(level) = levels.last_mut() else { return Ok(()) };
            for export in exports.clone() {
                let export = export.map_err(damaged)?;
                if export.kind == ComponentExternalKind::Component {
                    level.components.push(level.known(export.index));
                }
            }
        }
        _ => {}
    }
    Ok(())
}

impl Level {
    /// How many instances a component is made of.
    fn known(&self, index: u32) -> u64 {
        usize::try_from(index).ok().and_then(|index| self.components.get(index)).copied().unwrap_or(0)
    }
}

fn damaged(error: wasmparser::BinaryReaderError) -> ShapeError {
    ShapeError::Damaged(error.to_string())
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        CodeSection, Component, ComponentAliasSection, ComponentInstanceSection, ComponentSection, Function,
        FunctionSection, InstanceSection, Module, ModuleSection, NestedComponentSection, TypeSection,
    };

    use super::*;

    fn section(component: &mut Component, section: &impl ComponentSection) {
        component.section(section);
    }

    /// A component with a module and so many instances of it.
    fn flat(count: u32) -> Component {
        let mut component = Component::new();
        section(&mut component, &ModuleSection(&Module::new()));
        let mut instances = InstanceSection::new();
        for _ in 0..count {
            instances.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(0, []);
        }
        section(&mut component, &instances);
        component
    }

    /// So many instances of the component of an index.
    fn instantiated(component: &mut Component, index: u32, count: u32) {
        let mut instances = ComponentInstanceSection::new();
        for _ in 0..count {
            let none: [(&str, wasm_encoder::ComponentExportKind, u32); 0] = [];
            instances.instantiate(index, none);
        }
        section(component, &instances);
    }

    #[test]
    fn instances_are_counted_however_they_are_folded() {
        assert_eq!(examine(&flat(1_000).finish()), Ok(()));
        assert_eq!(examine(&flat(1_001).finish()), Err(ShapeError::Instances));
        // Each holds the one before, twice.
        let mut nested = flat(1);
        for level in 0..40 {
            let mut around = Component::new();
            section(&mut around, &NestedComponentSection(&nested));
            instantiated(&mut around, 0, 2);
            nested = around;
            let expected = if level < 8 { Ok(()) } else { Err(ShapeError::Instances) };
            assert_eq!(examine(nested.as_slice()), expected, "{level}");
        }
    }

    #[test]
    fn a_component_is_counted_where_it_is_known_by_another_name() {
        // Side by side, each makes two of its neighbour.
        let mut whole = Component::new();
        section(&mut whole, &NestedComponentSection(&flat(1)));
        for before in 0..30 {
            let mut next = Component::new();
            let mut aliases = ComponentAliasSection::new();
            aliases.alias(wasm_encoder::Alias::Outer {
                kind: wasm_encoder::ComponentOuterAliasKind::Component,
                count: 1,
                index: before,
            });
            section(&mut next, &aliases);
            instantiated(&mut next, 0, 2);
            section(&mut whole, &NestedComponentSection(&next));
        }
        assert_eq!(examine(whole.as_slice()), Err(ShapeError::Instances), "each of them could be instantiated");
    }

    #[test]
    fn functions_are_measured() {
        let module = |length: usize| {
            let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
            types.ty().function([], []);
            functions.function(0);
            let mut function = Function::new([]);
            function.raw(vec![0x01; length]);
            function.instruction(&wasm_encoder::Instruction::End);
            code.function(&function);
            let mut module = Module::new();
            module.section(&types).section(&functions).section(&code);
            let mut component = Component::new();
            section(&mut component, &ModuleSection(&module));
            component.finish()
        };
        assert_eq!(examine(&module(1_000_000)), Ok(()));
        assert_eq!(examine(&module(2_000_000)), Err(ShapeError::Function { found: 2_000_002 }));
    }
}

use wasm_encoder::{
    CodeSection, Component, ComponentAliasSection, ComponentExportKind, ComponentExportSection,
    ComponentInstanceSection, ComponentSection, ComponentTypeSection, ExportKind, ExportSection, Function,
    FunctionSection, InstanceSection, Module, ModuleSection, NestedComponentSection, TypeSection,
};

use super::super::sections::Sections;
use super::*;

fn examine(component: &[u8]) -> Result<(), ShapeError> {
    super::examine(component).map(drop)
}

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
fn what_modules_say_of_themselves_is_counted_without_an_instance() {
    let whole = |count: usize, types: &TypeSection, exports: &ExportSection| {
        let mut module = Module::new();
        module.section(types).section(exports);
        let mut component = Component::new();
        (0..count).for_each(|_| section(&mut component, &ModuleSection(&module)));
        examine(component.as_slice())
    };
    let (mut types, mut exports) = (TypeSection::new(), ExportSection::new());
    for number in 0..50_000_u32 {
        types.ty().function([], []);
        exports.export(&format!("{number:05}"), ExportKind::Func, 0);
    }
    let (no_types, no_exports) = (TypeSection::new(), ExportSection::new());
    assert_eq!(whole(6, &types, &no_exports), Ok(()));
    assert_eq!(whole(7, &types, &no_exports), Err(ShapeError::Types));
    assert_eq!(whole(10, &no_types, &exports), Ok(()));
    assert_eq!(whole(11, &no_types, &exports), Err(ShapeError::Names));
}

#[test]
fn what_a_component_says_of_itself_is_counted_as_its_modules_are() {
    let names: Vec<String> = (0..400_000).map(|number| format!("name-{number:06}")).collect();
    let mut exports = ComponentExportSection::new();
    for name in &names {
        exports.export(name.as_str(), ComponentExportKind::Func, 0, None);
    }
    let items = || names.iter().map(|name| (name.as_str(), ComponentExportKind::Func, 0));
    let mut instances = ComponentInstanceSection::new();
    instances.export_items(items());
    let mut types = ComponentTypeSection::new();
    types.defined_type().enum_type(names.iter().map(String::as_str));
    let sections: [&dyn Fn(&mut Component); 3] =
        [&|component| section(component, &exports), &|component| section(component, &instances), &|component| {
            section(component, &types)
        }];
    for (number, add) in sections.into_iter().enumerate() {
        let mut component = Component::new();
        add(&mut component);
        assert_eq!(examine(component.as_slice()), Err(ShapeError::Names), "{number}");
    }
}

#[test]
fn what_a_component_exports_counts_for_each_of_its_instances() {
    let mut exports = ComponentExportSection::new();
    for number in 0..500 {
        exports.export(format!("n{number}").as_str(), ComponentExportKind::Func, 0, None);
    }
    let mut nested = Component::new();
    section(&mut nested, &exports);
    for (count, expected) in [(500, Ok(())), (501, Err(ShapeError::Exports))] {
        let mut component = Component::new();
        section(&mut component, &NestedComponentSection(&nested));
        instantiated(&mut component, 0, count);
        assert_eq!(examine(component.as_slice()), expected);
    }
}

#[test]
fn parts_and_names_for_them_are_counted_and_nesting_ends() {
    let named = |count: u32| {
        let mut component = Component::new();
        section(&mut component, &ModuleSection(&Module::new()));
        let mut aliases = ComponentAliasSection::new();
        for _ in 1..count {
            let kind = wasm_encoder::ComponentOuterAliasKind::CoreModule;
            aliases.alias(wasm_encoder::Alias::Outer { kind, count: 0, index: 0 });
        }
        section(&mut component, &aliases);
        examine(&component.finish())
    };
    assert_eq!(named(10_000), Ok(()));
    assert_eq!(named(10_001), Err(ShapeError::Known));
    let mut nested = Component::new();
    for depth in 1..=101 {
        let mut around = Component::new();
        section(&mut around, &NestedComponentSection(&nested));
        nested = around;
        let expected = if depth <= 100 { Ok(()) } else { Err(ShapeError::Deep) };
        assert_eq!(examine(nested.as_slice()), expected, "{depth}");
        assert_eq!(Sections::read(nested.as_slice()).is_ok(), depth <= 100, "{depth}");
    }
}

/// A module with so many globals.
fn globals(count: u32) -> Module {
    let mut globals = wasm_encoder::GlobalSection::new();
    let ty = wasm_encoder::GlobalType { val_type: wasm_encoder::ValType::I32, mutable: false, shared: false };
    for _ in 0..count {
        globals.global(ty, &wasm_encoder::ConstExpr::i32_const(0));
    }
    let mut module = Module::new();
    module.section(&globals);
    module
}

#[test]
fn what_instances_have_of_their_own_is_counted_for_each() {
    let of = |items: u32, instances: u32| {
        let mut component = Component::new();
        section(&mut component, &ModuleSection(&Module::new()));
        section(&mut component, &ModuleSection(&globals(items)));
        let mut inner = Component::new();
        let mut aliases = ComponentAliasSection::new();
        aliases.alias(wasm_encoder::Alias::Outer {
            kind: wasm_encoder::ComponentOuterAliasKind::CoreModule,
            count: 1,
            index: 1,
        });
        section(&mut inner, &aliases);
        let mut made = InstanceSection::new();
        made.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(0, []);
        section(&mut inner, &made);
        section(&mut component, &NestedComponentSection(&inner));
        instantiated(&mut component, 0, instances);
        examine(&component.finish())
    };
    assert_eq!(of(100_000, 10), Ok(()));
    assert_eq!(of(100_000, 11), Err(ShapeError::Items));
    assert_eq!(of(1_000_001, 0), Err(ShapeError::Items));
}

/// The items that so many instances of a module have.
fn items(module: &Module, instances: u32) -> u64 {
    let mut component = Component::new();
    section(&mut component, &ModuleSection(module));
    let mut made = InstanceSection::new();
    for _ in 0..instances {
        made.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(0, []);
    }
    section(&mut component, &made);
    super::examine(component.as_slice()).unwrap()
}

fn items_of(section: &impl wasm_encoder::Section) -> u64 {
    items(Module::new().section(section), 3)
}

#[test]
fn all_that_takes_memory_whenever_something_is_instantiated_is_an_item() {
    let mut imports = wasm_encoder::ImportSection::new();
    imports.import("m", "f", wasm_encoder::EntityType::Function(0));
    assert_eq!(items_of(&imports), 3);
    let (mut functions, mut code, mut empty) = (FunctionSection::new(), CodeSection::new(), Function::new([]));
    functions.function(0).function(0);
    empty.instruction(&wasm_encoder::Instruction::End);
    code.function(&empty).function(&empty);
    assert_eq!(items(Module::new().section(&functions).section(&code), 3), 6);
    let mut segments = wasm_encoder::ElementSection::new();
    for functions in [&[0, 0, 0, 0][..], &[]] {
        segments.passive(wasm_encoder::Elements::Functions(functions.into()));
    }
    assert_eq!(items_of(&segments), 18, "segments, and what is in them");
    let mut data = wasm_encoder::DataSection::new();
    data.passive([]).passive([1, 2, 3]);
    assert_eq!(items_of(&data), 6);
    assert_eq!([0, 2].map(|instances| items(&globals(7), instances)), [0, 14]);
    assert_eq!(memory(14), 448);

    let mut component = Component::new();
    let mut types = wasm_encoder::ComponentTypeSection::new();
    types.resource(wasm_encoder::ValType::I32, None);
    section(&mut component, &types);
    let mut canonical = wasm_encoder::CanonicalFunctionSection::new();
    canonical.resource_drop(0);
    section(&mut component, &canonical);
    assert_eq!(super::examine(component.as_slice()), Ok(5));
}

#[test]
fn types_within_types_are_counted_before_anybody_reads_them() {
    let types = |levels: usize| {
        let mut types = vec![1_u8];
        types.extend([0x41, 1, 1].repeat(levels));
        types.extend([0x41, 0]);
        let mut whole = Component::new().finish();
        whole.push(wasm_encoder::ComponentSectionId::Type as u8);
        wasm_encoder::Encode::encode(types.as_slice(), &mut whole);
        examine(&whole)
    };
    assert_eq!(types(DEEPEST_TYPE - 1), Ok(()));
    assert_eq!(types(DEEPEST_TYPE), Err(ShapeError::DeepType));
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

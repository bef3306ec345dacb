//! Components put together here, since no compiler makes them: what is added to a well-behaved one runs when it is instantiated.

use bulkhead::component::embed;
use wasm_encoder::{
    CanonicalOption, CodeSection, Component, ComponentImportSection, ComponentInstanceSection, ComponentSectionId,
    ComponentType, ComponentTypeSection, Encode, Function, FunctionSection, InstanceSection, Instruction,
    MemorySection, MemoryType, Module, ModuleSection, NestedComponentSection, RefType, StartSection, TableSection,
    TableType, TypeSection, ValType,
};
use wasmparser::{CanonicalFunction, Parser, Payload};

use crate::{MANIFEST, SCHEMA};

mod interfaces;

pub(crate) use interfaces::*;

/// A well-behaved component with its description beside its code, so that nothing of it runs to be loaded.
pub(crate) fn behaved() -> Vec<u8> {
    embed(&bulkhead_tests::hostile("behaved"), SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap()
}

/// How many core modules and components a component has, at its outermost level.
fn parts(component: &[u8]) -> (u32, u32) {
    let mut depth = 0_u32;
    let (mut modules, mut components) = (0, 0);
    for payload in Parser::new(0).parse_all(component) {
        match payload.unwrap() {
            Payload::ModuleSection { .. } => {
                modules += u32::from(depth == 0);
                depth += 1;
            }
            Payload::ComponentSection { .. } => {
                components += u32::from(depth == 0);
                depth += 1;
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (modules, components)
}

/// A component with one more core module, which is instantiated with it.
pub(crate) fn with_start(component: &[u8], module: Module) -> Vec<u8> {
    with(component, &module, 1)
}

/// A component with one more core module, and so many instances of it.
pub(crate) fn with(component: &[u8], module: &Module, count: u32) -> Vec<u8> {
    let (index, _) = parts(component);
    let mut whole = component.to_vec();
    whole.push(ComponentSectionId::CoreModule as u8);
    ModuleSection(module).encode(&mut whole);
    let mut instances = InstanceSection::new();
    for _ in 0..count {
        instances.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(index, []);
    }
    whole.push(ComponentSectionId::CoreInstance as u8);
    instances.encode(&mut whole);
    whole
}

/// A component with one more component in it, which is instantiated with it.
pub(crate) fn with_component(component: &[u8], inner: &Component) -> Vec<u8> {
    let (_, index) = parts(component);
    let mut whole = component.to_vec();
    whole.push(ComponentSectionId::Component as u8);
    NestedComponentSection(inner).encode(&mut whole);
    let mut instances = ComponentInstanceSection::new();
    let none: [(&str, wasm_encoder::ComponentExportKind, u32); 0] = [];
    instances.instantiate(index, none);
    whole.push(ComponentSectionId::Instance as u8);
    instances.encode(&mut whole);
    whole
}

/// Nothing at all, in very many instances.
pub(crate) fn empty() -> Module {
    Module::new()
}

/// A module that does something when it is instantiated.
fn starting(mut module: Parts, body: &[Instruction<'_>]) -> Module {
    module.types.ty().function([], []);
    module.functions.function(0);
    let mut function = Function::new([(1, ValType::I32)]);
    body.iter().for_each(|instruction| {
        function.instruction(instruction);
    });
    function.instruction(&Instruction::End);
    module.code.function(&function);
    module.start = Some(StartSection { function_index: 0 });
    module.finish()
}

#[derive(Default)]
struct Parts {
    types: TypeSection,
    functions: FunctionSection,
    tables: TableSection,
    memories: MemorySection,
    start: Option<StartSection>,
    code: CodeSection,
}

impl Parts {
    fn finish(self) -> Module {
        let mut module = Module::new();
        module.section(&self.types).section(&self.functions).section(&self.tables).section(&self.memories);
        if let Some(start) = &self.start {
            module.section(start);
        }
        module.section(&self.code);
        module
    }
}

/// Loops for ever.
pub(crate) fn looping() -> Module {
    use Instruction::{Br, End, Loop};
    starting(Parts::default(), &[Loop(wasm_encoder::BlockType::Empty), Br(0), End])
}

/// Calls itself for ever, and needs no stack for it.
pub(crate) fn tail_calls() -> Module {
    starting(Parts::default(), &[Instruction::ReturnCall(0)])
}

/// So many memories of so many pages.
pub(crate) fn memories(count: u32, pages: u64) -> Module {
    let mut parts = Parts::default();
    for _ in 0..count {
        parts.memories.memory(memory(pages));
    }
    parts.finish()
}

/// So many memories, each of which grows by so many pages, and insists on it.
pub(crate) fn growing(count: u32, pages: i32) -> Module {
    use Instruction::{End, I32Const, I32Eq, If, MemoryGrow, Unreachable};
    let mut parts = Parts::default();
    let mut body = Vec::new();
    for index in 0..count {
        parts.memories.memory(memory(0));
        body.extend([I32Const(pages), MemoryGrow(index), I32Const(-1), I32Eq]);
        body.extend([If(wasm_encoder::BlockType::Empty), Unreachable, End]);
    }
    starting(parts, &body)
}

/// A memory that is empty and stays so, however often it would grow.
pub(crate) fn growing_in_vain(times: i32) -> Module {
    use Instruction::{BrIf, Drop, End, I32Add, I32Const, I32Ne, LocalGet, LocalTee, Loop, MemoryGrow};
    let mut parts = Parts::default();
    parts.memories.memory(MemoryType { maximum: Some(0), ..memory(0) });
    let mut body = vec![Loop(wasm_encoder::BlockType::Empty), I32Const(1), MemoryGrow(0), Drop];
    body.extend([LocalGet(0), I32Const(1), I32Add, LocalTee(0), I32Const(times), I32Ne, BrIf(0), End]);
    starting(parts, &body)
}

fn memory(pages: u64) -> MemoryType {
    MemoryType { minimum: pages, maximum: None, memory64: false, shared: false, page_size_log2: None }
}

/// So many tables of so many elements.
pub(crate) fn tables(count: u32, elements: u64) -> Module {
    let mut parts = Parts::default();
    for _ in 0..count {
        parts.tables.table(table(elements));
    }
    parts.finish()
}

/// A table that grows until it can't, and insists on more.
pub(crate) fn growing_table() -> Module {
    use Instruction::{Br, End, I32Const, I32Eq, If, Loop, RefNull, TableGrow, Unreachable};
    let mut parts = Parts::default();
    parts.tables.table(table(0));
    let empty = wasm_encoder::BlockType::Empty;
    let grow = [RefNull(wasm_encoder::HeapType::FUNC), I32Const(10_000), TableGrow(0), I32Const(-1), I32Eq];
    let mut body = vec![Loop(empty)];
    body.extend(grow);
    body.extend([If(empty), Unreachable, End, Br(0), End]);
    starting(parts, &body)
}

/// A table of 64 bits that grows and then wants more than numbers have, which fails, again and again.
pub(crate) fn table_that_overflows() -> Module {
    use Instruction::{Br, Drop, End, I64Const, I64Eq, If, Loop, RefNull, TableGrow, Unreachable};
    let mut parts = Parts::default();
    parts.tables.table(TableType { table64: true, ..table(0) });
    let empty = wasm_encoder::BlockType::Empty;
    let by = |elements| [RefNull(wasm_encoder::HeapType::FUNC), I64Const(elements), TableGrow(0)];
    let mut body = vec![Loop(empty)];
    body.extend(by(10_000));
    body.extend([I64Const(-1), I64Eq, If(empty), Unreachable, End]);
    body.extend(by(-1));
    body.extend([Drop, Br(0), End]);
    starting(parts, &body)
}

fn table(elements: u64) -> TableType {
    TableType { element_type: RefType::FUNCREF, table64: false, minimum: elements, maximum: None, shared: false }
}

/// So many globals.
pub(crate) fn globals(count: u32) -> Module {
    let mut globals = wasm_encoder::GlobalSection::new();
    let ty = wasm_encoder::GlobalType { val_type: ValType::I64, mutable: true, shared: false };
    for _ in 0..count {
        globals.global(ty, &wasm_encoder::ConstExpr::i64_const(1));
    }
    let mut module = Module::new();
    module.section(&globals);
    module
}

/// So many bytes of data.
pub(crate) fn data(bytes: usize) -> Module {
    let mut memories = MemorySection::new();
    memories.memory(memory(0));
    let mut data = wasm_encoder::DataSection::new();
    data.passive(vec![7; bytes]);
    let mut module = Module::new();
    module.section(&memories).section(&wasm_encoder::DataCountSection { count: 1 }).section(&data);
    module
}

/// So many functions, each of so many additions.
pub(crate) fn functions(count: u32, additions: u32) -> Module {
    use Instruction::{Drop, End, I32Add, I32Const, LocalGet, LocalSet};
    let mut parts = Parts::default();
    parts.types.ty().function([], []);
    for _ in 0..count {
        parts.functions.function(0);
        let mut function = Function::new([(2, ValType::I32)]);
        for number in 0..additions {
            let number = i32::try_from(number).unwrap();
            for instruction in [LocalGet(0), I32Const(number), I32Add, LocalGet(1), I32Add, LocalSet(number as u32 % 2)]
            {
                function.instruction(&instruction);
            }
        }
        for instruction in [I32Const(0), Drop, End] {
            function.instruction(&instruction);
        }
        parts.code.function(&function);
    }
    parts.finish()
}

/// So many handles of a resource of its own, which no table of the host has.
pub(crate) fn own_handles(count: i32) -> Vec<u8> {
    use Instruction::{BrIf, Call, Drop, End, I32Const, I32Sub, LocalGet, LocalSet, LocalTee, Loop};
    let mut module = Module::new();
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32], [ValType::I32]);
    types.ty().function([], []);
    let mut imports = wasm_encoder::ImportSection::new();
    imports.import("", "new", wasm_encoder::EntityType::Function(0));
    let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
    functions.function(1);
    let mut function = Function::new([(1, ValType::I32)]);
    let next = [I32Const(1), Call(0), Drop, LocalGet(0), I32Const(1), I32Sub, LocalTee(0), BrIf(0), End, End];
    [I32Const(count), LocalSet(0), Loop(wasm_encoder::BlockType::Empty)].iter().chain(&next).for_each(|instruction| {
        function.instruction(instruction);
    });
    code.function(&function);
    module.section(&types).section(&imports).section(&functions);
    module.section(&StartSection { function_index: 1 }).section(&code);
    let mut inner = Component::new();
    let mut resource = ComponentTypeSection::new();
    resource.resource(ValType::I32, None);
    let mut new = wasm_encoder::CanonicalFunctionSection::new();
    new.resource_new(0);
    let mut instances = InstanceSection::new();
    instances.export_items([("new", wasm_encoder::ExportKind::Func, 0)]);
    instances.instantiate(0, [("", wasm_encoder::ModuleArg::Instance(0))]);
    inner.section(&resource).section(&new).section(&ModuleSection(&module)).section(&instances);
    with_component(&behaved(), &inner)
}

/// Texts in another encoding than the guest thinks: UTF-16, or Latin-1 and UTF-16 by turns.
pub(crate) fn spelt(guest: &str, encoding: CanonicalOption) -> Vec<u8> {
    let component = embed(&bulkhead_tests::hostile(guest), SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap();
    let mut whole = component[..8].to_vec();
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(&component) {
        let payload = payload.unwrap();
        let section = payload.as_section().filter(|_| depth == 0);
        match payload {
            Payload::ComponentCanonicalSection(functions) if depth == 0 => {
                let mut other = wasm_encoder::CanonicalFunctionSection::new();
                for function in functions {
                    respelt(function.unwrap(), encoding, &mut other);
                }
                whole.push(ComponentSectionId::CanonicalFunction as u8);
                other.encode(&mut whole);
                continue;
            }
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some((id, range)) = section {
            whole.push(id);
            component[range].encode(&mut whole);
        }
    }
    whole
}

/// Adds a function with another encoding.
fn respelt(function: CanonicalFunction, encoding: CanonicalOption, to: &mut wasm_encoder::CanonicalFunctionSection) {
    use wasmparser::CanonicalOption as Given;
    let options = |given: &[Given]| -> Vec<CanonicalOption> {
        let others = given.iter().filter_map(|option| match option {
            Given::UTF8 | Given::UTF16 | Given::CompactUTF16 => None,
            Given::Memory(index) => Some(CanonicalOption::Memory(*index)),
            Given::Realloc(index) => Some(CanonicalOption::Realloc(*index)),
            Given::PostReturn(index) => Some(CanonicalOption::PostReturn(*index)),
            other => panic!("no guest has {other:?}"),
        });
        std::iter::once(encoding).chain(others).collect()
    };
    match function {
        CanonicalFunction::Lift { core_func_index, type_index, options: given } => {
            to.lift(core_func_index, type_index, options(&given));
        }
        CanonicalFunction::Lower { func_index, options: given } => {
            to.lower(func_index, options(&given));
        }
        CanonicalFunction::ResourceNew { resource } => {
            to.resource_new(resource);
        }
        CanonicalFunction::ResourceDrop { resource } => {
            to.resource_drop(resource);
        }
        CanonicalFunction::ResourceRep { resource } => {
            to.resource_rep(resource);
        }
        other => panic!("no guest has {other:?}"),
    }
}

/// A component that holds another twice, which holds another twice, and so on.
pub(crate) fn nested(levels: usize) -> Vec<u8> {
    let mut nested = Component::new();
    nested.section(&ModuleSection(&Module::new()));
    let mut instance = InstanceSection::new();
    instance.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(0, []);
    nested.section(&instance);
    for _ in 0..levels {
        let mut around = Component::new();
        around.section(&NestedComponentSection(&nested));
        let mut instances = ComponentInstanceSection::new();
        for _ in 0..2 {
            let none: [(&str, wasm_encoder::ComponentExportKind, u32); 0] = [];
            instances.instantiate(0, none);
        }
        around.section(&instances);
        nested = around;
    }
    nested.finish()
}

/// A component that hands a component to another.
pub(crate) fn passed() -> Vec<u8> {
    let mut inner = Component::new();
    let mut types = ComponentTypeSection::new();
    types.component(&ComponentType::new());
    inner.section(&types);
    let mut imports = ComponentImportSection::new();
    imports.import("c", wasm_encoder::ComponentTypeRef::Component(0));
    inner.section(&imports);
    let mut whole = Component::new();
    whole.section(&NestedComponentSection(&inner));
    whole.finish()
}

fn schema(types: &str, any: &str) -> String {
    format!(
        r#"{{"name":"hostile","version":"1.2.3","types":{{{types}}},"resources":{{"hostile:index:Thing":{{
        "inputProperties":{{"what":{any}}},"properties":{{"text":{{"type":"string"}}}}}}}}}}"#
    )
}

/// A schema whose types refer to each other, a hundred thousand deep.
pub(crate) fn schema_deep_references() -> String {
    let ty = |number: u32| {
        format!(
            r##""hostile:index:T{number}":{{"type":"object","properties":{{"next":{{"$ref":"#/types/hostile:index:T{}"}}}}}}"##,
            number + 1
        )
    };
    let mut types: Vec<String> = (0..100_000).map(ty).collect();
    types.push(r#""hostile:index:T100000":{"type":"object"}"#.to_owned());
    schema(&types.join(","), r##"{"$ref":"#/types/hostile:index:T0"}"##)
}

/// A schema whose types hold each other, in a ring.
pub(crate) fn schema_cycle() -> String {
    let to = |name: &str| format!(r##"{{"type":"array","items":{{"$ref":"#/types/hostile:index:{name}"}}}}"##);
    let ty = |name: &str, next: &str| {
        format!(r#""hostile:index:{name}":{{"type":"object","properties":{{"next":{}}}}}"#, to(next))
    };
    schema(&[ty("A", "B"), ty("B", "C"), ty("C", "A")].join(","), &to("A"))
}

/// A schema with an enumeration of half a million values.
pub(crate) fn schema_enum() -> String {
    let values: Vec<String> = (0..500_000).map(|number| format!(r#"{{"value":"v{number}"}}"#)).collect();
    let ty = format!(r#""hostile:index:E":{{"type":"string","enum":[{}]}}"#, values.join(","));
    schema(&ty, r##"{"$ref":"#/types/hostile:index:E"}"##)
}

/// A schema with a union of two hundred objects, of which only a thousand required properties each tell that a value is none.
pub(crate) fn schema_alike() -> String {
    let required: Vec<String> = (0..1_000).map(|number| format!(r#""p{number}""#)).collect();
    let properties: Vec<String> = required.iter().map(|name| format!(r#"{name}:{{"type":"string"}}"#)).collect();
    let members = format!(r#""properties":{{{}}},"required":[{}]"#, properties.join(","), required.join(","));
    let types = (0..200).map(|number| format!(r#""hostile:index:T{number}":{{"type":"object",{members}}}"#));
    let variants = (0..200).map(|number| format!(r##"{{"$ref":"#/types/hostile:index:T{number}"}}"##));
    let [types, variants] = [types.collect(), variants.collect()].map(|said: Vec<String>| said.join(","));
    schema(&types, &format!(r#"{{"type":"array","items":{{"oneOf":[{variants}]}}}}"#))
}

/// A schema of 40 MB.
pub(crate) fn schema_large() -> String {
    let text = "x".repeat(400);
    let ty = |number: u32| format!(r#""hostile:index:T{number}":{{"type":"object","description":"{text}"}}"#);
    schema(&(0..90_000).map(ty).collect::<Vec<_>>().join(","), r#"{"type":"string"}"#)
}

/// A schema with lists of lists of lists, a hundred thousand deep.
pub(crate) fn schema_deep_arrays() -> String {
    let (open, close) = (r#"{"type":"array","items":"#.repeat(100_000), "}".repeat(100_000));
    schema("", &format!(r#"{open}{{"type":"string"}}{close}"#))
}

/// A schema that is JSON a million levels deep.
pub(crate) fn schema_deep_json() -> String {
    format!(r#"{{"name":"hostile","language":{}{}}}"#, "[".repeat(1_000_000), "]".repeat(1_000_000))
}

/// A schema that says everything twice, each time something else.
pub(crate) fn schema_duplicate_keys() -> String {
    r#"{"name":"hostile","version":"1.2.3","resources":{"hostile:index:Thing":{},"hostile:index:Thing":{"isComponent":true}},
        "name":"another","resources":{}}"#
        .to_owned()
}

/// A manifest of 20 MB.
pub(crate) fn manifest_large() -> String {
    format!(r#"{{"manifestVersion":1,"contract":"0.1.0","sdk":{{"name":"{}","version":"1"}}}}"#, "x".repeat(20_000_000))
}

/// A manifest that is JSON two hundred thousand levels deep.
pub(crate) fn manifest_deep() -> String {
    format!(r#"{{"manifestVersion":1,"permissions":{}{}}}"#, "[".repeat(200_000), "]".repeat(200_000))
}

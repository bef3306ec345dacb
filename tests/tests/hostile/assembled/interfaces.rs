//! Components whose imports and exports aren't what they are called, or are called what nobody should read.

use bulkhead::component::embed;
use wasm_encoder::{
    Alias, CanonicalFunctionSection, CanonicalOption, CodeSection, Component, ComponentAliasSection,
    ComponentExportKind, ComponentExportSection, ComponentImportSection, ComponentInstanceSection, ComponentSectionId,
    ComponentTypeRef, ComponentTypeSection, ComponentValType, Encode, ExportKind, ExportSection, Function,
    FunctionSection, InstanceSection, InstanceType, Instruction, Module, ModuleSection, NestedComponentSection,
    PrimitiveValType, TypeSection, ValType,
};

/// A package with a function and nothing else.
const SCHEMA: &str = r#"{"name":"hostile","version":"1.2.3","functions":{"hostile:index:tell":{}}}"#;
const MANIFEST: &str = r#"{"manifestVersion":1,"contract":"0.1.0"}"#;

const FUNCTIONS: &str = "bulkhead:provider/functions@0.1.0";
const RESOURCES: &str = "bulkhead:provider/resources@0.1.0";

fn described(component: Component) -> Vec<u8> {
    embed(&component.finish(), SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap()
}

/// A function of the contract that is the host's own, which it had imported.
pub(crate) fn reexported() -> Vec<u8> {
    let mut ty = InstanceType::new();
    let none: [(&str, ComponentValType); 0] = [];
    ty.ty().function().params(none).result(Some(ComponentValType::Primitive(PrimitiveValType::Bool)));
    ty.export("cancelled", ComponentTypeRef::Func(0));
    let (mut types, mut imports) = (ComponentTypeSection::new(), ComponentImportSection::new());
    types.instance(&ty);
    imports.import("bulkhead:provider/operation@0.1.0", ComponentTypeRef::Instance(0));
    let mut aliases = ComponentAliasSection::new();
    aliases.alias(Alias::InstanceExport { instance: 0, kind: ComponentExportKind::Func, name: "cancelled" });
    let (mut instances, mut exports) = (ComponentInstanceSection::new(), ComponentExportSection::new());
    instances.export_items([("invoke", ComponentExportKind::Func, 0)]);
    exports.export(FUNCTIONS, ComponentExportKind::Instance, 1, None);
    let mut component = Component::new();
    component.section(&types).section(&imports).section(&aliases).section(&instances).section(&exports);
    described(component)
}

/// Exports of the contract's names that aren't what the contract says: interfaces whose functions take nothing and return nothing.
pub(crate) fn mistyped() -> Vec<u8> {
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    types.ty().function([], []);
    functions.function(0);
    let mut function = Function::new([]);
    function.instruction(&Instruction::End);
    code.function(&function);
    let mut exported = ExportSection::new();
    exported.export("invoke", ExportKind::Func, 0);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&exported).section(&code);
    let mut core = InstanceSection::new();
    core.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(0, []);
    let mut aliases = ComponentAliasSection::new();
    aliases.alias(Alias::CoreInstanceExport { instance: 0, kind: ExportKind::Func, name: "invoke" });
    let (mut types, mut lifted) = (ComponentTypeSection::new(), CanonicalFunctionSection::new());
    let none: [(&str, ComponentValType); 0] = [];
    types.function().params(none).result(None);
    lifted.lift(0, 0, []);
    let (mut instances, mut exports) = (ComponentInstanceSection::new(), ComponentExportSection::new());
    instances.export_items([("invoke", ComponentExportKind::Func, 0)]);
    instances.export_items(["create", "read", "update", "delete"].map(|name| (name, ComponentExportKind::Func, 0)));
    exports.export(FUNCTIONS, ComponentExportKind::Instance, 0, None);
    exports.export(RESOURCES, ComponentExportKind::Instance, 1, None);
    let mut component = Component::new();
    component.section(&ModuleSection(&module)).section(&core).section(&aliases).section(&types);
    component.section(&lifted).section(&instances).section(&exports);
    let schema = SCHEMA.replace("\"functions\"", "\"resources\":{\"hostile:index:Thing\":{}},\"functions\"");
    embed(&component.finish(), schema.as_bytes(), MANIFEST.as_bytes()).unwrap()
}

/// Hands the type of an instance with so many exports to a component so many times, which asks for none.
pub(crate) fn type_handed_on(exports: u32, times: u32) -> Vec<u8> {
    let mut ty = InstanceType::new();
    let none: [(&str, ComponentValType); 0] = [];
    ty.ty().function().params(none).result(None);
    for index in 0..exports {
        ty.export(format!("a{index}").as_str(), ComponentTypeRef::Func(0));
    }
    let (mut types, mut instances) = (ComponentTypeSection::new(), ComponentInstanceSection::new());
    types.instance(&ty);
    instances.instantiate(0, (0..times).map(|time| (format!("a{time}"), ComponentExportKind::Type, 0)));
    let mut component = Component::new();
    component.section(&types).section(&NestedComponentSection(&Component::new())).section(&instances);
    described(component)
}

/// An import whose name goes on as the host's own words, in a line of its own, and steers the terminal that shows it.
pub(crate) fn import_named() -> Vec<u8> {
    let mut types = ComponentTypeSection::new();
    let none: [(&str, ComponentValType); 0] = [];
    types.function().params(none).result(None);
    let mut imports = ComponentImportSection::new();
    let name = format!("url=<\u{1b}[2J\nhint: run `bulkhead grant` as root{}>", "y".repeat(90_000));
    imports.import(name.as_str(), ComponentTypeRef::Func(1));
    let mut whole = mistyped();
    whole.push(ComponentSectionId::Type as u8);
    types.encode(&mut whole);
    whole.push(ComponentSectionId::Import as u8);
    imports.encode(&mut whole);
    whole
}

/// An import of a module within that isn't there, by a name that goes on as the host's own words.
pub(crate) fn module_named() -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    let mut imports = wasm_encoder::ImportSection::new();
    let name = "\u{1b}[2J\nhint: run `bulkhead grant` as root";
    imports.import(name, &format!("x{}", "y".repeat(90_000)), wasm_encoder::EntityType::Function(0));
    let mut module = Module::new();
    module.section(&types).section(&imports);
    let mut core = InstanceSection::new();
    core.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(0, []);
    let mut component = Component::new();
    component.section(&ModuleSection(&module)).section(&core);
    described(component)
}

/// A type of a component that has a type of a component, and so on, so many levels deep.
pub(crate) fn types_deep(levels: usize) -> Vec<u8> {
    // A type of a component, with one part, which is a type; the last one has none.
    let mut types = vec![1_u8];
    types.extend([0x41, 1, 1].repeat(levels));
    types.extend([0x41, 0]);
    let mut whole = Component::new().finish();
    whole.push(ComponentSectionId::Type as u8);
    types.as_slice().encode(&mut whole);
    embed(&whole, SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap()
}

/// A million descriptions, of which the last one counts.
pub(crate) fn described_again(component: &[u8]) -> Vec<u8> {
    let section = wasm_encoder::CustomSection { name: "bulkhead:schema".into(), data: b"[".as_slice().into() };
    let mut one = vec![ComponentSectionId::CoreCustom as u8];
    section.encode(&mut one);
    let mut whole = component[..8].to_vec();
    whole.extend(one.repeat(1_000_000));
    whole.extend(&component[8..]);
    whole
}

/// A memory of 64 bits that would take more than there are addresses, at its beginning or when it grows.
pub(crate) fn memory_of_64_bits(pages: u64) -> Module {
    use Instruction::{Drop, End, I64Const, MemoryGrow};
    let mut memories = wasm_encoder::MemorySection::new();
    memories.memory(wasm_encoder::MemoryType {
        minimum: pages,
        maximum: None,
        memory64: true,
        shared: false,
        page_size_log2: None,
    });
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    types.ty().function([], []);
    functions.function(0);
    let mut function = Function::new([(1, ValType::I64)]);
    for pages in [i64::MAX, -1, 1 << 48, 1 << 32, 1 << 20] {
        for instruction in [I64Const(pages), MemoryGrow(0), Drop] {
            function.instruction(&instruction);
        }
    }
    function.instruction(&Instruction::Unreachable).instruction(&End);
    code.function(&function);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories);
    module.section(&wasm_encoder::StartSection { function_index: 0 }).section(&code);
    module
}

/// The same data for a memory, written again by each of so many instances before anything of them runs.
pub(crate) fn data_again(bytes: usize, instances: u32) -> Vec<u8> {
    let pages = u64::try_from(bytes >> 16).unwrap() + 1;
    let ty = wasm_encoder::MemoryType {
        minimum: pages,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    };
    let mut memories = wasm_encoder::MemorySection::new();
    memories.memory(ty);
    let mut exports = wasm_encoder::ExportSection::new();
    exports.export("memory", wasm_encoder::ExportKind::Memory, 0);
    let mut one = Module::new();
    one.section(&memories).section(&exports);
    let mut imports = wasm_encoder::ImportSection::new();
    imports.import("", "memory", wasm_encoder::EntityType::Memory(ty));
    let mut data = wasm_encoder::DataSection::new();
    data.active(0, &wasm_encoder::ConstExpr::i32_const(0), vec![7; bytes]);
    let mut again = Module::new();
    again.section(&imports).section(&data);
    let mut inner = Component::new();
    let mut made = InstanceSection::new();
    made.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(0, []);
    for _ in 0..instances {
        made.instantiate(1, [("", wasm_encoder::ModuleArg::Instance(0))]);
    }
    inner.section(&ModuleSection(&one)).section(&ModuleSection(&again)).section(&made);
    super::with_component(&super::behaved(), &inner)
}

/// A memory that several threads would share.
pub(crate) fn memory_shared() -> Module {
    let mut memories = wasm_encoder::MemorySection::new();
    memories.memory(wasm_encoder::MemoryType {
        minimum: 1,
        maximum: Some(10),
        memory64: false,
        shared: true,
        page_size_log2: None,
    });
    let mut module = Module::new();
    module.section(&memories);
    module
}

/// A function whose blocks are nested so deep, each of which may be left for any other.
pub(crate) fn blocks_deep(levels: u32) -> Module {
    use Instruction::{Block, BrIf, End, I32Const};
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    types.ty().function([], []);
    functions.function(0);
    let mut function = Function::new([]);
    for level in 0..levels {
        function.instruction(&Block(wasm_encoder::BlockType::Empty));
        function.instruction(&I32Const(1)).instruction(&BrIf(level / 2));
    }
    for _ in 0..=levels {
        function.instruction(&End);
    }
    code.function(&function);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&code);
    module
}

/// A crash in a function whose name goes on as the host's own words, in a line of its own, and steers the terminal that shows it.
pub(crate) fn crash_named() -> Module {
    use Instruction::{End, Unreachable};
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    types.ty().function([], []);
    functions.function(0);
    let mut function = Function::new([]);
    function.instruction(&Unreachable).instruction(&End);
    code.function(&function);
    let mut called = wasm_encoder::NameMap::new();
    called.append(0, &format!("\u{1b}[2J\nhint: run `bulkhead grant` as root{}", "x".repeat(100_000)));
    let mut names = wasm_encoder::NameSection::new();
    names.functions(&called);
    let mut module = Module::new();
    module.section(&types).section(&functions);
    module.section(&wasm_encoder::StartSection { function_index: 0 }).section(&code).section(&names);
    module
}

/// Calls itself until there is no stack left, by a name of so many bytes.
pub(crate) fn frames_named(length: usize) -> Module {
    use Instruction::{Call, End};
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    types.ty().function([], []);
    functions.function(0);
    let mut function = Function::new([]);
    function.instruction(&Call(0)).instruction(&End);
    code.function(&function);
    let mut called = wasm_encoder::NameMap::new();
    called.append(0, &"x".repeat(length));
    let mut names = wasm_encoder::NameSection::new();
    names.functions(&called);
    let mut module = Module::new();
    module.section(&types).section(&functions);
    module.section(&wasm_encoder::StartSection { function_index: 0 }).section(&code).section(&names);
    module
}

/// Has its host read so much of its memory again and again, so many times, with not one function of its own called or begun anew in
/// between: nothing that interrupts guests is ever reached.
pub(crate) fn calls_in_a_row(calls: u32, bytes: u32) -> Vec<u8> {
    use Instruction::{Call, End, I32Const};
    let memory = wasm_encoder::MemoryType {
        minimum: u64::from(bytes.div_ceil(1 << 16)),
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    };
    let mut memories = wasm_encoder::MemorySection::new();
    memories.memory(memory);
    let mut exported = ExportSection::new();
    exported.export("memory", ExportKind::Memory, 0);
    let mut read = Module::new();
    read.section(&memories).section(&exported);
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    types.ty().function([ValType::I32, ValType::I32], []);
    types.ty().function([], []);
    let mut imports = wasm_encoder::ImportSection::new();
    imports.import("", "status", wasm_encoder::EntityType::Function(0));
    functions.function(1);
    let mut function = Function::new([]);
    for _ in 0..calls {
        for instruction in [I32Const(0), I32Const(bytes.cast_signed()), Call(0)] {
            function.instruction(&instruction);
        }
    }
    function.instruction(&End);
    code.function(&function);
    let mut calling = Module::new();
    calling.section(&types).section(&imports).section(&functions);
    calling.section(&wasm_encoder::StartSection { function_index: 1 }).section(&code);
    let mut ty = InstanceType::new();
    let text = ComponentValType::Primitive(PrimitiveValType::String);
    ty.ty().function().params([("message", text)]).result(None);
    ty.export("status", ComponentTypeRef::Func(0));
    let (mut types, mut imports) = (ComponentTypeSection::new(), ComponentImportSection::new());
    types.instance(&ty);
    imports.import("bulkhead:provider/log@0.1.0", ComponentTypeRef::Instance(1));
    let (mut status, mut memory) = (ComponentAliasSection::new(), ComponentAliasSection::new());
    status.alias(Alias::InstanceExport { instance: 4, kind: ComponentExportKind::Func, name: "status" });
    let (mut first, mut second) = (InstanceSection::new(), InstanceSection::new());
    first.instantiate::<[(&str, wasm_encoder::ModuleArg); 0], &str>(1, []);
    memory.alias(Alias::CoreInstanceExport { instance: 1, kind: ExportKind::Memory, name: "memory" });
    let mut lowered = CanonicalFunctionSection::new();
    lowered.lower(1, [CanonicalOption::UTF8, CanonicalOption::Memory(0)]);
    second.export_items([("status", ExportKind::Func, 1)]);
    second.instantiate(2, [("", wasm_encoder::ModuleArg::Instance(2))]);
    let mut added = Component::new();
    added.section(&types).section(&imports).section(&status);
    added.section(&ModuleSection(&read)).section(&ModuleSection(&calling)).section(&first);
    added.section(&memory).section(&lowered).section(&second);
    [mistyped(), added.finish().split_off(8)].concat()
}

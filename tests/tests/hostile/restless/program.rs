//! A component whose every export is a program: calls of the host's functions, any of them, in any order, with what earlier ones
//! returned; then a crash, or an answer that may be one.

use std::collections::BTreeMap;

use bulkhead::component::embed;
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, ImportSection, Instruction, MemorySection, MemoryType, Module, TypeSection, ValType,
};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::abi::{AbiVariant, WasmSignature, WasmType};
use wit_parser::{Function as Declared, Handle, Type, TypeDefKind, TypeId};

use super::core::{Core, memory, push};
use super::values::{Values, cases};
use super::words::Surroundings;
use super::world::{Import, WORLD_READ, World};
use crate::{MANIFEST, SCHEMA};

/// Where the program keeps handles, where it has arguments that are passed by address, results, constants, and all that is left.
const KEPT: u32 = 0x1000;
const ARGUMENTS: u32 = 0x4000;
const RESULTS: u32 = 0xe000;
const CONSTANTS: u32 = 0x1_0000;
const HEAP: u32 = 0x20_0000;
/// Pages of its memory.
const PAGES: u32 = 128;

/// How many calls an export makes at most.
const CALLS: usize = 40;

/// The component of a seed.
pub(super) fn component(seed: u64, surroundings: &Surroundings) -> Vec<u8> {
    let program = Program::new(seed, surroundings);
    let mut module = program.module();
    embed_component_metadata(&mut module, &WORLD_READ.resolve, WORLD_READ.id, StringEncoding::UTF8).unwrap();
    let component = ComponentEncoder::default().module(&module).unwrap().encode().unwrap();
    embed(&component, SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap()
}

/// A type of core functions.
type Signature = (Vec<ValType>, Vec<ValType>);

pub(super) struct Program<'a> {
    pub(super) world: &'static World,
    pub(super) values: Values<'a>,
    /// Functions that it imports, by interface and name.
    imports: Vec<(String, String, Signature)>,
    indices: BTreeMap<(String, String), u32>,
    /// What the last call returned handles of.
    pub(super) recent: Vec<TypeId>,
}

impl<'a> Program<'a> {
    fn new(seed: u64, surroundings: &'a Surroundings) -> Self {
        let world = &*WORLD_READ;
        let values = Values::new(world, surroundings, seed, KEPT, CONSTANTS);
        Self { world, values, imports: Vec::new(), indices: BTreeMap::new(), recent: Vec::new() }
    }

    fn import(&mut self, module: &str, name: &str, signature: Signature) -> u32 {
        let next = u32::try_from(self.imports.len()).unwrap();
        let index = *self.indices.entry((module.to_owned(), name.to_owned())).or_insert(next);
        if index == next {
            self.imports.push((module.to_owned(), name.to_owned(), signature));
        }
        index
    }

    /// The module: each export's calls, and memory.
    fn module(mut self) -> Vec<u8> {
        let mut bodies = Vec::new();
        for (interface, function) in &self.world.exports {
            let signature = core(&self.world.resolve.wasm_signature(AbiVariant::GuestExport, function));
            let body = self.export(function);
            bodies.push((format!("{interface}#{}", function.name), signature, body));
        }
        let (mut types, mut imports) = (TypeSection::new(), ImportSection::new());
        for (index, (module, name, (parameters, results))) in self.imports.iter().enumerate() {
            types.ty().function(parameters.iter().copied(), results.iter().copied());
            imports.import(module, name, EntityType::Function(u32::try_from(index).unwrap()));
        }
        let (mut functions, mut exports, mut code) = (FunctionSection::new(), ExportSection::new(), CodeSection::new());
        let first = u32::try_from(self.imports.len()).unwrap();
        bodies.push(("cabi_realloc".to_owned(), (vec![ValType::I32; 4], vec![ValType::I32]), allocation()));
        for (index, (name, (parameters, results), body)) in (first..).zip(&bodies) {
            types.ty().function(parameters.iter().copied(), results.iter().copied());
            functions.function(index);
            exports.export(name, ExportKind::Func, index);
            let mut function = Function::new([]);
            body.iter().for_each(|instruction| {
                function.instruction(instruction);
            });
            function.instruction(&Instruction::End);
            code.function(&function);
        }
        exports.export("memory", ExportKind::Memory, 0);
        let mut memories = MemorySection::new();
        let minimum = u64::from(PAGES);
        memories.memory(MemoryType { minimum, maximum: None, memory64: false, shared: false, page_size_log2: None });
        let mut globals = GlobalSection::new();
        let ty = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        globals.global(ty, &ConstExpr::i32_const(HEAP.cast_signed()));
        let mut data = DataSection::new();
        assert!(CONSTANTS + u32::try_from(self.values.constants.len()).unwrap() <= HEAP, "a program says too much");
        data.active(0, &ConstExpr::i32_const(CONSTANTS.cast_signed()), self.values.constants.iter().copied());
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&memories).section(&globals);
        module.section(&exports).section(&code).section(&data);
        module.finish()
    }

    /// What an export does.
    fn export(&mut self, function: &Declared) -> Vec<Instruction<'static>> {
        let mut code = Vec::new();
        // Most configurations are taken: else no other call came through.
        let plain = function.name == "configure" && self.values.chance.percent(80);
        if !plain {
            for _ in 0..=self.values.chance.below(CALLS) {
                self.step(&mut code);
            }
            if self.values.chance.percent(25) {
                code.push(Instruction::Unreachable);
            }
        }
        let result = function.result.unwrap();
        self.values.begin(ARGUMENTS);
        // A manifest is a text; everything else may fail.
        if self.world.kind(result).is_err() || self.values.chance.percent(5) {
            self.values.store(result, "", RESULTS, &mut code);
        } else {
            let case = usize::from(!plain && self.values.chance.percent(30));
            self.values.store_case(result, case, "", RESULTS, &mut code);
        }
        code.push(Instruction::I32Const(RESULTS.cast_signed()));
        code
    }

    /// A call of the host, if there is by then what it takes.
    pub(super) fn call(&mut self, Import { interface, function, .. }: &Import, code: &mut Vec<Instruction<'static>>) {
        self.values.begin(ARGUMENTS);
        let signature = self.world.resolve.wasm_signature(AbiVariant::GuestImport, function);
        let mut call = Vec::new();
        let returned = function.result.filter(|_| !signature.retptr);
        let kept = returned.and_then(|result| match self.world.kind(result) {
            Ok(TypeDefKind::Handle(Handle::Own(id))) => Some(self.world.resource(*id)),
            _ => None,
        });
        self.arguments(function, &signature, &mut call);
        let index = self.import(interface, &function.name, core(&signature));
        call.push(Instruction::Call(index));
        self.values.empty(&mut call);
        self.recent.clear();
        if let Some(resource) = kept {
            let place = self.keep_one(resource);
            call.insert(0, Instruction::I32Const(place.cast_signed()));
            call.push(Instruction::I32Store(memory(0)));
        } else if returned.is_some() {
            call.push(Instruction::Drop);
        }
        if let Some(result) = function.result.filter(|_| signature.retptr) {
            self.keep(result, &[RESULTS], &mut call);
        }
        self.guarded(call, code);
    }

    /// What a call does, where everything that it takes is there: a handle that isn't, for what should have returned it failed, would
    /// end the program.
    fn guarded(&mut self, mut call: Vec<Instruction<'static>>, code: &mut Vec<Instruction<'static>>) {
        code.push(Instruction::Block(BlockType::Empty));
        for place in std::mem::take(&mut self.values.needed) {
            push(code, Core::Kept(place));
            code.extend([Instruction::I32Eqz, Instruction::BrIf(0)]);
        }
        code.append(&mut call);
        code.push(Instruction::End);
    }

    fn arguments(&mut self, function: &Declared, signature: &WasmSignature, call: &mut Vec<Instruction<'static>>) {
        if signature.indirect_params {
            let types: Vec<Type> = function.params.iter().map(|parameter| parameter.ty).collect();
            let layout = self.world.sizes.record(&types);
            let at = self.values.room(layout.size.size_wasm32(), layout.align.align_wasm32());
            let offsets = self.world.sizes.field_offsets(&types);
            for ((offset, ty), parameter) in offsets.into_iter().zip(&function.params) {
                let at = at + u32::try_from(offset.size_wasm32()).unwrap();
                self.values.store(*ty, &parameter.name, at, call);
            }
            push(call, at.into());
        } else {
            let parameters = function.params.iter();
            let flat: Vec<Core> =
                parameters.flat_map(|parameter| self.values.flat(parameter.ty, &parameter.name, call)).collect();
            flat.into_iter().for_each(|core| push(call, core));
        }
        if signature.retptr {
            push(call, RESULTS.into());
        }
    }

    /// Drops a handle.
    pub(super) fn drop_one(&mut self, resource: TypeId, code: &mut Vec<Instruction<'static>>) {
        self.values.begin(ARGUMENTS);
        let handle = self.values.handle(resource, true);
        let (interface, name) = &self.world.resources[&resource];
        let index = self.import(interface, &format!("[resource-drop]{name}"), (vec![ValType::I32], Vec::new()));
        let mut call = Vec::new();
        push(&mut call, handle);
        call.push(Instruction::Call(index));
        self.values.empty(&mut call);
        self.guarded(call, code);
    }

    fn keep_one(&mut self, resource: TypeId) -> u32 {
        self.recent.push(resource);
        self.values.place(resource)
    }

    /// Keeps all handles of a result. Where it is stands as offsets: of the first address, and of what is found there, and so on.
    fn keep(&mut self, ty: Type, at: &[u32], code: &mut Vec<Instruction<'static>>) {
        let (false, Ok(kind)) = (self.world.handles(ty).is_empty(), self.world.kind(ty)) else { return };
        match kind {
            TypeDefKind::Handle(Handle::Own(id)) => {
                let place = self.keep_one(self.world.resource(*id));
                code.push(Instruction::I32Const(place.cast_signed()));
                load(code, at, 4);
                code.push(Instruction::I32Store(memory(0)));
            }
            TypeDefKind::Record(record) => {
                self.keep_fields(&record.fields.iter().map(|field| field.ty).collect::<Vec<_>>(), at, code);
            }
            TypeDefKind::Tuple(tuple) => self.keep_fields(&tuple.types, at, code),
            TypeDefKind::List(element) => {
                let (size, _) = self.values.layout(*element);
                for index in 0..2_u32 {
                    load(code, &further(at, 4), 4);
                    code.extend([Instruction::I32Const(index.cast_signed()), Instruction::I32GtU]);
                    code.push(Instruction::If(BlockType::Empty));
                    let element_at = [at, &[index * u32::try_from(size).unwrap()]].concat();
                    self.keep(*element, &element_at, code);
                    code.push(Instruction::End);
                }
            }
            _ => {
                let payload_at = further(at, self.values.payload_at(kind));
                for (case, held) in cases(kind).into_iter().enumerate() {
                    let Some((_, ty)) = held else { continue };
                    load(code, at, 1);
                    code.extend([Instruction::I32Const(i32::try_from(case).unwrap()), Instruction::I32Eq]);
                    code.push(Instruction::If(BlockType::Empty));
                    self.keep(ty, &payload_at, code);
                    code.push(Instruction::End);
                }
            }
        }
    }

    fn keep_fields(&mut self, types: &[Type], at: &[u32], code: &mut Vec<Instruction<'static>>) {
        for (offset, ty) in self.world.sizes.field_offsets(types) {
            self.keep(*ty, &further(at, u32::try_from(offset.size_wasm32()).unwrap()), code);
        }
    }
}

/// What is so many bytes behind.
fn further(at: &[u32], bytes: u32) -> Vec<u32> {
    let mut at = at.to_vec();
    *at.last_mut().unwrap() += bytes;
    at
}

/// Has at hand what is at a place, one byte or four.
fn load(code: &mut Vec<Instruction<'static>>, at: &[u32], bytes: usize) {
    code.push(Instruction::I32Const(0));
    let (last, pointers) = at.split_last().unwrap();
    code.extend(pointers.iter().map(|offset| Instruction::I32Load(memory(*offset))));
    code.push(if bytes == 1 { Instruction::I32Load8U(memory(*last)) } else { Instruction::I32Load(memory(*last)) });
}

/// Takes memory from what nobody has, and from the beginning again where that is used up.
fn allocation() -> Vec<Instruction<'static>> {
    use Instruction::{End, GlobalGet, GlobalSet, I32Add, I32And, I32Const, I32GtU, I32Sub, If, LocalGet, LocalSet};
    let (align, size) = (2, 3);
    let mut code = vec![GlobalGet(0), LocalGet(align), I32Add, I32Const(1), I32Sub];
    code.extend([I32Const(0), LocalGet(align), I32Sub, I32And, GlobalSet(0)]);
    code.extend([GlobalGet(0), LocalGet(size), I32Add, I32Const((PAGES << 16).cast_signed()), I32GtU]);
    code.extend([If(BlockType::Empty), I32Const(HEAP.cast_signed()), GlobalSet(0), End]);
    code.extend([GlobalGet(0), LocalSet(0), GlobalGet(0), LocalGet(size), I32Add, GlobalSet(0), LocalGet(0)]);
    code
}

/// A signature as core functions have it.
fn core(signature: &WasmSignature) -> Signature {
    let of = |types: &[WasmType]| {
        types
            .iter()
            .map(|ty| match ty {
                WasmType::I64 | WasmType::PointerOrI64 => ValType::I64,
                WasmType::F32 => ValType::F32,
                WasmType::F64 => ValType::F64,
                WasmType::I32 | WasmType::Pointer | WasmType::Length => ValType::I32,
            })
            .collect()
    };
    (of(&signature.params), of(&signature.results))
}

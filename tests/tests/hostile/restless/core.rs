//! Core values, as instructions have them.

use wasm_encoder::{Instruction, MemArg};
use wit_parser::abi::WasmType;

/// One core value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core {
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
    /// The handle that is kept at this address.
    Kept(u32),
}

impl From<u32> for Core {
    fn from(value: u32) -> Self {
        Self::I32(value.cast_signed())
    }
}

/// Where a text or a list begins, and its length.
pub(super) type Span = (u32, u32);

/// Writes where a text or a list is.
pub(super) fn put_span(code: &mut Vec<Instruction<'static>>, at: u32, (begin, length): Span) {
    put(code, at, 4, begin.into());
    put(code, at + 4, 4, length.into());
}

/// A place in memory, so many bytes after the one at hand.
pub(super) fn memory(offset: u32) -> MemArg {
    MemArg { offset: offset.into(), align: 0, memory_index: 0 }
}

/// Writes a core value into memory.
pub(super) fn put(code: &mut Vec<Instruction<'static>>, at: u32, bytes: usize, core: Core) {
    code.push(Instruction::I32Const(at.cast_signed()));
    push(code, core);
    let to = memory(0);
    code.push(match (core, bytes) {
        (Core::I64(_), _) => Instruction::I64Store(to),
        (Core::F32(_), _) => Instruction::F32Store(to),
        (Core::F64(_), _) => Instruction::F64Store(to),
        (_, 1) => Instruction::I32Store8(to),
        (_, 2) => Instruction::I32Store16(to),
        _ => Instruction::I32Store(to),
    });
}

/// Has a core value at hand.
pub(super) fn push(code: &mut Vec<Instruction<'static>>, core: Core) {
    match core {
        Core::I32(value) => code.push(Instruction::I32Const(value)),
        Core::I64(value) => code.push(Instruction::I64Const(value)),
        Core::F32(value) => code.push(Instruction::F32Const(value.into())),
        Core::F64(value) => code.push(Instruction::F64Const(value.into())),
        Core::Kept(place) => {
            code.push(Instruction::I32Const(place.cast_signed()));
            code.push(Instruction::I32Load(memory(0)));
        }
    }
}

/// A core value as another type has it.
pub(super) fn converted(core: Core, ty: WasmType) -> Core {
    match (core, ty) {
        (Core::I32(value), WasmType::I64 | WasmType::PointerOrI64) => Core::I64(i64::from(value)),
        (Core::I32(_), WasmType::F32) => Core::F32(0.0),
        (Core::I32(_), WasmType::F64) => Core::F64(0.0),
        (Core::F32(value), WasmType::I32) => Core::I32(value.to_bits().cast_signed()),
        (Core::F32(value), WasmType::I64) => Core::I64(i64::from(value.to_bits())),
        (Core::F64(value), WasmType::I64) => Core::I64(value.to_bits().cast_signed()),
        (core, _) => core,
    }
}

//! Field numbers and wire types of `google/protobuf/struct.proto`.

/// How the content of a field is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireType {
    Varint,
    Fixed64,
    Bytes,
    Fixed32,
}

/// A field of a known message: its number, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) number: u32,
    pub(crate) wire_type: WireType,
}

impl Field {
    const fn new(number: u32, wire_type: WireType) -> Self {
        Self { number, wire_type }
    }

    pub(crate) const fn tag(self) -> u32 {
        let code = match self.wire_type {
            WireType::Varint => 0,
            WireType::Fixed64 => 1,
            WireType::Bytes => 2,
            WireType::Fixed32 => 5,
        };
        self.number << 3 | code
    }
}

/// `Struct.fields`, a map: a repeated message of a key and a value.
pub(crate) const STRUCT_FIELDS: Field = Field::new(1, WireType::Bytes);
pub(crate) const ENTRY_KEY: Field = Field::new(1, WireType::Bytes);
pub(crate) const ENTRY_VALUE: Field = Field::new(2, WireType::Bytes);
/// `ListValue.values`.
pub(crate) const LIST_VALUES: Field = Field::new(1, WireType::Bytes);

/// The alternatives of `Value.kind`.
pub(crate) const NULL: Field = Field::new(1, WireType::Varint);
pub(crate) const NUMBER: Field = Field::new(2, WireType::Fixed64);
pub(crate) const STRING: Field = Field::new(3, WireType::Bytes);
pub(crate) const BOOL: Field = Field::new(4, WireType::Varint);
pub(crate) const STRUCT: Field = Field::new(5, WireType::Bytes);
pub(crate) const LIST: Field = Field::new(6, WireType::Bytes);

//! Values of any interface type, as a guest passes them: flat, or in its memory. Handles are those that earlier calls returned.

use std::collections::{BTreeMap, BTreeSet};

use wasm_encoder::Instruction;
use wit_parser::abi::WasmType;
use wit_parser::{Handle, Int, Type, TypeDefKind, TypeId};

use super::chance::Chance;
use super::core::{Core, Span, converted, put, put_span};
use super::words::Surroundings;
use super::world::World;

/// How many handles of each resource a program keeps; another one takes the place of an older one.
const PLACES: u32 = 6;
/// Where nothing is ever kept.
const NOWHERE: u32 = 8;
/// How deep values are made that may have any depth.
const DEEPEST: u32 = 12;

/// What a program's memory holds, and what a call needs of it.
pub(super) struct Values<'a> {
    pub(super) world: &'a World,
    pub(super) chance: Chance,
    surroundings: &'a Surroundings,
    /// What is in memory from the beginning, after what is kept.
    pub(super) constants: Vec<u8>,
    /// Where that begins.
    constants_at: u32,
    /// Where the next argument of the call goes that is too large for a core value.
    scratch: u32,
    /// Where handles of a resource are kept, and how many times one was.
    places: BTreeMap<TypeId, (u32, u32)>,
    next_place: u32,
    /// Whether calls go on with what the last ones returned.
    pub(super) steady: bool,
    /// Places whose handle was passed on.
    emptied: BTreeSet<u32>,
    /// Places that the call takes handles from, and those of them that it empties.
    pub(super) needed: Vec<u32>,
    moved: Vec<u32>,
    depth: u32,
}

impl<'a> Values<'a> {
    pub(super) fn new(
        world: &'a World,
        surroundings: &'a Surroundings,
        seed: u64,
        kept_at: u32,
        constants_at: u32,
    ) -> Self {
        Self {
            world,
            chance: Chance::of_seed(seed),
            surroundings,
            constants: Vec::new(),
            constants_at,
            scratch: 0,
            places: BTreeMap::new(),
            next_place: kept_at,
            steady: false,
            emptied: BTreeSet::new(),
            needed: Vec::new(),
            moved: Vec::new(),
            depth: 0,
        }
    }

    /// Resources of which there may be a handle.
    pub(super) fn kept(&self) -> impl Iterator<Item = TypeId> {
        self.places.keys().copied()
    }

    /// A place for one more handle of a resource.
    pub(super) fn place(&mut self, resource: TypeId) -> u32 {
        let next = &mut self.next_place;
        let (base, times) = self.places.entry(resource).or_insert_with(|| {
            let base = *next;
            *next += PLACES * 4;
            (base, 0)
        });
        let place = *base + (*times % PLACES) * 4;
        *times += 1;
        self.emptied.remove(&place);
        place
    }

    /// Whether the last handle of a resource may be there still.
    pub(super) fn has(&self, resource: TypeId) -> bool {
        let last = |(base, times): &(u32, u32)| base + ((times - 1) % PLACES) * 4;
        self.places.get(&resource).is_some_and(|places| !self.emptied.contains(&last(places)))
    }

    /// Has the places empty that the call took handles from for ever.
    pub(super) fn empty(&mut self, code: &mut Vec<Instruction<'static>>) {
        for place in std::mem::take(&mut self.moved) {
            put(code, place, 4, Core::I32(0));
            self.emptied.insert(place);
        }
    }

    /// A handle of a resource, which may be there; seldom one that isn't.
    pub(super) fn handle(&mut self, resource: TypeId, moves: bool) -> Core {
        if self.chance.below(4_000) == 0 {
            return Core::I32(i32::try_from(self.chance.below(40)).unwrap());
        }
        let Some((base, times)) = self.places.get(&resource).copied() else { return self.nobody() };
        // Mostly the last one.
        let back = if self.chance.percent(if self.steady { 97 } else { 60 }) {
            0
        } else {
            u32::try_from(self.chance.below(6)).unwrap()
        };
        let place = base + ((times + PLACES - 1 - back.min(times - 1)) % PLACES) * 4;
        if self.needed.contains(&place) && moves {
            return self.nobody();
        }
        self.needed.push(place);
        if moves {
            self.moved.push(place);
        }
        Core::Kept(place)
    }

    /// A handle that is never there: the call isn't made.
    fn nobody(&mut self) -> Core {
        self.needed.push(NOWHERE);
        Core::Kept(NOWHERE)
    }

    /// A number, as it is or as nobody expects it.
    fn number(&mut self, called: &str) -> u64 {
        if matches!(called, "duration" | "timeout" | "milliseconds" | "how-long" | "when" | "ns")
            && self.chance.percent(95)
        {
            return self.chance.next() % 3_000_000;
        }
        match self.chance.below(10) {
            0..=5 => self.chance.next() % 6,
            6 => *self.chance.of(&[10, 64, 255, 4_096, 65_536, 1 << 20]),
            7 => *self.chance.of(&[u64::MAX, u64::MAX >> 1, u64::from(u32::MAX), 1 << 31, 1 << 63, (1 << 53) + 1]),
            8 => self.chance.next() % 5_000,
            _ => self.chance.next(),
        }
    }

    /// Where a text or bytes are, and how many there are.
    pub(super) fn text(&mut self, called: &str) -> Span {
        let told = self.surroundings.words(called);
        // What is found by its id is passed on as it is.
        let finds = matches!(called, "urn" | "urns" | "id" | "known" | "dependencies");
        let words = match self.chance.below(100) {
            0..8 if !finds => Surroundings::secret(),
            8..18 => self.surroundings.any(),
            _ if told.is_empty() => self.surroundings.any(),
            _ => told,
        };
        let word =
            if self.chance.below(400) == 0 { vec![0xff, 0xfe, 0xc3, 0x28] } else { self.chance.of(&words).clone() };
        let at = self.constants_at + u32::try_from(self.constants.len()).unwrap();
        self.constants.extend_from_slice(&word);
        let length = u32::try_from(word.len()).unwrap();
        match self.chance.below(1_500) {
            0 => (at, u32::MAX),
            1 => (u32::MAX - 3, length),
            2 => (0, 3 << 20),
            _ => (at, length),
        }
    }

    /// Another call begins, whose arguments may take the place of the last one's.
    pub(super) fn begin(&mut self, scratch: u32) {
        self.scratch = scratch;
        self.needed.clear();
        self.moved.clear();
    }

    /// Room for an argument that is passed by its address.
    pub(super) fn room(&mut self, size: usize, align: usize) -> u32 {
        let align = u32::try_from(align).unwrap();
        let at = self.scratch.div_ceil(align) * align;
        self.scratch = at + u32::try_from(size).unwrap();
        at
    }

    /// A value as core values, one for each of those that its type has.
    pub(super) fn flat(&mut self, ty: Type, called: &str, code: &mut Vec<Instruction<'static>>) -> Vec<Core> {
        let world = self.world;
        let kind = match world.kind(ty) {
            Ok(kind) => kind,
            Err(Type::String) => {
                return flat_span(self.text(called));
            }
            Err(primitive) => return vec![self.primitive(primitive, called)],
        };
        match kind {
            TypeDefKind::Handle(Handle::Own(id)) => vec![self.handle(world.resource(*id), true)],
            TypeDefKind::Handle(Handle::Borrow(id)) => vec![self.handle(world.resource(*id), false)],
            TypeDefKind::Record(record) => {
                record.fields.iter().flat_map(|field| self.flat(field.ty, &field.name, code)).collect()
            }
            TypeDefKind::Tuple(_) if world.named(ty) == Some("ipv4-address") && self.chance.percent(80) => {
                [127, 0, 0, 1].map(Core::I32).to_vec()
            }
            TypeDefKind::Tuple(tuple) => tuple.types.iter().flat_map(|ty| self.flat(*ty, called, code)).collect(),
            TypeDefKind::List(element) => flat_span(self.list(*element, called, code)),
            TypeDefKind::Flags(_) => vec![self.flags()],
            _ => {
                let cases = cases(kind);
                let case = self.case(ty, called, cases.len());
                let mut flat = vec![Core::I32(i32::try_from(case).unwrap())];
                if let Some(Some((name, ty))) = cases.get(case) {
                    let name = if name.is_empty() { called } else { name };
                    flat.extend(self.flat(*ty, name, code));
                }
                self.joined(ty, flat)
            }
        }
    }

    /// The values of one case, as the type has them that joins all cases.
    fn joined(&self, ty: Type, flat: Vec<Core>) -> Vec<Core> {
        let mut storage = [WasmType::I32; 64];
        let mut types = wit_parser::abi::FlatTypes::new(&mut storage);
        assert!(self.world.resolve.push_flat(&ty, &mut types), "no argument has so many parts");
        let given = flat.into_iter().map(Some).chain(std::iter::repeat(None));
        types.to_vec().into_iter().zip(given).map(|(ty, core)| converted(core.unwrap_or(Core::I32(0)), ty)).collect()
    }

    /// Which case it is: what most calls need, mostly.
    fn case(&mut self, ty: Type, called: &str, count: usize) -> usize {
        let first = matches!(self.world.named(ty), Some("ip-socket-address" | "ip-address" | "ip-address-family"));
        if first && self.chance.percent(85) {
            return 0;
        }
        // Plain and encrypted.
        if self.world.named(ty) == Some("scheme") && self.chance.percent(90) {
            return self.chance.below(2);
        }
        let given = self.world.named(ty).is_none() && matches!(called, "authority" | "scheme");
        if given && self.chance.percent(85) {
            return 1;
        }
        // What may be deeper for ever ends here: a tree's nodes that have no children, and nothing where that may be.
        if self.depth > DEEPEST {
            return 0;
        }
        if self.chance.below(600) == 0 { count + self.chance.below(3) } else { self.chance.below(count) }
    }

    fn primitive(&mut self, ty: Type, called: &str) -> Core {
        let number = self.number(called);
        match ty {
            Type::Bool => Core::I32(i32::from(number % 2 == 1)),
            Type::U8 | Type::S8 => Core::I32(i32::from(number.to_le_bytes()[0])),
            Type::U16 | Type::S16 if called == "port" => {
                let Surroundings { http, https, tcp, denied, .. } = self.surroundings;
                let ports = [tcp.port(), tcp.port(), tcp.port(), http.port(), https.port(), denied.port(), 0];
                Core::I32(i32::from(*self.chance.of(&ports)))
            }
            Type::U16 | Type::S16 => {
                Core::I32(i32::from(u16::from_le_bytes([number.to_le_bytes()[0], number.to_le_bytes()[1]])))
            }
            Type::U64 | Type::S64 => Core::I64(number.cast_signed()),
            Type::F32 => Core::F32(f32::from_bits(u32::try_from(number >> 32).unwrap())),
            Type::F64 => {
                let odd = [f64::NAN, f64::INFINITY, -0.0, 1e300];
                Core::F64(if self.chance.percent(20) {
                    *self.chance.of(&odd)
                } else {
                    f64::from(u32::try_from(number >> 32).unwrap() % 9)
                })
            }
            Type::Char => Core::I32(*self.chance.of(&[0x61, 0, 0xd800, 0x10_ffff, -1])),
            _ => Core::I32(u32::try_from(number & u64::from(u32::MAX)).unwrap().cast_signed()),
        }
    }

    /// Flags, also some that nobody knows.
    fn flags(&mut self) -> Core {
        Core::I32(i32::try_from(self.chance.below(80)).unwrap())
    }

    /// Where a list is that is written by then, and how many elements it has.
    fn list(&mut self, element: Type, called: &str, code: &mut Vec<Instruction<'static>>) -> Span {
        if matches!(self.world.kind(element), Err(Type::U8)) {
            return self.text(called);
        }
        let count = if self.depth > DEEPEST { 0 } else { *self.chance.of(&[0, 1, 1, 1, 1, 1, 1, 2, 3]) };
        let (size, align) = self.layout(element);
        let at = self.room(size * usize::try_from(count).unwrap(), align);
        self.depth += 3;
        for index in 0..count {
            self.store(element, called, at + index * u32::try_from(size).unwrap(), code);
        }
        self.depth -= 3;
        (at, count)
    }

    pub(super) fn layout(&self, ty: Type) -> (usize, usize) {
        (self.world.sizes.size(&ty).size_wasm32(), self.world.sizes.align(&ty).align_wasm32())
    }

    /// Writes a value into memory.
    pub(super) fn store(&mut self, ty: Type, called: &str, at: u32, code: &mut Vec<Instruction<'static>>) {
        let world = self.world;
        let kind = match world.kind(ty) {
            Ok(kind) => kind,
            Err(Type::String) => {
                return put_span(code, at, self.text(called));
            }
            Err(primitive) => {
                let core = self.primitive(primitive, called);
                put(code, at, self.layout(ty).0, core);
                return;
            }
        };
        match kind {
            TypeDefKind::Record(record) if self.world.named(ty) == Some("tree") && self.chance.percent(75) => {
                if let Ok(TypeDefKind::List(node)) = world.kind(record.fields[0].ty) {
                    self.tree(*node, at, code);
                }
            }
            TypeDefKind::Record(record) => {
                let offsets = world.sizes.field_offsets(record.fields.iter().map(|field| &field.ty));
                for ((offset, ty), field) in offsets.into_iter().zip(&record.fields) {
                    self.store(*ty, &field.name, at + u32::try_from(offset.size_wasm32()).unwrap(), code);
                }
            }
            TypeDefKind::Tuple(tuple) => {
                for (offset, ty) in world.sizes.field_offsets(&tuple.types) {
                    self.store(*ty, called, at + u32::try_from(offset.size_wasm32()).unwrap(), code);
                }
            }
            TypeDefKind::List(element) => {
                let list = self.list(*element, called, code);
                put_span(code, at, list);
            }
            TypeDefKind::Handle(Handle::Own(id) | Handle::Borrow(id)) => {
                let moves = matches!(kind, TypeDefKind::Handle(Handle::Own(_)));
                let handle = self.handle(world.resource(*id), moves);
                put(code, at, 4, handle);
            }
            TypeDefKind::Flags(_) => put(code, at, self.layout(ty).0, self.flags()),
            _ => {
                let case = self.case(ty, called, cases(kind).len());
                self.store_case(ty, case, called, at, code);
            }
        }
    }

    /// Writes a case of a variant, with any value.
    pub(super) fn store_case(
        &mut self,
        ty: Type,
        case: usize,
        called: &str,
        at: u32,
        code: &mut Vec<Instruction<'static>>,
    ) {
        let Ok(kind) = self.world.kind(ty) else { return };
        let cases = cases(kind);
        put(code, at, tag(cases.len()).1, Core::I32(i32::try_from(case).unwrap()));
        if let Some(Some((name, payload))) = cases.get(case) {
            let name = if name.is_empty() { called } else { name };
            self.depth += 1;
            self.store(*payload, name, at + self.payload_at(kind), code);
            self.depth -= 1;
        }
    }

    /// How far behind its tag what a case holds is.
    pub(super) fn payload_at(&self, kind: &TypeDefKind) -> u32 {
        let cases = cases(kind);
        let types: Vec<Option<Type>> = cases.iter().map(|case| case.as_ref().map(|(_, ty)| *ty)).collect();
        let offset = self.world.sizes.payload_offset(tag(cases.len()).0, types.iter().map(Option::as_ref));
        u32::try_from(offset.size_wasm32()).unwrap()
    }
}

fn flat_span((begin, length): Span) -> Vec<Core> {
    vec![begin.into(), length.into()]
}

/// The cases of what has cases, each with what it is called and what it holds.
pub(super) fn cases(kind: &TypeDefKind) -> Vec<Option<(String, Type)>> {
    let unnamed = |ty: &Option<Type>| ty.map(|ty| (String::new(), ty));
    match kind {
        TypeDefKind::Variant(variant) => {
            variant.cases.iter().map(|case| case.ty.map(|ty| (case.name.clone(), ty))).collect()
        }
        TypeDefKind::Enum(names) => vec![None; names.cases.len()],
        TypeDefKind::Option(ty) => vec![None, unnamed(&Some(*ty))],
        TypeDefKind::Result(result) => vec![unnamed(&result.ok), unnamed(&result.err)],
        other => panic!("no interface of the host has a {}", other.as_str()),
    }
}

/// What tells so many cases apart, and how many bytes that takes.
fn tag(cases: usize) -> (Int, usize) {
    if cases <= 256 { (Int::U8, 1) } else { (Int::U16, 2) }
}

//! What a program does next: mostly it goes on with what it has, and some of what nobody reaches by chance is done on purpose.

use std::collections::BTreeSet;

use wasm_encoder::Instruction;
use wit_parser::TypeId;

use super::program::Program;
use super::world::Import;

/// How many calls are made to have what another one takes.
const STEPS: u32 = 6;

/// What a guest does who sends a request, connects, reads and writes a file, makes children, or asks for packages.
const ORDERS: [&[&str]; 6] = [
    &[
        "[constructor]fields",
        "[constructor]outgoing-request",
        "[method]outgoing-request.set-scheme",
        "[method]outgoing-request.set-authority",
        "handle",
        "[method]future-incoming-response.subscribe",
        "[method]pollable.block",
        "[method]future-incoming-response.get",
        "[method]incoming-response.consume",
        "[method]incoming-body.stream",
        "[method]input-stream.blocking-read",
    ],
    &[
        "[constructor]fields",
        "[constructor]outgoing-request",
        "[method]outgoing-request.set-method",
        "[method]outgoing-request.set-scheme",
        "[method]outgoing-request.set-authority",
        "[method]outgoing-request.body",
        "handle",
        "[method]outgoing-body.write",
        "[method]output-stream.blocking-write-and-flush",
        "[static]outgoing-body.finish",
    ],
    &[
        "instance-network",
        "create-tcp-socket",
        "[method]tcp-socket.start-connect",
        "[method]tcp-socket.subscribe",
        "[method]pollable.block",
        "[method]tcp-socket.finish-connect",
        "[method]output-stream.blocking-write-and-flush",
        "[method]input-stream.blocking-read",
    ],
    &[
        "get-directories",
        "[method]descriptor.open-at",
        "[method]descriptor.write",
        "[method]descriptor.read-via-stream",
        "[method]input-stream.blocking-read",
        "[method]descriptor.append-via-stream",
        "[method]output-stream.blocking-write-and-flush",
    ],
    &[
        "get-deployment",
        "register",
        "[method]pending-resource.wait",
        "register-outputs",
        "invoke",
        "[method]pending-value.wait",
        "hydrate",
        "[method]pending-resource.wait",
    ],
    &["get-schema", "resolve", "get-mapping"],
];

impl Program<'_> {
    /// What comes next: a call, and before it what returns what it takes; or what leads to something in a certain order only.
    pub(super) fn step(&mut self, code: &mut Vec<Instruction<'static>>) {
        if self.values.chance.percent(12) {
            let order = *self.values.chance.of(&ORDERS);
            for name in order {
                self.values.steady = true;
                self.by_name(name, code);
                self.values.steady = false;
                if self.values.chance.percent(15) {
                    self.any(code);
                }
            }
        } else {
            self.any(code);
        }
    }

    fn any(&mut self, code: &mut Vec<Instruction<'static>>) {
        let kept: Vec<TypeId> = self.values.kept().collect();
        if !kept.is_empty() && self.values.chance.percent(10) {
            let resource = *self.values.chance.of(&kept);
            return self.drop_one(resource, code);
        }
        let import = self.choice(&kept.into_iter().collect());
        self.reach(import, STEPS, code);
    }

    /// The next function: mostly one that goes on with what the last one returned.
    fn choice(&mut self, kept: &BTreeSet<TypeId>) -> &'static Import {
        let recent: BTreeSet<TypeId> = self.recent.iter().copied().collect();
        let (world, chance) = (self.world, &mut self.values.chance);
        let wanted = chance.below(10);
        let all = world.imports.iter().filter(|import| import.function.name != "exit");
        let fitting: Vec<&Import> = all
            .filter(|import| match wanted {
                0..=4 if !recent.is_empty() => !import.takes.is_disjoint(&recent),
                0..=6 if !kept.is_empty() => !import.takes.is_empty() && import.takes.is_subset(kept),
                _ => true,
            })
            .collect();
        match fitting.as_slice() {
            [] => chance.of(&world.imports),
            fitting => fitting[chance.below(fitting.len())],
        }
    }

    /// Makes a call, after others that return what it takes.
    fn reach(&mut self, import: &'static Import, steps: u32, code: &mut Vec<Instruction<'static>>) {
        for resource in &import.takes {
            if steps > 0 && (!self.values.has(*resource) || self.values.chance.percent(20)) {
                let from: Vec<&'static Import> =
                    self.world.imports.iter().filter(|import| import.gives.contains(resource)).collect();
                // Some are made for servers only, which no component is here.
                if !from.is_empty() {
                    let from = *self.values.chance.of(&from);
                    self.reach(from, steps - 1, code);
                }
            }
        }
        self.call(import, code);
    }

    fn by_name(&mut self, name: &str, code: &mut Vec<Instruction<'static>>) {
        let import = self.named(name);
        self.call(import, code);
    }

    fn named(&self, name: &str) -> &'static Import {
        let mut imports = self.world.imports.iter();
        imports.find(|import| import.function.name == name).unwrap_or_else(|| panic!("the host should have {name}"))
    }
}

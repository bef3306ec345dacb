//! All that a component may import from the host, and what it may export to it, as WIT has it: the contract's own interfaces, and the
//! runtime's as the libraries that link them describe them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use bulkhead_tests::repository;
use wit_parser::{
    Function, Handle, Interface, Resolve, SizeAlign, Type, TypeDefKind, TypeId, WorldId, WorldItem, WorldKey,
};

/// Every interface that the host links, and every export that it calls.
const WORLD: &str = "
    package bulkhead:restless;
    world restless {
        include wasi:cli/imports@0.2.12;
        import wasi:http/outgoing-handler@0.2.12;
        include bulkhead:provider/provider@0.1.0;
    }";

/// The interfaces of the component.
pub(super) struct World {
    pub(super) resolve: Resolve,
    pub(super) sizes: SizeAlign,
    pub(super) id: WorldId,
    /// Functions of the host; those that drop a resource aren't among them.
    pub(super) imports: Vec<Import>,
    /// Functions that the host calls.
    pub(super) exports: Vec<(String, Function)>,
    /// Resources of the host: which interface has each, by what name.
    pub(super) resources: BTreeMap<TypeId, (String, String)>,
}

/// A function of the host.
pub(super) struct Import {
    pub(super) interface: String,
    pub(super) function: Function,
    /// Resources that it takes handles of, and those that it returns handles of.
    pub(super) takes: BTreeSet<TypeId>,
    pub(super) gives: BTreeSet<TypeId>,
}

/// Read once.
pub(super) static WORLD_READ: LazyLock<World> = LazyLock::new(World::read);

impl World {
    fn read() -> Self {
        let mut resolve = Resolve::default();
        resolve.push_path(runtime()).unwrap();
        resolve.push_path(repository().join("wit")).unwrap();
        let package = resolve.push_str("restless.wit", WORLD).unwrap();
        let id = resolve.select_world(&[package], Some("restless")).unwrap();
        let mut sizes = SizeAlign::default();
        sizes.fill(&resolve);
        let world = &resolve.worlds[id];
        let imported = functions(&resolve, &world.imports);
        let exports = functions(&resolve, &world.exports);
        let mut resources = BTreeMap::new();
        for (interface, found) in interfaces(&resolve, &world.imports) {
            for (name, ty) in &found.types {
                if matches!(resolve.types[*ty].kind, TypeDefKind::Resource) {
                    resources.insert(*ty, (interface.clone(), name.clone()));
                }
            }
        }
        let mut world = Self { sizes, id, imports: Vec::new(), exports, resources, resolve };
        for (interface, function) in imported {
            let takes = function.params.iter().flat_map(|parameter| world.handles(parameter.ty)).collect();
            let gives = function.result.iter().flat_map(|result| world.handles(*result)).collect();
            world.imports.push(Import { interface, function, takes, gives });
        }
        world
    }

    /// What a type is, behind all of its names.
    pub(super) fn kind(&self, ty: Type) -> Result<&TypeDefKind, Type> {
        match ty {
            Type::Id(id) => match &self.resolve.types[id].kind {
                TypeDefKind::Type(ty) => self.kind(*ty),
                kind => Ok(kind),
            },
            primitive => Err(primitive),
        }
    }

    /// The resource that an id stands for, wherever it is used.
    pub(super) fn resource(&self, id: TypeId) -> TypeId {
        match self.resolve.types[id].kind {
            TypeDefKind::Type(Type::Id(id)) => self.resource(id),
            _ => id,
        }
    }

    /// What a type is called, or what it is called that it stands for.
    pub(super) fn named(&self, ty: Type) -> Option<&str> {
        let Type::Id(id) = ty else { return None };
        self.resolve.types[id].name.as_deref()
    }

    /// The resources that somebody who has a value of this type has handles of.
    pub(super) fn handles(&self, ty: Type) -> BTreeSet<TypeId> {
        let Ok(kind) = self.kind(ty) else { return BTreeSet::new() };
        let within: Vec<Type> = match kind {
            TypeDefKind::Handle(Handle::Own(id) | Handle::Borrow(id)) => return [self.resource(*id)].into(),
            TypeDefKind::Record(record) => record.fields.iter().map(|field| field.ty).collect(),
            TypeDefKind::Tuple(tuple) => tuple.types.clone(),
            TypeDefKind::Variant(variant) => variant.cases.iter().filter_map(|case| case.ty).collect(),
            TypeDefKind::Option(ty) | TypeDefKind::List(ty) => vec![*ty],
            TypeDefKind::Result(result) => [result.ok, result.err].into_iter().flatten().collect(),
            _ => Vec::new(),
        };
        within.into_iter().flat_map(|ty| self.handles(ty)).collect()
    }
}

/// The interfaces among what a world imports or exports, each with its name.
fn interfaces<'a>(
    resolve: &'a Resolve,
    items: impl IntoIterator<Item = (&'a WorldKey, &'a WorldItem)>,
) -> impl Iterator<Item = (String, &'a Interface)> {
    items.into_iter().filter_map(|(key, item)| match item {
        WorldItem::Interface { id, .. } => Some((resolve.name_world_key(key), &resolve.interfaces[*id])),
        _ => None,
    })
}

/// Their functions, each with its interface's name.
fn functions<'a>(
    resolve: &'a Resolve,
    items: impl IntoIterator<Item = (&'a WorldKey, &'a WorldItem)>,
) -> Vec<(String, Function)> {
    let mut functions = Vec::new();
    for (name, interface) in interfaces(resolve, items) {
        functions.extend(interface.functions.values().map(|function| (name.clone(), function.clone())));
    }
    functions
}

/// Where the interfaces of the runtime are described: in the source of the library that links them.
fn runtime() -> PathBuf {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .current_dir(repository())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().iter();
    let package = packages.find(|package| package["name"] == "wasmtime-wasi-http").unwrap();
    PathBuf::from(package["manifest_path"].as_str().unwrap()).with_file_name("wit")
}

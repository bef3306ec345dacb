//! Guests: provider crates, built into components by the executable under test.
//!
//! Whether there is anything to build is for cargo to know. All guests share one target directory (`.cargo/config.toml` of
//! their workspaces), so that what they have in common is compiled once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bulkhead::component::{Sections, embed};

use crate::bulkhead::Bulkhead;
use crate::target;

/// A built component.
#[derive(Clone, Debug)]
pub struct Guest {
    /// The package's name.
    pub name: String,
    /// The package's version.
    pub version: String,
    /// The component's file.
    pub component: PathBuf,
}

/// Guests that this process has built.
static BUILT: Mutex<BTreeMap<PathBuf, Guest>> = Mutex::new(BTreeMap::new());

impl Guest {
    /// Builds the provider crate in a directory of the repository, e.g. `providers/random`.
    #[track_caller]
    pub fn build(bulkhead: &Bulkhead, directory: &str) -> Self {
        let directory = repository().join(directory);
        // A guest that doesn't build fails each test that needs it, with the compiler's messages.
        let mut built = BUILT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(guest) = built.get(&directory) {
            return guest.clone();
        }
        let guest = target::exclusively("guests.lock", || build(bulkhead, &directory));
        built.insert(directory, guest.clone());
        guest
    }

    /// The same component, saying that it is of another version.
    pub fn of_version(&self, version: &str) -> Vec<u8> {
        let component = fs::read(&self.component).expect("a guest should be readable once it is built");
        let sections = Sections::read(&component).expect("a guest should be a component");
        let (Some(schema), Some(manifest)) = (sections.schema, sections.manifest) else {
            panic!("a built guest should describe itself")
        };
        let mut schema: serde_json::Value = serde_json::from_slice(&schema).expect("a schema should be JSON");
        schema["version"] = version.into();
        embed(&component, schema.to_string().as_bytes(), &manifest).expect("a guest should be a component")
    }

    /// Puts the component and the executable together in a directory, as a plugin.
    #[track_caller]
    pub fn bundle(&self, bulkhead: &Bulkhead, directory: &Path) {
        let arguments = ["bundle".as_ref(), self.component.as_os_str(), "-o".as_ref(), directory.as_os_str()];
        bulkhead.run(arguments).succeeded();
    }
}

#[track_caller]
fn build(bulkhead: &Bulkhead, directory: &Path) -> Guest {
    let out = target::directory().join("guests-out");
    fs::create_dir_all(&out).expect("the target directory should be writable");
    let called = directory.file_name().expect("a guest should have a directory").to_string_lossy();
    let (component, fresh) = (out.join(format!("{called}.wasm")), out.join(format!("{called}.new")));
    let arguments = ["build".as_ref(), directory.as_os_str(), "-o".as_ref(), fresh.as_os_str()];
    let built = bulkhead.run(arguments).succeeded();
    // Others may be reading the last one.
    fs::rename(&fresh, &component).expect("the target directory should be writable");
    let said = built.stdout.split_once(':').and_then(|(package, _)| package.split_once(' '));
    let (name, version) = said.unwrap_or_else(|| panic!("what was built should be named: {built}"));
    Guest { name: name.to_owned(), version: version.to_owned(), component }
}

/// The repository's root.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests should lie in the repository")
}

/// The component of a guest that asks for 1 GiB of memory at its start, which is what a host gives, with 2 GiB in its place: it
/// loads, and can't be instantiated.
pub fn without_room(guest: &Guest) -> Vec<u8> {
    // A memory section: its size, one memory without a maximum, and the least number of pages.
    let (allowed, beyond) = ([5, 5, 1, 0, 0x80, 0x80, 1], [5, 5, 1, 0, 0x80, 0x80, 2]);
    let mut component = fs::read(&guest.component).expect("a guest should be readable once it is built");
    let places: Vec<usize> =
        component.windows(allowed.len()).enumerate().filter(|(_, at)| *at == allowed).map(|(at, _)| at).collect();
    let [at] = places[..] else { panic!("there should be one such memory, not {}", places.len()) };
    component[at..at + beyond.len()].copy_from_slice(&beyond);
    component
}

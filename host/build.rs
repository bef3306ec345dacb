//! How the executable is linked: so that it starts soon, since engines start it twice for each command, and takes little.
//!
//! Most of it is a compiler that hardly any run needs, and what each run does need lies all over it, where the system maps 64 KiB around
//! each function. So a release has that together: `first.ld` lists it, as `cargo run --release -p bulkhead-benchmarks -- order` found it.
//! A name that isn't there any more does no harm.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The first version of the GNU C library that reads relative relocations in their short form. They are a megabyte in the long
/// one, all of which is read before `main`.
const SHORT_RELOCATIONS: (u32, u32) = (2, 36);

fn main() {
    let order = Path::new(env!("CARGO_MANIFEST_DIR")).join("first.ld");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", order.display());
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    let gnu = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    let native = std::env::var("HOST").is_ok_and(|host| is("TARGET", &host));
    // What is built for another machine keeps to what every library reads.
    if gnu && native && library().is_some_and(|version| version >= SHORT_RELOCATIONS) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if gnu
        && native
        && let Some(directory) = unwinder()
    {
        println!("cargo::rustc-link-search=native={}", directory.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
    // It takes a linker some seconds, of which others have many builds.
    if gnu && is("PROFILE", "release") && linked_by_default() {
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", order.display());
    }
}

/// Whether nobody chose a linker: GNU's and LLVM's read such a list, and others know nothing of it.
fn linked_by_default() -> bool {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    std::env::var_os("RUSTC_LINKER").is_none() && !flags.contains("linker") && !flags.contains("fuse-ld")
}

/// Where the compiler's own unwinder is as an archive. It is code of this process then, and one library less is loaded before `main`.
fn unwinder() -> Option<PathBuf> {
    let output = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let archive = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    // What isn't found is repeated as it was asked for.
    archive.is_absolute().then(|| archive.parent().map(Path::to_owned)).flatten()
}

/// The version of this machine's C library.
fn library() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}

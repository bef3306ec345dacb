//! How the executable is linked: so that it starts soon, since engines start it twice for each command.

use std::process::Command;

/// The first version of the GNU C library that reads relative relocations in their short form. They are a megabyte in the long
/// one, all of which is read before `main`.
const SHORT_RELOCATIONS: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    let gnu = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    let native = std::env::var("HOST").is_ok_and(|host| is("TARGET", &host));
    // What is built for another machine keeps to what every library reads.
    if gnu && native && library().is_some_and(|version| version >= SHORT_RELOCATIONS) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's C library.
fn library() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}

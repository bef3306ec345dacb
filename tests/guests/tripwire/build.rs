//! Gives the guest as much memory as a host allows, so that a test has to ask for a single page more to keep it from ever
//! being instantiated.

fn main() {
    println!("cargo:rustc-link-arg=--initial-memory={}", 1_u64 << 30);
}

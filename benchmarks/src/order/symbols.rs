//! The functions of an executable, as its symbols name them.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// Where it begins, from the beginning of the executable.
    pub(super) address: u64,
    /// Bytes.
    pub(super) size: u64,
    /// Its symbol, mangled.
    pub(super) name: String,
}

/// All functions of an executable, by address.
///
/// # Errors
/// There is no `nm`, or the executable has no symbols.
pub(super) fn functions(executable: &Path) -> Result<Vec<Function>> {
    let mut nm = Command::new("nm");
    nm.args(["--print-size", "--defined-only", "--numeric-sort"]).arg(executable).stdin(Stdio::null());
    let output = nm.output().context("start nm")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut functions: Vec<Function> = text.lines().filter_map(function).collect();
    // One may have several names.
    functions.dedup_by_key(|function| function.address);
    ensure!(
        !functions.is_empty(),
        "find symbols in {}: build it with CARGO_PROFILE_RELEASE_STRIP=none",
        executable.display()
    );
    Ok(functions)
}

/// A line of `nm`: address, size, kind, name. Others are no functions, or have no size.
fn function(line: &str) -> Option<Function> {
    let [address, size, "t" | "T", name] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    let number = |digits| u64::from_str_radix(digits, 16).ok();
    Some(Function { address: number(address)?, size: number(size)?, name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_size_and_is_code_is_a_function() {
        let found = function("00000000004bb080 0000000000000022 T _start");
        assert_eq!(found, Some(Function { address: 0x4b_b080, size: 0x22, name: "_start".to_owned() }));
        for line in ["00000000000f32f0 0000000000000010 r GCC_except_table0", "00000000004bb080 t init", ""] {
            assert_eq!(function(line), None, "{line}");
        }
    }
}

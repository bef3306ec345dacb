//! From functions that ran to a linker script that puts them first.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::symbols::Function;

/// A pattern is left out if it matches more than so many times as much code as ran.
const SPARSE: u64 = 20;

/// The script. Both GNU's linker and LLVM's take it beside their own.
pub(super) fn script(functions: &[Function], ran: &[u64]) -> String {
    let sizes = |which: &dyn Fn(&Function) -> bool| {
        let mut sizes: HashMap<String, u64> = HashMap::new();
        for function in functions.iter().filter(|function| which(function)) {
            *sizes.entry(pattern(&function.name)).or_default() += function.size;
        }
        sizes
    };
    let those: HashSet<u64> = ran.iter().copied().collect();
    let (matched, needed) = (sizes(&|_| true), sizes(&|function| those.contains(&function.address)));
    let dense = |pattern: &String| {
        let size = |of: &HashMap<String, u64>| of.get(pattern).copied().unwrap_or_default();
        size(&needed).saturating_mul(SPARSE) >= size(&matched)
    };
    let names: HashMap<u64, &str> =
        functions.iter().map(|function| (function.address, function.name.as_str())).collect();
    let mut seen = HashSet::new();
    let mut script = String::from("SECTIONS\n{\n  .text.first :\n  {\n");
    for pattern in ran.iter().filter_map(|address| names.get(address)).map(|name| pattern(name)).filter(dense) {
        if seen.insert(pattern.clone()) {
            // What a compiler takes for unlikely has another prefix.
            let _ = writeln!(script, "    *(.text*.{pattern})");
        }
    }
    script.push_str("  }\n}\nINSERT BEFORE .text;\n");
    script
}

/// What finds a function in other builds: its symbol without hashes, of which compilers, features and versions make others.
fn pattern(name: &str) -> String {
    let legacy = name.strip_prefix("_ZN").and_then(|_| name.rfind("17h"));
    if let Some((path, _)) = legacy.and_then(|at| name.split_at_checked(at)) {
        return format!("{path}17h*");
    }
    let Some(path) = name.strip_prefix("_R") else { return name.to_owned() };
    // Crates are `Cs`, a hash, `_`, and their name with its length.
    let mut parts = path.split("Cs");
    let first = parts.next().unwrap_or_default();
    parts.fold(format!("_R{first}"), |pattern, part| match part.split_once('_') {
        Some((hash, rest))
            if rest.starts_with(|c: char| c.is_ascii_digit()) && hash.chars().all(|c| c.is_ascii_alphanumeric()) =>
        {
            format!("{pattern}Cs*_{rest}")
        }
        _ => format!("{pattern}Cs{part}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_no_hashes() {
        let table = [
            ("_ZN5tokio7runtime4park17hfc2a831c2cf0c2b2E", "_ZN5tokio7runtime4park17h*"),
            ("_ZN5tokio4park17hfc2a831c2cf0c2b2E.llvm.123", "_ZN5tokio4park17h*"),
            ("_RNvNtCsjrHSEGnQ3l9_3std3foo", "_RNvNtCs*_3std3foo"),
            ("_RNvCsabc_3std4CspqC_x", "_RNvCs*_3std4CspqC_x"),
            ("mi_malloc", "mi_malloc"),
        ];
        for (name, expected) in table {
            assert_eq!(pattern(name), expected);
        }
    }

    #[test]
    fn what_ran_comes_first_in_its_order_and_names_of_many_functions_do_not() {
        let functions =
            [("a", 1, 10), ("_ZN1b17h0E", 2, 10), ("_ZN1c17h0E", 3, 10), ("_ZN1c17h1E", 4, 10 * SPARSE), ("d", 5, 10)];
        let functions = functions.map(|(name, address, size)| Function { address, size, name: name.to_owned() });
        let script = script(&functions, &[2, 3, 1]);
        let lines: Vec<_> = script.lines().filter(|line| line.contains("*(")).map(str::trim).collect();
        assert_eq!(lines, ["*(.text*._ZN1b17h*)", "*(.text*.a)"]);
    }
}

//! Comparisons that the compiler makes, for the assertions in derived code. Slices of strings can't be compared there otherwise.

/// The names of a struct's properties.
#[derive(Debug)]
pub struct Names {
    /// Those of its own fields.
    pub own: &'static [&'static str],
    /// Those of each struct that is flattened into it.
    pub below: &'static [&'static Names],
}

impl Names {
    /// Whether a property is called so.
    pub const fn has(&self, name: &str) -> bool {
        let mut below = self.below;
        while let [first, others @ ..] = below {
            if first.has(name) {
                return true;
            }
            below = others;
        }
        contains(self.own, name)
    }

    /// Whether no property is called as one of the others.
    pub const fn are_apart(&self, others: &Self) -> bool {
        let mut own = self.own;
        while let [name, other_names @ ..] = own {
            if others.has(name) {
                return false;
            }
            own = other_names;
        }
        let mut below = self.below;
        while let [first, rest @ ..] = below {
            if !first.are_apart(others) {
                return false;
            }
            below = rest;
        }
        true
    }
}

/// Whether no name is in any of the lists.
pub const fn are_apart(names: &[&str], lists: &[&[&str]]) -> bool {
    let mut names = names;
    while let [name, other_names @ ..] = names {
        let mut lists = lists;
        while let [list, other_lists @ ..] = lists {
            if contains(list, name) {
                return false;
            }
            lists = other_lists;
        }
        names = other_names;
    }
    true
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut names = names;
    while let [first, others @ ..] = names {
        if equal(first.as_bytes(), name.as_bytes()) {
            return true;
        }
        names = others;
    }
    false
}

/// Whether both are the same.
const fn equal(left: &[u8], right: &[u8]) -> bool {
    let (mut left, mut right) = (left, right);
    while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
        if *a != *b {
            return false;
        }
        (left, right) = (left_rest, right_rest);
    }
    left.is_empty() && right.is_empty()
}

/// Whether the token is one of the package's.
pub const fn belongs(token: &str, package: &str) -> bool {
    // No token is well-formed without a colon after its package.
    matches!(token.as_bytes().split_at_checked(package.len()), Some((start, [b':', ..])) if equal(start, package.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        assert!(are_apart(&["id"], &[&["ident", "i"], &[]]));
        assert!(!are_apart(&["a", "id"], &[&["b"], &["c", "id"]]));
    }

    #[test]
    fn names_are_found_however_deep_they_are() {
        const DEEP: Names = Names { own: &["id"], below: &[] };
        const FLAT: Names = Names { own: &["name"], below: &[&Names { own: &["size"], below: &[&DEEP] }] };
        assert!(["id", "name", "size"].iter().all(|name| FLAT.has(name)) && !FLAT.has("urn"));
        assert!(!FLAT.are_apart(&DEEP) && !DEEP.are_apart(&FLAT));
        assert!(FLAT.are_apart(&Names { own: &["urn"], below: &[&Names { own: &["sizes"], below: &[] }] }));
    }

    #[test]
    fn tokens_belong_to_one_package() {
        assert!(belongs("dns:index:Zone", "dns"));
        assert!(!belongs("dns-extra:index:Zone", "dns"));
        assert!(!belongs("dn:index:Zone", "dns"));
        assert!(!belongs("tls:index:Zone", "dns"));
    }
}

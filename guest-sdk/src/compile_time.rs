//! Comparisons that the compiler makes, for the assertions in derived code. Slices of strings can't be compared there otherwise.

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
    fn tokens_belong_to_one_package() {
        assert!(belongs("dns:index:Zone", "dns"));
        assert!(!belongs("dns-extra:index:Zone", "dns"));
        assert!(!belongs("dn:index:Zone", "dns"));
        assert!(!belongs("tls:index:Zone", "dns"));
    }
}

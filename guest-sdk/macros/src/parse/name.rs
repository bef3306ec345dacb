//! Names of fields and variants as names of properties and values.

/// `snake_case` or `UpperCamelCase` as `lowerCamelCase`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    let mut upper = false;
    for char in name.chars() {
        if char == '_' {
            upper = !camel.is_empty();
        } else if upper {
            camel.extend(char.to_uppercase());
            upper = false;
        } else if camel.is_empty() {
            camel.extend(char.to_lowercase());
        } else {
            camel.push(char);
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn names_become_camel_case() {
        for (name, property) in [
            ("length", "length"),
            ("min_upper", "minUpper"),
            ("b64_std", "b64Std"),
            ("a_b_c", "aBC"),
            ("_hidden", "hidden"),
            ("trailing_", "trailing"),
            ("RoundRobin", "roundRobin"),
            ("alreadyCamel", "alreadyCamel"),
        ] {
            assert_eq!(camel_case(name), property);
        }
    }
}

//! Which of two semantic versions is the higher one. Where there are several of a sub-package, the host goes by the highest, and checks by
//! its schema: a guest that went by another would make what nobody has checked.

use std::cmp::Ordering;

use semver::Version;

/// The order of two semantic versions. Builds that differ in nothing else are in an order too, so that all are.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    let [one, other] = [one, other].map(|version| Version::parse(version).ok());
    one.cmp(&other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_in_the_order_that_the_host_has_them_in() {
        let ascending = [
            "0.9.10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.1a",
            "1.0.0-alpha.beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.0+1",
            "1.0.0+01",
            "1.0.0+9",
            "1.0.0+10",
            "1.0.0+a",
            "1.0.1-rc.1",
            "1.0.1",
            "1.2.0",
            "1.10.0",
            "2.0.0-0",
            "2.0.0",
            "10.0.0",
            "18446744073709551615.0.0",
        ];
        for (place, version) in ascending.iter().enumerate() {
            for (other_place, other) in ascending.iter().enumerate() {
                assert_eq!(compare(version, other), place.cmp(&other_place), "{version} {other}");
            }
        }
    }
}

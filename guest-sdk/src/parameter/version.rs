//! Which of two semantic versions is the higher one. Where there are several of a sub-package, the host goes by the highest, and checks by
//! its schema: a guest that went by another would make what nobody has checked.

use std::cmp::Ordering;

/// The order of two semantic versions. Builds that differ in nothing else are in an order too, so that all are.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    let ((core, release, build), (other_core, other_release, other_build)) = (split(one), split(other));
    identifiers(core, other_core)
        // A version without one comes after its pre-releases.
        .then_with(|| release.is_empty().cmp(&other_release.is_empty()))
        .then_with(|| identifiers(release, other_release))
        .then_with(|| identifiers(build, other_build))
}

/// The three numbers, the pre-release and the build.
fn split(version: &str) -> (&str, &str, &str) {
    let (version, build) = version.split_once('+').unwrap_or((version, ""));
    let (core, release) = version.split_once('-').unwrap_or((version, ""));
    (core, release, build)
}

fn identifiers(one: &str, other: &str) -> Ordering {
    let pairs = one.split('.').zip(other.split('.'));
    let differing = pairs.map(|(one, other)| identifier(one, other)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| one.split('.').count().cmp(&other.split('.').count()))
}

/// Numbers by what they say, of any length, and before all else.
fn identifier(one: &str, other: &str) -> Ordering {
    let is_number = |identifier: &str| identifier.bytes().all(|byte| byte.is_ascii_digit());
    let digits = |number: &str| number.trim_start_matches('0').len();
    match (is_number(one), is_number(other)) {
        (true, true) => digits(one)
            .cmp(&digits(other))
            .then_with(|| one.trim_start_matches('0').cmp(other.trim_start_matches('0')))
            .then_with(|| one.len().cmp(&other.len())),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => one.cmp(other),
    }
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

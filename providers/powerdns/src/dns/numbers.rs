//! Record types by their numbers: `TYPE65534` (RFC 3597).
//!
//! A server reads the number of a type that it has a name for, and from then on says the name. Whoever goes on saying the number doesn't find
//! what is there, and finds none of the rules that hold for the name.

/// What comes before the number.
const BY_NUMBER: &str = "TYPE";

/// The types that all servers have a name for: those of the standards, and the last three of their own.
const NAMED: &[(u16, &str)] = &[
    (1, "A"),
    (2, "NS"),
    (5, "CNAME"),
    (6, "SOA"),
    (7, "MB"),
    (8, "MG"),
    (9, "MR"),
    (12, "PTR"),
    (13, "HINFO"),
    (14, "MINFO"),
    (15, "MX"),
    (16, "TXT"),
    (17, "RP"),
    (18, "AFSDB"),
    (24, "SIG"),
    (25, "KEY"),
    (28, "AAAA"),
    (29, "LOC"),
    (33, "SRV"),
    (35, "NAPTR"),
    (36, "KX"),
    (37, "CERT"),
    (38, "A6"),
    (39, "DNAME"),
    (42, "APL"),
    (43, "DS"),
    (44, "SSHFP"),
    (45, "IPSECKEY"),
    (46, "RRSIG"),
    (47, "NSEC"),
    (48, "DNSKEY"),
    (49, "DHCID"),
    (50, "NSEC3"),
    (51, "NSEC3PARAM"),
    (52, "TLSA"),
    (53, "SMIMEA"),
    (57, "RKEY"),
    (59, "CDS"),
    (60, "CDNSKEY"),
    (61, "OPENPGPKEY"),
    (62, "CSYNC"),
    (63, "ZONEMD"),
    (64, "SVCB"),
    (65, "HTTPS"),
    (99, "SPF"),
    (104, "NID"),
    (105, "L32"),
    (106, "L64"),
    (107, "LP"),
    (108, "EUI48"),
    (109, "EUI64"),
    (256, "URI"),
    (257, "CAA"),
    (32769, "DLV"),
    (65400, "ADDR"),
    (65401, "ALIAS"),
    (65402, "LUA"),
];

/// Those for which servers before 5.1 have none, so that they can only be asked for by their numbers there.
const NAMED_LATELY: &[(u16, &str)] = &[(67, "HHIT"), (68, "BRID"), (261, "RESINFO"), (262, "WALLET")];

/// What follows `TYPE` in a type that is written as a number, whether or not it is one.
pub(super) fn tail(kind: &str) -> Option<&str> {
    let (lead, tail) = kind.split_at_checked(BY_NUMBER.len())?;
    lead.eq_ignore_ascii_case(BY_NUMBER).then_some(tail)
}

/// The number that stands behind `TYPE`, in the one way in which servers say it.
pub(super) fn number(tail: &str) -> Option<u16> {
    let is_plain = !tail.starts_with('0') && tail.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { tail.parse().ok() } else { None }
}

/// The name of a number, if all servers know it.
pub(super) fn name(number: u16) -> Option<&'static str> {
    NAMED.iter().find(|(other, _)| *other == number).map(|(_, name)| *name)
}

/// Whether a number is one that only questions and messages have (RFC 6895, section 3.1).
pub(super) fn is_for_questions(number: u16) -> bool {
    matches!(number, 41 | 128..=255)
}

/// A type as all servers call it, in upper case.
pub fn type_name(kind: &str) -> String {
    let named = tail(kind).and_then(number).and_then(name);
    named.map_or_else(|| kind.to_ascii_uppercase(), str::to_owned)
}

/// Whether two types are one, by name or number.
pub fn is_same_type(one: &str, other: &str) -> bool {
    let known = |kind: &str| {
        let named = NAMED.iter().chain(NAMED_LATELY).find(|(_, name)| name.eq_ignore_ascii_case(kind));
        named.map(|(number, _)| *number).or_else(|| number(tail(kind)?))
    };
    one.eq_ignore_ascii_case(other) || known(one).is_some_and(|number| known(other) == Some(number))
}

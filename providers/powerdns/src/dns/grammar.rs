//! The table of record types: what the content of each consists of.

use super::field::Field::{
    self, Base64, Half, Hardware, Hex, Ipv4, Ipv6, LongText, Name, Number, OneOf, Salt, Tag, Text, Texts, Type, Types,
};

pub(super) const U8: Field = Number(u8::MAX as u32);
const U16: Field = Number(u16::MAX as u32);
const U32: Field = Number(u32::MAX);

/// A field with what it is called in messages.
pub(super) type Called = (&'static str, Field);

/// The fields of a type's content; none if the type isn't known. `SVCB`, `HTTPS`, `LOC`, `APL` and `IPSECKEY` have grammars of their own.
pub(super) fn fields(kind: &str) -> Option<&'static [Called]> {
    Some(match kind {
        "A" => &[("address", Ipv4)],
        "AAAA" => &[("address", Ipv6)],
        "NS" | "CNAME" | "DNAME" | "PTR" | "ALIAS" | "MB" | "MG" | "MR" => &[("target", Name)],
        "MX" => &[("preference", U16), ("mail server", Name)],
        "KX" => &[("preference", U16), ("exchanger", Name)],
        "RT" => &[("preference", U16), ("host", Name)],
        "AFSDB" => &[("subtype", U16), ("host", Name)],
        "LP" => &[("preference", U16), ("target", Name)],
        "SRV" => &[("priority", U16), ("weight", U16), ("port", U16), ("target", Name)],
        "RP" => &[("mailbox", Name), ("text", Name)],
        "MINFO" => &[("mailbox", Name), ("mailbox for errors", Name)],
        "TXT" | "SPF" | "RESINFO" | "WALLET" => &[("text", Texts)],
        "HINFO" => &[("processor", Text), ("system", Text)],
        "CAA" => &[("flags", U8), ("tag", Tag), ("value", LongText)],
        "URI" => &[("priority", U16), ("weight", U16), ("target", LongText)],
        "NAPTR" => &[
            ("order", U16),
            ("preference", U16),
            ("flags", Text),
            ("services", Text),
            ("regular expression", Text),
            ("replacement", Name),
        ],
        "SOA" => &[
            ("primary server", Name),
            ("mailbox", Name),
            ("serial", U32),
            ("refresh", U32),
            ("retry", U32),
            ("expire", U32),
            ("minimum", U32),
        ],
        "TLSA" | "SMIMEA" => &[("usage", U8), ("selector", U8), ("matching type", U8), ("data", Hex)],
        "SSHFP" => &[("algorithm", U8), ("fingerprint type", U8), ("fingerprint", Hex)],
        "DS" | "CDS" | "DLV" => &[("key tag", U16), ("algorithm", U8), ("digest type", U8), ("digest", Hex)],
        "DNSKEY" | "CDNSKEY" => &[("flags", U16), ("protocol", OneOf(&[3])), ("algorithm", U8), ("key", Base64)],
        "KEY" | "RKEY" => &[("flags", U16), ("protocol", U8), ("algorithm", U8), ("key", Base64)],
        "CERT" => &[("type", U16), ("key tag", U16), ("algorithm", U8), ("certificate", Base64)],
        "OPENPGPKEY" => &[("key", Base64)],
        "DHCID" | "HHIT" | "BRID" => &[("data", Base64)],
        "ZONEMD" => &[("serial", U32), ("scheme", U8), ("hash algorithm", U8), ("digest", Hex)],
        "CSYNC" => &[("serial", U32), ("flags", U16), ("types", Types)],
        "NSEC3PARAM" => &[("algorithm", U8), ("flags", U8), ("iterations", U16), ("salt", Salt)],
        "EUI48" => &[("address", Hardware(6))],
        "EUI64" => &[("address", Hardware(8))],
        "NID" => &[("preference", U16), ("node", Half)],
        "L64" => &[("preference", U16), ("locator", Half)],
        "L32" => &[("preference", U16), ("locator", Ipv4)],
        "LUA" => &[("type", Type), ("code", LongText)],
        _ => return None,
    })
}

/// How many bytes the last field must have, by the number in the field before it, where that is fixed.
pub(super) fn digest_length(kind: &str, number: &str) -> Option<usize> {
    match (kind, number) {
        ("DS" | "CDS" | "DLV", "1") | ("SSHFP", "1") => Some(20),
        ("DS" | "CDS" | "DLV", "2" | "3") | ("SSHFP", "2") | ("TLSA" | "SMIMEA", "1") => Some(32),
        ("DS" | "CDS" | "DLV", "4") | ("ZONEMD", "1") => Some(48),
        ("TLSA" | "SMIMEA", "2") | ("ZONEMD", "2") => Some(64),
        _ => None,
    }
}

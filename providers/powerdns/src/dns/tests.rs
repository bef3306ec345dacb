//! What the server takes, in its spelling, and what is refused, with the reason.

use proptest::prelude::*;

use super::*;

/// The digest of a key, in upper case.
const DIGEST: &str = "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF";

#[test]
fn contents_come_out_in_the_servers_spelling() {
    let digest = DIGEST.to_lowercase();
    for (kind, given, spelled) in [
        ("A", " 192.0.2.1 ", "192.0.2.1"),
        ("AAAA", "2001:DB8:0:0::1", "2001:db8::1"),
        ("NS", "NS1.Example.org", "ns1.example.org."),
        ("CNAME", "www.example.org.", "www.example.org."),
        ("PTR", "a\\.b.example.org", "a\\.b.example.org."),
        ("MX", "10\tmail.example.org", "10 mail.example.org."),
        ("MX", "0 .", "0 ."),
        ("SRV", "0 5 05060 sip.example.org", "0 5 5060 sip.example.org."),
        ("TXT", "v=spf1 -all", "\"v=spf1 -all\""),
        ("TXT", "say \"hi\" \\ é", "\"say \\\"hi\\\" \\\\ \\195\\169\""),
        ("TXT", "\"a b\"  \"c\"", "\"a b\" \"c\""),
        ("TXT", "\"\\065\\\"\"", "\"A\\\"\""),
        ("TXT", "\"\"", "\"\""),
        ("TXT", "\\\\server\\share", "\"\\\\\\\\server\\\\share\""),
        ("TXT", "\\d+  left", "\"\\\\d+  left\""),
        ("SPF", "\\#4", "\"\\\\#4\""),
        ("TXT", " \"v=spf1 -all\" ", "\"v=spf1 -all\""),
        ("TXT", " v=spf1 -all", "\" v=spf1 -all\""),
        ("CNAME", "\\#a.example.org", "#a.example.org."),
        ("CAA", "0 issue letsencrypt.org", "0 issue \"letsencrypt.org\""),
        ("CAA", "128 IODEF \"mailto:a@example.org\"", "128 iodef \"mailto:a@example.org\""),
        ("URI", "10 1 https://example.org/", "10 1 \"https://example.org/\""),
        ("HINFO", "PC \"Linux OS\"", "\"PC\" \"Linux OS\""),
        (
            "NAPTR",
            "100 50 s SIP+D2U \"\" _sip._udp.example.org",
            "100 50 \"s\" \"SIP+D2U\" \"\" _sip._udp.example.org.",
        ),
        (
            "SOA",
            "ns1.example.org hostmaster.example.org 1 2 3 4 5",
            "ns1.example.org. hostmaster.example.org. 1 2 3 4 5",
        ),
        ("TLSA", "3 1 1 0123456789ABCDEF 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF", &format!("3 1 1 {digest}")),
        ("DS", &format!("12345 13 2 {DIGEST}"), &format!("12345 13 2 {digest}")),
        ("SSHFP", &format!("4 2 {DIGEST}"), &format!("4 2 {digest}")),
        ("DNSKEY", "257 3 13 AQ ID", "257 3 13 AQID"),
        ("OPENPGPKEY", "mQENBFVHm5sBCAC=", "mQENBFVHm5sBCAA="),
        ("EUI48", "00:00:5E:00:53:2A", "00-00-5e-00-53-2a"),
        ("NID", "10 14:4fff:ff20:ee64", "10 0014:4FFF:FF20:EE64"),
        ("CSYNC", "66 3 a ns", "66 3 A NS"),
        ("CSYNC", "66 3", "66 3"),
        ("LOC", "51 30 12.748 N 0 7 39.611 W 0m", "51 30 12.748 N 0 7 39.611 W 0.00m 1.00m 10000.00m 10.00m"),
        ("LOC", "42 n 71 6 18 w -24 30m 12m 0", "42 0 0.000 N 71 6 18.000 W -24.00m 30.00m 10.00m 0.00m"),
        ("SVCB", "1 . port=443 ALPN=\"h2,h3\"", "1 . alpn=h2,h3 port=443"),
        ("HTTPS", "0 svc.example.org", "0 svc.example.org."),
        ("HTTPS", "1 . ipv6hint=2001:DB8::0:1", "1 . ipv6hint=2001:db8::1"),
        ("HTTPS", "1 . ipv6hint=auto ipv4hint=auto", "1 . ipv4hint=auto ipv6hint=auto"),
        ("SVCB", "1 . mandatory=port,alpn port=443 alpn=h2", "1 . mandatory=alpn,port alpn=h2 port=443"),
        (
            "SVCB",
            "1 . ohttp tls-supported-groups=029,23 dohpath=/dns-query{?dns}",
            "1 . dohpath=\"/dns-query{?dns}\" ohttp tls-supported-groups=29,23",
        ),
        ("SVCB", "1 . dohpath=\"/q{?dns}\" key65400=a", "1 . dohpath=\"/q{?dns}\" key65400=\"a\""),
        ("LUA", "a \"ifportup(443, {'192.0.2.1'})\"", "A \"ifportup(443, {'192.0.2.1'})\""),
        ("ALIAS", "x.example", "x.example."),
        ("RKEY", "0 3 13 AQ ID", "0 3 13 AQID"),
        ("IPSECKEY", "10 3 2 Gate.example.org AQ ID", "10 3 2 gate.example.org. AQID"),
        ("IPSECKEY", "10 1 02 192.0.2.1 AQID", "10 1 2 192.0.2.1 AQID"),
        ("IPSECKEY", "10 2 1 2001:DB8::0:1 AQID", "10 2 1 2001:db8::1 AQID"),
        ("IPSECKEY", "10 0 1 . AQID", "10 0 1 AQID"),
        ("IPSECKEY", "10 0 1 AQID", "10 0 1 AQID"),
        ("IPSECKEY", "10 0 0 .", "10 0 0"),
        ("APL", "1:192.0.2.1/24  !2:2001:DB8::/032", "1:192.0.2.0/24 !2:2001:db8::/32"),
        ("APL", "1:0.0.0.0/0 1:192.0.2.1/32", "1:0.0.0.0/0 1:192.0.2.1/32"),
        ("HHIT", "AQ ID", "AQID"),
        ("RESINFO", "qnamemin exterr=15-17", "\"qnamemin\" \"exterr=15-17\""),
        ("TYPE65534", "\\# 4 0A00 0001", "\\# 4 0a000001"),
        ("NEWTYPE", " anything  \"at all\" ", "anything \"at all\""),
    ] {
        assert_eq!(canonical(kind, given).as_deref(), Ok(spelled), "{kind} {given}");
    }
}

#[test]
fn what_is_wrong_says_where_and_not_what() {
    for (kind, given, reason) in [
        ("A", "192.0.2.256", "the address must be an IPv4 address, such as 192.0.2.1"),
        ("A", "192.0.2.01", "the address must be an IPv4 address, such as 192.0.2.1"),
        ("A", "192.0.2.1 192.0.2.2", "it must consist of: address"),
        ("A", "", "it is empty"),
        ("A", "1\n2", "it has line breaks or other control characters"),
        ("AAAA", "192.0.2.1", "the address must be an IPv6 address, such as 2001:db8::1"),
        ("CNAME", "192.0.2.1", "the target is wrong: it is an address, and must be a name"),
        ("CNAME", "www", "the target is wrong: write it in full, such as mail.example.org"),
        ("CNAME", "a..b", "the target is wrong: it starts with a dot or has two in a row"),
        (
            "CNAME",
            "münchen.example",
            "the target is wrong: international names are written in their ASCII form, which starts with xn--",
        ),
        ("MX", "mail.example.org", "the preference must be a number from 0 to 65535"),
        ("MX", "65536 mail.example.org", "the preference must be a number from 0 to 65535"),
        ("MX", "10", "it must consist of: preference, mail server"),
        ("TXT", "\"open", "a quotation mark isn't closed"),
        ("TXT", "\"a\"b", "there is no space after a quoted string"),
        ("TXT", "\"\\999\"", "a backslash is followed by three digits up to 255, or by one character"),
        ("CAA", "0 is-sue x", "the tag must be a word of letters and digits"),
        ("DS", "1 13 2 ab", "the digest must have 64 hexadecimal digits"),
        ("DS", "1 13 2 abc", "the digest must be pairs of hexadecimal digits"),
        ("DNSKEY", "257 2 13 AQID", "the protocol must be one of 3"),
        ("DNSKEY", "257 3 13 !", "the key must be base64"),
        (
            "SOA",
            "ns1.example.org admin@example.org 1 2 3 4 5",
            "the mailbox is wrong: it has spaces or other characters that must be escaped",
        ),
        ("IPSECKEY", "10 3 2", "it must consist of: precedence, gateway type, algorithm, gateway, key"),
        ("IPSECKEY", "10 4 2 . AQID", "the gateway type must be one of 0, 1, 2, 3"),
        ("IPSECKEY", "10 1 2 gate.example.org AQID", "the gateway must be an IPv4 address, such as 192.0.2.1"),
        ("IPSECKEY", "10 0 0 . AQID", "it must consist of: precedence, gateway type, algorithm"),
        ("APL", "1:192.0.2.0", "it must consist of networks, such as 1:192.0.2.0/24 or !2:2001:db8::/32"),
        ("APL", "1:192.0.2.0/33", "it must consist of networks, such as 1:192.0.2.0/24 or !2:2001:db8::/32"),
        ("LOC", "91 N 0 E 0", "the latitude must be such as 51 30 12.748 N"),
        ("LOC", "1 N 2 E", "the altitude is missing, such as 10m"),
        ("SVCB", "0 a.example alpn=h2", "with priority 0 it is an alias, which has no parameters"),
        ("SVCB", "1 . port=x", "port must be a number from 0 to 65535"),
        ("SVCB", "1 . port=1 port=2", "a parameter is given twice"),
        ("SVCB", "1 . key7=/a dohpath=/b", "a parameter is given twice"),
        ("SVCB", "1 . ipv4hint=auto,192.0.2.1", "ipv4hint must be IPv4 addresses with commas between, or auto"),
        ("HTTPS", "1 . ohttp=1", "ohttp has no value"),
        ("HTTPS", "1 . dohpath=", "dohpath must be a path, such as /dns-query{?dns}"),
        (
            "HTTPS",
            "1 . tls-supported-groups=x25519",
            "tls-supported-groups must be numbers from 0 to 65535 with commas between",
        ),
        (
            "HTTPS",
            "1 . doh=/",
            "a parameter must be one of mandatory, alpn, no-default-alpn, port, ipv4hint, ech, ipv6hint, dohpath, ohttp, tls-supported-groups, or key and its number",
        ),
        ("A", "\\# 4 0A000001", "\\# begins the form for types without a name, in which the server takes no others"),
        ("TXT", "\\# 2 0161", "\\# begins the form for types without a name, in which the server takes no others"),
        ("LOC", " \\#", "\\# begins the form for types without a name, in which the server takes no others"),
        ("TYPE65534", "\\#4 0A000001", "after \\# come the number of bytes and so many pairs of hexadecimal digits"),
        ("TYPE65534", "\\# 3 0A000001", "after \\# come the number of bytes and so many pairs of hexadecimal digits"),
    ] {
        assert_eq!(canonical(kind, given), Err(reason.to_owned()), "{kind} {given}");
    }
}

#[test]
fn types_that_the_server_makes_are_refused() {
    for kind in ["A", "TXT", "TYPE65534", "NSAP-PTR", "NEWTYPE"] {
        assert_eq!(refusal(kind), None, "{kind}");
    }
    for kind in ["RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "ANY", "AXFR", "", "1A", "A B"] {
        assert!(refusal(kind).is_some(), "{kind}");
    }
}

#[test]
fn a_type_with_a_name_is_called_by_it() {
    let named = |name: &str| format!("has a name, by which the server knows it: write {name}");
    let wrong = "must be TYPE and a number from 1 to 65535, without zeros before it".to_owned();
    let question = "is for questions, not for records".to_owned();
    for (kind, reason) in [
        ("TYPE257", named("CAA")),
        ("TYPE2", named("NS")),
        ("TYPE6", named("SOA")),
        ("TYPE46", named("RRSIG")),
        ("TYPE65402", named("LUA")),
        ("TYPE41", question.clone()),
        ("TYPE250", question.clone()),
        ("TYPE255", question),
        ("TYPE0257", wrong.clone()),
        ("TYPE0", wrong.clone()),
        ("TYPE65536", wrong.clone()),
        ("TYPE65793", wrong.clone()),
        ("TYPE-1", wrong.clone()),
        ("TYPE257X", wrong.clone()),
        ("TYPE", wrong),
    ] {
        assert_eq!(refusal(kind).as_deref(), Some(reason.as_str()), "{kind}");
    }
    // Some servers have a name for the last one, and others none.
    for kind in ["TYPE3", "TYPE260", "TYPE65534", "TYPE65535", "TYPE262"] {
        assert_eq!(refusal(kind), None, "{kind}");
        assert_eq!(type_name(kind), kind);
    }
    assert_eq!((type_name("type257").as_str(), type_name("caa").as_str()), ("CAA", "CAA"));
    for (one, other, same) in [
        ("TYPE257", "caa", true),
        ("type262", "WALLET", true),
        ("TYPE65534", "type65534", true),
        ("NEWTYPE", "newtype", true),
        ("TYPE257", "TYPE256", false),
        ("TYPE0257", "CAA", false),
        ("NEWTYPE", "OTHER", false),
    ] {
        assert_eq!(is_same_type(one, other), same, "{one} {other}");
    }
}

#[test]
fn only_the_serial_of_a_zone_changes_by_itself() {
    let soa = |serial: u32| format!("ns1.example.org. hostmaster.example.org. {serial} 2 3 4 5");
    let is_settled = |kind, one: &str, other: &str| settled_key(kind, one) == settled_key(kind, other);
    assert!(is_settled("SOA", &soa(1), &soa(2_026_112_101)));
    assert!(!is_same("SOA", &soa(1), &soa(2)));
    assert!(!is_settled("SOA", &soa(1), "ns2.example.org. hostmaster.example.org. 1 2 3 4 5"));
    assert!(!is_settled("SOA", "\\# 1 00", "\\# 1 01"));
    assert!(is_settled("MX", "10 Mail.example.org", "10 mail.example.org."));
    assert!(!is_settled("SRV", "0 0 80 a.example.", "0 0 81 a.example."));
}

#[test]
fn a_spelling_that_loses_escapes_is_another_text() {
    for (given, spelled, keeps) in [
        ("\"a\\\"b\"", "\"a\" \"b\" \"\"", false),
        ("\"a\\\\b\"", "\"ab\"", false),
        ("\"a\\\\b\"", "\"a\\092b\"", true),
        ("\"a b\"", "\"a \" \"b\"", true),
        ("0 issue \"CA.example\"", "0 issue \"ca.example\"", true),
        ("b", "B", true),
        ("51 30 12.748 N 0 7 39.611 W 0m", "51 30 12.748 N 0 7 39.611 W 0.00m 1.00m 10000.00m 10.00m", true),
        ("\"a\"", "\"a", false),
    ] {
        assert_eq!(keeps_strings(given, spelled), keeps, "{given} {spelled}");
    }
}

#[test]
fn serials_never_go_back() {
    let soa = |serial: u32| format!("ns1.example.org. hostmaster.example.org. {serial} 2 3 4 5");
    for (given, there, sent) in [
        (1, 2_026_112_405, 2_026_112_405),
        (2_026_112_406, 2_026_112_405, 2_026_112_406),
        (7, 7, 7),
        (5, u32::MAX, 5),
        (u32::MAX, 5, 5),
    ] {
        assert_eq!(not_older(&soa(given), &soa(there)), soa(sent), "{given} after {there}");
    }
    assert_eq!(not_older("\\# 1 00", &soa(1)), "\\# 1 00");
}

#[test]
fn names_in_a_zone_may_be_short() {
    let zone = Name::parse("Example.org").unwrap();
    for (given, full) in [
        ("@", "example.org."),
        ("www", "www.example.org."),
        ("www.example.org", "www.example.org."),
        ("WWW.Example.ORG.", "www.example.org."),
        ("a.b", "a.b.example.org."),
        ("*", "*.example.org."),
        ("notexample.org", "notexample.org.example.org."),
        ("a\\\\.example.org", "a\\\\.example.org."),
        ("a\\\\\\.example.org", "a\\\\\\.example.org.example.org."),
    ] {
        assert_eq!(Name::in_zone(given, &zone).map(|name| name.to_string()).as_deref(), Ok(full), "{given}");
    }
    assert_eq!(Name::in_zone("www.example.com.", &zone), Err(NameError::OutOfZone));
    assert_eq!(Name::in_zone("a\\.example.org.", &zone), Err(NameError::OutOfZone));
    let root = Name::parse(".").unwrap();
    assert_eq!(Name::in_zone("org", &root).unwrap().as_str(), "org.");
}

#[test]
fn names_have_bounds() {
    let label = "a".repeat(63);
    assert!(Name::parse(&label).is_ok());
    assert_eq!(Name::parse(&format!("{label}a")), Err(NameError::LongLabel));
    let longest = [label.as_str(), &label, &label, &"a".repeat(61)].join(".");
    assert!(Name::parse(&longest).is_ok());
    assert_eq!(Name::parse(&format!("{longest}a")), Err(NameError::Long));
    assert_eq!(Name::parse(""), Err(NameError::Empty));
    assert_eq!(Name::parse("a\\"), Err(NameError::Escape));
    assert_eq!(Name::parse("a\\256"), Err(NameError::Escape));
    assert_eq!(Name::parse("a b"), Err(NameError::Character));
}

/// The types with a grammar of their own.
const KINDS: &[&str] = &[
    "A",
    "AAAA",
    "AFSDB",
    "ALIAS",
    "APL",
    "CAA",
    "CERT",
    "CNAME",
    "CSYNC",
    "DHCID",
    "DNSKEY",
    "DS",
    "EUI48",
    "EUI64",
    "HINFO",
    "HTTPS",
    "IPSECKEY",
    "KX",
    "L32",
    "L64",
    "LOC",
    "LP",
    "LUA",
    "MINFO",
    "MX",
    "NAPTR",
    "NID",
    "NS",
    "OPENPGPKEY",
    "PTR",
    "RESINFO",
    "RKEY",
    "RP",
    "SMIMEA",
    "SOA",
    "SPF",
    "SRV",
    "SSHFP",
    "SVCB",
    "TLSA",
    "TXT",
    "URI",
    "ZONEMD",
    "NEWTYPE",
];

/// Words as they stand in contents, and some that don't.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,5}",
        "[a-z]{1,8}(\\.[a-z]{1,8}){0,3}\\.?",
        "[0-9A-Fa-f]{2,40}",
        "\"[ -~]{0,20}\"",
        "(alpn|port|ipv4hint|dohpath|tls-supported-groups|mandatory|key65400)=[a-z0-9,.]{1,8}",
        "[ -~]{1,12}",
        Just("192.0.2.1".to_owned()),
        Just("N".to_owned()),
        Just("E".to_owned()),
    ]
}

proptest! {
    #[test]
    fn the_servers_spelling_is_its_own(kind in prop::sample::select(KINDS), words in prop::collection::vec(word(), 0..8)) {
        let given = words.join(" ");
        if let Ok(spelled) = canonical(kind, &given) {
            prop_assert_eq!(canonical(kind, &spelled), Ok(spelled.clone()), "{} {}", kind, given);
            prop_assert!(is_same(kind, &given, &spelled));
        }
    }

    #[test]
    fn nothing_breaks_it(kind in "[A-Z]{1,6}", given in "\\PC{0,64}") {
        let _ = canonical(&kind, &given);
        let _ = Name::parse(&given);
    }

    #[test]
    fn texts_keep_each_byte(given in "[^\"]\\PC{0,600}|\\\\{1,3}[ -~]{0,20}") {
        let first = given.split_ascii_whitespace().next();
        prop_assume!(!given.trim().is_empty() && first != Some("\\#") && !given.trim_start().starts_with('"'));
        let spelled = canonical("TXT", &given).unwrap();
        let words = text::words(&spelled).unwrap();
        let strings: Vec<Vec<u8>> = words.iter().map(|word| word.string().unwrap()).collect();
        prop_assert!(strings.iter().all(|string| string.len() <= 255));
        prop_assert_eq!(strings.concat(), given.into_bytes());
    }

    #[test]
    fn names_have_one_spelling(given in "[A-Za-z0-9*_/\\\\.-]{1,40}") {
        if let Ok(name) = Name::parse(&given) {
            prop_assert_eq!(Name::parse(name.as_str()), Ok(name.clone()));
            prop_assert_eq!(Name::parse(&given.to_uppercase()), Ok(name));
        }
    }
}

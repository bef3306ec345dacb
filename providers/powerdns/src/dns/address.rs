//! Addresses that aren't of IP.

/// `00-00-5e-00-53-2a` and the like: so many pairs of hexadecimal digits with dashes between.
pub(super) fn hardware(text: &str, pairs: usize) -> Option<String> {
    let parts: Vec<&str> = text.split(['-', ':']).collect();
    let fits = |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    (parts.len() == pairs && parts.iter().all(fits)).then(|| parts.join("-").to_ascii_lowercase())
}

/// `0014:4FFF:FF20:EE64`: four groups of up to four hexadecimal digits, the last half of an IPv6 address.
pub(super) fn half(text: &str) -> Option<String> {
    let groups: Vec<u16> = text
        .split(':')
        .map(|group| (group.len() <= 4).then(|| u16::from_str_radix(group, 16).ok()).flatten())
        .collect::<Option<_>>()?;
    let spelled: Vec<String> = groups.iter().map(|group| format!("{group:04X}")).collect();
    (groups.len() == 4).then(|| spelled.join(":"))
}

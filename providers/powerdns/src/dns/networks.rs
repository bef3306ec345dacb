//! `APL`: which networks something is about, and which it isn't.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::field::number;
use super::text::Word;

/// The server's spelling: networks in the order in which they are given, without the bits that belong to hosts.
pub(super) fn spell(words: &[Word]) -> Result<String, String> {
    let spelled: Option<Vec<String>> = words.iter().map(|word| network(word.bare()?)).collect();
    let spelled = spelled.ok_or("it must consist of networks, such as 1:192.0.2.0/24 or !2:2001:db8::/32")?;
    Ok(spelled.join(" "))
}

/// A network: perhaps an exclamation mark, the number of the address family, an address, and how many bits of it count.
fn network(text: &str) -> Option<String> {
    let (sign, text) = text.strip_prefix('!').map_or(("", text), |rest| ("!", rest));
    let (family, text) = text.split_once(':')?;
    let (address, length) = text.split_once('/')?;
    let length = number(length)?;
    match family {
        "1" => {
            let hosts = u32::MAX.checked_shr(length).unwrap_or_default();
            let network = Ipv4Addr::from_bits(address.parse::<Ipv4Addr>().ok()?.to_bits() & !hosts);
            (length <= u32::BITS).then(|| format!("{sign}1:{network}/{length}"))
        }
        "2" => {
            let hosts = u128::MAX.checked_shr(length).unwrap_or_default();
            let network = Ipv6Addr::from_bits(address.parse::<Ipv6Addr>().ok()?.to_bits() & !hosts);
            (length <= u128::BITS).then(|| format!("{sign}2:{network}/{length}"))
        }
        _ => None,
    }
}

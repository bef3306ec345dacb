//! Which addresses are more than somebody's public server.
//!
//! A name is only what its owner's resolver says: a granted name may turn out to be this machine, a neighbour, or the
//! service that hands out a cloud's credentials. So each address is judged by what it reaches, whatever the name was.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// What an address reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// A public server.
    Public,
    /// This machine.
    Loopback,
    /// A private network: RFC 1918, shared address space, unique local.
    Private,
    /// This link.
    LinkLocal,
    /// Nothing that is in use: documentation, benchmarks, reserved.
    Reserved,
    /// Many, or none: multicast, broadcast, unspecified.
    NoHost,
    /// What hands out the credentials of the machine. Never granted.
    Metadata,
}

/// Where clouds and container platforms hand out credentials or answer for the machine.
const METADATA: [IpAddr; 16] = [
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 253)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 252)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 2)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 23)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 42, 42)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 0, 23)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe)),
    IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe)),
];

impl Reached {
    /// What an address reaches. An IPv6 address that carries an IPv4 one reaches what that one does.
    pub fn by(address: IpAddr) -> Self {
        if METADATA.contains(&address) {
            return Self::Metadata;
        }
        match address {
            IpAddr::V4(address) => by_four(address),
            IpAddr::V6(address) => match carried(address) {
                Some(carried) => Self::by(IpAddr::V4(carried)),
                None => by_six(address),
            },
        }
    }

    /// Whether no grant makes it reachable.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self, Self::Metadata | Self::NoHost)
    }
}

/// As it reads after "is".
impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Public => "a public address",
            Self::Loopback => "this machine (loopback)",
            Self::Private => "a private address",
            Self::LinkLocal => "a link-local address",
            Self::Reserved => "a reserved address",
            Self::NoHost => "no host's address",
            Self::Metadata => "where the machine's own credentials are handed out",
        })
    }
}

fn by_four(address: Ipv4Addr) -> Reached {
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        (0, ..) | (224..=239, ..) | (255, 255, 255) => Reached::NoHost,
        (127, ..) => Reached::Loopback,
        (10, ..) | (172, 16..=31, _) | (192, 168, _) | (100, 64..=127, _) => Reached::Private,
        (169, 254, _) => Reached::LinkLocal,
        (192, 0, 0 | 2) | (192, 88, 99) | (198, 18..=19, _) | (198, 51, 100) | (203, 0, 113) | (240.., ..) => {
            Reached::Reserved
        }
        _ => Reached::Public,
    }
}

fn by_six(address: Ipv6Addr) -> Reached {
    let [first, second, ..] = address.segments();
    match first {
        _ if address.is_loopback() => Reached::Loopback,
        _ if address.is_unspecified() => Reached::NoHost,
        0xff00.. => Reached::NoHost,
        0xfc00..=0xfdff | 0xfec0..=0xfeff => Reached::Private,
        0xfe80..=0xfebf => Reached::LinkLocal,
        0x2001 if second == 0xdb8 || second < 0x200 => Reached::Reserved,
        0x2000..=0x3ffe => Reached::Public,
        _ => Reached::Reserved,
    }
}

/// The IPv4 address that a gateway or this machine makes of an IPv6 one: mapped, compatible, NAT64, 6to4. In the prefix for
/// translation within a site (64:ff9b:1::/48) it may stand in several places, so all of that is reserved.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let four = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] | [0, 0, 0, 0, 0xffff, 0] => Some(four(g, h)),
        [0, 0, 0, 0, 0, 0] if g != 0 => Some(four(g, h)),
        [0x2002, ..] => Some(four(b, c)),
        _ => None,
    }
}

/// Addresses that a grant adds to the public ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressRange {
    /// All of a kind: `loopback`, `private`, `link-local`.
    Kind(Reached),
    /// A network, such as `10.1.0.0/16`, or one address.
    Network(IpNet),
}

impl AddressRange {
    /// Whether an address lies in it.
    pub fn contains(&self, address: IpAddr) -> bool {
        match self {
            Self::Kind(kind) => Reached::by(address) == *kind,
            Self::Network(network) => network.contains(&address.to_canonical()),
        }
    }
}

impl std::str::FromStr for AddressRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "loopback" => return Ok(Self::Kind(Reached::Loopback)),
            "private" => return Ok(Self::Kind(Reached::Private)),
            "link-local" => return Ok(Self::Kind(Reached::LinkLocal)),
            _ => {}
        }
        let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        network.map(Self::Network).map_err(|_| {
            format!(
                "`{text}` is no range of addresses: write loopback, private, link-local, or a network like 10.1.0.0/16"
            )
        })
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(Reached::Loopback) => f.write_str("loopback"),
            Self::Kind(Reached::LinkLocal) => f.write_str("link-local"),
            Self::Kind(_) => f.write_str("private"),
            Self::Network(network) if network.prefix_len() == network.max_prefix_len() => network.addr().fmt(f),
            Self::Network(network) => network.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for AddressRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Serialize for AddressRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_judged_by_what_it_reaches() {
        use Reached::{LinkLocal, Loopback, Metadata, NoHost, Private, Public, Reserved};
        for (address, reached) in [
            ("93.184.216.34", Public),
            ("2606:2800:220:1::1", Public),
            ("127.0.0.1", Loopback),
            ("127.255.255.254", Loopback),
            ("::1", Loopback),
            ("::ffff:127.0.0.1", Loopback),
            ("::127.0.0.1", Loopback),
            ("64:ff9b::7f00:1", Loopback),
            ("64:ff9b:1::7f00:1", Reserved),
            ("64:ff9b:1:a00:0:100::", Reserved),
            ("2002:7f00:1::", Loopback),
            ("10.0.0.1", Private),
            ("172.16.0.1", Private),
            ("172.31.255.255", Private),
            ("172.32.0.1", Public),
            ("192.168.1.1", Private),
            ("100.64.0.1", Private),
            ("100.128.0.1", Public),
            ("fd12::1", Private),
            ("fec0::1", Private),
            ("::ffff:10.0.0.1", Private),
            ("169.254.1.1", LinkLocal),
            ("fe80::1", LinkLocal),
            ("0.0.0.0", NoHost),
            ("0.1.2.3", NoHost),
            ("::", NoHost),
            ("224.0.0.1", NoHost),
            ("255.255.255.255", NoHost),
            ("ff02::1", NoHost),
            ("240.0.0.1", Reserved),
            ("192.0.2.1", Reserved),
            ("198.18.0.1", Reserved),
            ("2001:db8::1", Reserved),
            ("2001::1", Reserved),
            ("2001:1ff:ffff::1", Reserved),
            ("2001:200::1", Public),
            ("2001:4860:4860::8888", Public),
            ("1fff::1", Reserved),
            ("3ffe::1", Public),
            ("3fff::1", Reserved),
            ("fbff::1", Reserved),
            ("fdff:ffff::1", Private),
            ("fe7f::1", Reserved),
            ("febf::1", LinkLocal),
            ("feff::1", Private),
            ("::ffff:0:7f00:1", Loopback),
            ("::2", Reserved),
            ("9.255.255.255", Public),
            ("11.0.0.1", Public),
            ("100.63.255.255", Public),
            ("100.127.255.255", Private),
            ("126.255.255.255", Public),
            ("128.0.0.1", Public),
            ("169.253.255.255", Public),
            ("172.15.255.255", Public),
            ("192.0.0.1", Reserved),
            ("192.0.1.1", Public),
            ("192.88.99.1", Reserved),
            ("192.169.0.1", Public),
            ("198.17.255.255", Public),
            ("198.19.255.255", Reserved),
            ("198.20.0.1", Public),
            ("198.51.100.1", Reserved),
            ("203.0.113.1", Reserved),
            ("223.255.255.255", Public),
            ("239.255.255.255", NoHost),
            ("255.255.254.1", Reserved),
            ("169.254.169.253", Metadata),
            ("169.254.169.252", Metadata),
            ("169.254.42.42", Metadata),
            ("::ffff:169.254.42.42", Metadata),
            ("fd00:42::42", Metadata),
            ("169.254.0.23", Metadata),
            ("fd00:c1::a9fe:a9fe", Metadata),
            ("fe80::a9fe:a9fe", Metadata),
            ("169.254.170.23", Metadata),
            ("192.0.0.192", Metadata),
            ("fd00:ec2::23", Metadata),
            ("169.254.169.254", Metadata),
            ("::ffff:169.254.169.254", Metadata),
            ("64:ff9b::a9fe:a9fe", Metadata),
            ("169.254.170.2", Metadata),
            ("fd00:ec2::254", Metadata),
            ("fd20:ce::254", Metadata),
            ("100.100.100.200", Metadata),
            ("168.63.129.16", Metadata),
        ] {
            assert_eq!(Reached::by(address.parse().unwrap()), reached, "{address}");
        }
    }

    #[test]
    fn ranges_are_kinds_and_networks() {
        let holds =
            |range: &str, address: &str| range.parse::<AddressRange>().unwrap().contains(address.parse().unwrap());
        assert!(holds("private", "10.1.2.3") && !holds("private", "127.0.0.1") && !holds("private", "8.8.8.8"));
        assert!(holds("10.1.0.0/16", "10.1.2.3") && !holds("10.1.0.0/16", "10.2.0.1"));
        assert!(holds("10.1.2.3", "::ffff:10.1.2.3") && !holds("10.1.2.3", "10.1.2.4"));
        assert!(holds("link-local", "fe80::5"));
        for range in ["loopback", "private", "link-local", "10.1.0.0/16", "fd00::/8"] {
            assert_eq!(range.parse::<AddressRange>().unwrap().to_string(), range);
        }
        assert!("metadata".parse::<AddressRange>().unwrap_err().starts_with("`metadata` is no range of addresses"));
    }
}

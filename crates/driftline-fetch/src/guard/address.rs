//! Is an address inside? Blocks of the registries of special addresses (IANA, RFC 6890 and those after it), and those
//! that clouds use for what only the machine itself shall know.
//!
//! For the old internet the blocks that are inside are named; for the new one, only what is handed out to the world
//! (`2000::/3`) is outside, less the blocks in it that are special.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Blocks of IPv4: the first address, how many bits they share, and what they are.
const V4: [(Ipv4Addr, u32, &str); 19] = [
    (Ipv4Addr::UNSPECIFIED, 8, "an address of this network"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private address"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "an address behind a carrier's NAT"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "a loopback address"),
    (Ipv4Addr::new(168, 63, 129, 16), 32, METADATA),
    (Ipv4Addr::new(169, 254, 169, 254), 32, METADATA),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "a link-local address"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private address"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "an address for protocols"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, DOCUMENTATION),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a relay of 6to4"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "a private address"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "an address for benchmarks"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, DOCUMENTATION),
    (Ipv4Addr::new(203, 0, 113, 0), 24, DOCUMENTATION),
    (Ipv4Addr::new(224, 0, 0, 0), 4, MULTICAST),
    (Ipv4Addr::BROADCAST, 32, "the broadcast address"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "a reserved address"),
    (Ipv4Addr::new(100, 100, 100, 200), 32, METADATA),
];

/// Blocks of IPv6 that are inside; what is not in `2000::/3` is inside as well.
const V6: [(Ipv6Addr, u32, &str); 19] = [
    (Ipv6Addr::UNSPECIFIED, 128, "the unspecified address"),
    (Ipv6Addr::LOCALHOST, 128, "a loopback address"),
    (v6([0, 0, 0, 0, 0, 0xffff, 0, 0]), 96, "an IPv4 address in an IPv6 one"),
    (v6([0, 0, 0, 0, 0, 0, 0, 0]), 96, "an IPv4 address in an IPv6 one"),
    (v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0]), 96, NAT64),
    (v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0]), 48, NAT64),
    (v6([0x100, 0, 0, 0, 0, 0, 0, 0]), 64, "an address that leads nowhere"),
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0]), 32, "an address of Teredo"),
    (v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0]), 32, DOCUMENTATION),
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0]), 23, "an address for protocols"),
    (v6([0x2002, 0, 0, 0, 0, 0, 0, 0]), 16, "an address of 6to4"),
    (v6([0x3fff, 0, 0, 0, 0, 0, 0, 0]), 20, DOCUMENTATION),
    (v6([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254]), 128, METADATA),
    (v6([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254]), 128, METADATA),
    (v6([0xfc00, 0, 0, 0, 0, 0, 0, 0]), 7, "a private address"),
    (v6([0xfe80, 0, 0, 0, 0, 0, 0, 0]), 10, "a link-local address"),
    (v6([0xfec0, 0, 0, 0, 0, 0, 0, 0]), 10, "a site-local address"),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0]), 8, MULTICAST),
    (v6([0x5f00, 0, 0, 0, 0, 0, 0, 0]), 16, "an address of segment routing"),
];

const METADATA: &str = "where a cloud keeps the keys of its machines";
const DOCUMENTATION: &str = "an address for documentation";
const MULTICAST: &str = "a multicast address";
const NAT64: &str = "an IPv4 address behind NAT64";

/// What is handed out to the world.
const WORLD: (Ipv6Addr, u32) = (v6([0x2000, 0, 0, 0, 0, 0, 0, 0]), 3);

/// Gateways between the two internets that keep the older address in the last bits.
const GATEWAYS: [(Ipv6Addr, u32); 3] = [
    (v6([0, 0, 0, 0, 0, 0xffff, 0, 0]), 96),
    (v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0]), 96),
    (v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0]), 96),
];

const fn v6(s: [u16; 8]) -> Ipv6Addr {
    Ipv6Addr::new(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
}

/// What kind of inside an address is, if it is.
pub(super) fn inside(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => {
            narrowest(&V4, |(block, bits, _)| shares_v4(address, *block, *bits), |row| row.1).map(|(_, _, what)| *what)
        }
        IpAddr::V6(address) => {
            let known = narrowest(&V6, |(block, bits, _)| shares_v6(address, *block, *bits), |row| row.1);
            let elsewhere = (!shares_v6(address, WORLD.0, WORLD.1)).then_some("a reserved address");
            known.map(|(_, _, what)| *what).or(elsewhere)
        }
    }
}

/// The older address in a newer one, if a gateway would go on to it.
pub(super) fn embedded(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(address) = address else { return None };
    let is_gateway = GATEWAYS.iter().any(|(block, bits)| shares_v6(address, *block, *bits));
    is_gateway.then(|| Ipv4Addr::from_bits(address.to_bits() as u32))
}

/// Is an address in a block: do their first bits agree?
pub(super) fn shares(address: IpAddr, block: IpAddr, bits: u32) -> bool {
    match (address, block) {
        (IpAddr::V4(address), IpAddr::V4(block)) => shares_v4(address, block, bits),
        (IpAddr::V6(address), IpAddr::V6(block)) => shares_v6(address, block, bits),
        _ => false,
    }
}

fn shares_v4(address: Ipv4Addr, block: Ipv4Addr, bits: u32) -> bool {
    (address.to_bits() ^ block.to_bits()).leading_zeros() >= bits
}

fn shares_v6(address: Ipv6Addr, block: Ipv6Addr, bits: u32) -> bool {
    (address.to_bits() ^ block.to_bits()).leading_zeros() >= bits
}

/// The row that says most about an address.
fn narrowest<T>(rows: &[T], is_in: impl Fn(&T) -> bool, bits: impl Fn(&T) -> u32) -> Option<&T> {
    rows.iter().filter(|row| is_in(row)).max_by_key(|row| bits(row))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::{embedded, inside};

    fn told(address: &str) -> Option<&'static str> {
        inside(address.parse().unwrap())
    }

    #[test]
    fn every_block_is_known_from_its_first_address_to_its_last() {
        for (first, last) in [
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("224.0.0.0", "239.255.255.255"),
            ("240.0.0.0", "255.255.255.255"),
            ("::", "::ffff:ffff"),
            ("::ffff:0.0.0.0", "::ffff:255.255.255.255"),
            ("64:ff9b::", "64:ff9b::ffff:ffff"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ] {
            assert!(told(first).is_some() && told(last).is_some(), "{first} to {last}");
        }
    }

    #[test]
    fn the_neighbours_of_blocks_are_outside() {
        for address in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:db9::",
            "2003::",
            "2606:4700::1111",
            "3ffe::1",
        ] {
            assert_eq!(told(address), None, "{address}");
        }
    }

    #[test]
    fn the_narrowest_block_gives_its_name() {
        for address in ["169.254.169.254", "100.100.100.200", "168.63.129.16", "fd00:ec2::254"] {
            assert!(told(address).unwrap().contains("cloud"), "{address}");
        }
        assert_eq!(told("255.255.255.255"), Some("the broadcast address"));
        assert_eq!(told("2001::1"), Some("an address of Teredo"));
    }

    #[test]
    fn gateways_keep_the_older_address() {
        let of = |address: &str| embedded(address.parse::<IpAddr>().unwrap()).map(|address| address.to_string());
        assert_eq!(of("64:ff9b::7f00:1").as_deref(), Some("127.0.0.1"));
        assert_eq!(of("::ffff:10.0.0.1").as_deref(), Some("10.0.0.1"));
        assert_eq!(of("2606:4700::1111"), None);
    }
}

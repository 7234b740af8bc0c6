//! Whatever an address looks like, what it leads to is judged.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::guard;

/// An address of the old internet in all the ways that browsers read.
fn spelling(address: Ipv4Addr, way: u8) -> String {
    let [a, b, c, d] = address.octets();
    let last = (u32::from(c) << 8) | u32::from(d);
    match way % 8 {
        0 => address.to_string(),
        1 => address.to_bits().to_string(),
        2 => format!("{:#x}", address.to_bits()),
        3 => format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        4 => format!("{a}.{b}.{last}"),
        5 => format!("{a:#X}.{b}.{last:#x}"),
        6 => format!("{a}.{}", (u32::from(b) << 16) | last),
        _ => format!("{address}."),
    }
}

fn inside_v4() -> impl Strategy<Value = Ipv4Addr> {
    let blocks = [
        (0u32, 8),
        (0x0a00_0000, 8),
        (0x6440_0000, 10),
        (0x7f00_0000, 8),
        (0xa9fe_0000, 16),
        (0xac10_0000, 12),
        (0xc000_0000, 24),
        (0xc0a8_0000, 16),
        (0xc612_0000, 15),
        (0xe000_0000, 4),
        (0xf000_0000, 4),
    ];
    (prop::sample::select(blocks.to_vec()), any::<u32>())
        .prop_map(|((block, bits), low)| Ipv4Addr::from_bits(block | (low & (u32::MAX >> bits))))
}

proptest! {
    #[test]
    fn no_spelling_of_an_inside_address_is_let_through(address in inside_v4(), way: u8, port in 1024u16..) {
        let url = format!("http://{}:{port}/", spelling(address, way));
        prop_assert!(guard().check_url(&url).is_err(), "{}", url);
    }

    #[test]
    fn no_address_that_holds_an_inside_one_is_let_through(address in inside_v4(), way in 0..5u8) {
        let [a, b, c, d] = address.octets();
        let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        let wrapped = match way {
            0 => address.to_ipv6_mapped(),
            1 => Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
            2 => Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
            3 => Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
            _ => Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, high, low),
        };
        prop_assert!(guard().check_url(&format!("http://[{wrapped}]/")).is_err(), "{}", wrapped);
    }

    #[test]
    fn only_the_worlds_part_of_the_new_internet_is_let_through(bits: u128) {
        let address = Ipv6Addr::from_bits(bits);
        let is_ok = guard().check_url(&format!("http://[{address}]/")).is_ok();
        prop_assert!(!is_ok || bits >> 125 == 1, "{}", address);
    }

    #[test]
    fn whatever_is_let_through_is_of_the_web_and_outside(text in "\\PC{0,40}", scheme in "(http|https|file|source|ftp)?:?/{0,3}") {
        if let Ok(url) = guard().check_url(&format!("{scheme}{text}")) {
            prop_assert!(matches!(url.scheme(), "http" | "https"));
            if let Some(Ok(IpAddr::V4(address))) = url.host_str().map(str::parse) {
                prop_assert!(!address.is_private() && !address.is_loopback() && !address.is_unspecified(), "{}", url);
            }
        }
    }
}

//! The client of a connection or of a request: its address, or its network for IPv6, where an address costs nothing.
//!
//! Behind a proxy every connection comes from the proxy. If the operator trusts it (`trusted-proxies`), the client is the
//! last address in `X-Forwarded-For` that no trusted proxy has: whatever stands before it, the client may have written.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::HeaderMap;
use driftline_watch::settings::Network;

/// A client: an address of IPv4, or a /64 of IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

/// What proxies append the address of their client to.
const FORWARDED: &str = "x-forwarded-for";

impl Client {
    /// The client with an address.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => Self(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into()),
            IpAddr::V4(address) => Self(address.into()),
        }
    }

    /// The client that a trusted proxy forwards; none if it names none but trusted ones.
    #[must_use]
    pub fn forwarded(headers: &HeaderMap, trusted: &[Network]) -> Option<Self> {
        let lines: Vec<&[u8]> = headers.get_all(FORWARDED).iter().map(axum::http::HeaderValue::as_bytes).collect();
        let entries = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
        let mut addresses = entries.map_while(|entry| address(std::str::from_utf8(entry).ok()?));
        addresses.find(|address| !is_trusted(*address, trusted)).map(Self::of)
    }
}

/// Whether an address is that of a proxy that the operator trusts.
pub(crate) fn is_trusted(address: IpAddr, trusted: &[Network]) -> bool {
    trusted.iter().any(|network| network.has(address))
}

/// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0.parse().ok(),
        None => text.split_once(':')?.0.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;

    use super::Client;

    fn forwarded(lines: &[&[u8]]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", (*line).try_into().unwrap());
        }
        let trusted = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap());
        Client::forwarded(&headers, &trusted).map(|client| client.0.to_string())
    }

    #[test]
    fn the_client_is_the_last_address_that_is_no_trusted_proxy() {
        assert_eq!(forwarded(&[b"192.0.2.1"]).as_deref(), Some("192.0.2.1"));
        assert_eq!(forwarded(&[b"198.51.100.9, 192.0.2.1, 10.1.2.3"]).as_deref(), Some("192.0.2.1"));
        assert_eq!(forwarded(&[b"198.51.100.9", b"192.0.2.1:4711, fd00::7"]).as_deref(), Some("192.0.2.1"));
        assert_eq!(forwarded(&[b"[2001:db8::1:2:3:4]:80"]).as_deref(), Some("2001:db8::"));
        assert_eq!(forwarded(&[b"::ffff:192.0.2.1"]).as_deref(), Some("192.0.2.1"));
    }

    #[test]
    fn what_no_proxy_wrote_names_nobody() {
        assert_eq!(forwarded(&[]), None);
        assert_eq!(forwarded(&[b"10.0.0.1, 127.0.0.1"]), None);
        assert_eq!(forwarded(&[b"192.0.2.1, unknown"]), None);
        assert_eq!(forwarded(&[b"192.0.2.1, \xff, 10.0.0.1"]), None);
        assert_eq!(forwarded(&[b"198.51.100.9\xff, 192.0.2.1"]).as_deref(), Some("192.0.2.1"), "as a proxy joins them");
    }
}

//! What does the operator allow? Addresses, networks and hosts, each with a port or without.

use std::net::IpAddr;

use super::{address, normalise};

/// What is allowed though it is inside.
#[derive(Debug, Default)]
pub(super) struct Allow {
    entries: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    place: Place,
    /// Any if there is none.
    port: Option<u16>,
}

#[derive(Debug, PartialEq, Eq)]
enum Place {
    Block(IpAddr, u32),
    Host(String),
}

/// What cannot be allowed, because it is no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is nothing that can be allowed\n\
     hint: write an address (127.0.0.1), a network (10.0.0.0/8) or a host (intranet.example), with a port \
     (intranet.example:8080) or without"
)]
pub struct NotAllowable(String);

impl Allow {
    pub(super) fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Self, NotAllowable> {
        let parse = |text: &S| Entry::parse(text.as_ref()).ok_or_else(|| NotAllowable(text.as_ref().to_owned()));
        Ok(Self { entries: texts.iter().map(parse).collect::<Result<_, _>>()? })
    }

    /// Is a host allowed by its name, wherever it leads?
    pub(super) fn has_host(&self, host: &str, port: u16) -> bool {
        self.entries.iter().any(|entry| entry.fits(port) && matches!(&entry.place, Place::Host(own) if own == host))
    }

    /// Is an address allowed?
    pub(super) fn has(&self, address: IpAddr, port: u16) -> bool {
        self.entries.iter().any(|entry| entry.fits(port) && entry.holds(address))
    }

    /// Is an address allowed with this very port?
    pub(super) fn has_port(&self, address: IpAddr, port: u16) -> bool {
        self.entries.iter().any(|entry| entry.port == Some(port) && entry.holds(address))
    }
}

impl Entry {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some((address, bits)) = text.split_once('/') {
            let (address, bits) = (address.parse::<IpAddr>().ok()?, bits.parse().ok()?);
            let most = if address.is_ipv4() { 32 } else { 128 };
            return (bits <= most).then_some(Self { place: Place::Block(address, bits), port: None });
        }
        let (host, port) = split_port(text)?;
        let place = match host.parse::<IpAddr>() {
            Ok(address) => Place::Block(address, if address.is_ipv4() { 32 } else { 128 }),
            Err(_) => Place::Host(normalise::name(host)?),
        };
        Some(Self { place, port })
    }

    fn fits(&self, port: u16) -> bool {
        self.port.is_none_or(|own| own == port)
    }

    fn holds(&self, address: IpAddr) -> bool {
        matches!(self.place, Place::Block(block, bits) if address::shares(address, block, bits))
    }
}

/// `host`, `host:port`, `[v6]`, `[v6]:port`, `v6`.
fn split_port(text: &str) -> Option<(&str, Option<u16>)> {
    if text.parse::<IpAddr>().is_ok() {
        return Some((text, None));
    }
    if let Some((address, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
        return match rest.strip_prefix(':') {
            Some(port) => Some((address, Some(port.parse().ok()?))),
            None => rest.is_empty().then_some((address, None)),
        };
    }
    match text.split_once(':') {
        Some((host, port)) => Some((host, Some(port.parse().ok()?))),
        None => Some((text, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::Allow;

    #[test]
    fn addresses_networks_and_hosts_are_allowed_with_ports_and_without() {
        let allow = Allow::parse(&["127.0.0.1", "10.0.0.0/8", "::1", "[fd00::1]:8080", "Intranet.Example:81", "a.b"]);
        let allow = allow.unwrap();
        let has = |address: &str, port| allow.has(address.parse().unwrap(), port);
        assert!(has("127.0.0.1", 80) && has("10.255.0.1", 443) && has("::1", 1) && has("fd00::1", 8080));
        assert!(!has("127.0.0.2", 80) && !has("11.0.0.0", 80) && !has("fd00::1", 80));
        assert!(allow.has_host("intranet.example", 81) && !allow.has_host("intranet.example", 80));
        assert!(allow.has_host("a.b", 9) && !allow.has_host("b", 9));
        assert!(allow.has_port("fd00::1".parse().unwrap(), 8080) && !allow.has_port("::1".parse().unwrap(), 1));
    }

    #[test]
    fn what_is_no_place_is_told_with_what_is() {
        for text in ["", "10.0.0.0/33", "::/129", "host:99999", "[::1", "[::1]x", "a b", "http://host/", "*", "a:b:c"] {
            let error = Allow::parse(&[text]).unwrap_err().to_string();
            assert!(error.contains("10.0.0.0/8"), "{text}: {error}");
        }
    }
}

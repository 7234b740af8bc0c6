//! What does `driftline.toml` say about the daemon's own address? The table `[serve]`.

use std::net::{Ipv4Addr, SocketAddr};

use serde::Deserialize;

use super::Network;

/// The port, if none is set.
const PORT: u16 = 8740;

/// The table `[serve]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ServeSettings {
    /// Where the daemon listens.
    pub listen: SocketAddr,
    /// How others see that address, behind a proxy: the beginning of all links, and a host that may be asked for.
    pub url: Option<String>,
    /// May it listen elsewhere than on the machine itself? There are no accounts: whoever reaches it reads all feeds.
    pub public: bool,
    /// Proxies whose `X-Forwarded-For` is believed: addresses and networks.
    pub trusted_proxies: Vec<Network>,
}

impl Default for ServeSettings {
    fn default() -> Self {
        Self { listen: (Ipv4Addr::LOCALHOST, PORT).into(), url: None, public: false, trusted_proxies: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::ServeSettings;

    #[test]
    fn nothing_needs_to_be_set_and_nothing_unknown_may_be() {
        let parse = |text: &str| toml::from_str::<ServeSettings>(text).map_err(|error| error.to_string());
        assert_eq!(parse("").unwrap(), ServeSettings::default());
        assert!(ServeSettings::default().listen.ip().is_loopback());
        let all = parse("listen = '[::1]:80'\nurl = 'https://example.org/changes/'\npublic = true").unwrap();
        assert_eq!(
            (all.listen.port(), all.url.as_deref(), all.public),
            (80, Some("https://example.org/changes/"), true)
        );
        let proxies = parse("trusted-proxies = ['127.0.0.1', '10.0.0.0/8']").unwrap().trusted_proxies;
        assert_eq!(proxies.iter().map(ToString::to_string).collect::<Vec<_>>(), ["127.0.0.1/32", "10.0.0.0/8"]);
        assert!(parse("trusted-proxies = ['proxy.example']").unwrap_err().contains("is not an address or a network"));
        assert!(parse("lisen = '[::1]:80'").unwrap_err().contains("expected one of `listen`"));
        assert!(parse("listen = 'here'").unwrap_err().contains("line 1"));
    }
}

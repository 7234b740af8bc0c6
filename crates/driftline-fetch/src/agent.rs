//! Who asks? A server's owner who wonders shall find out, and robots.txt shall be able to say no.

/// What robots.txt calls us.
pub(super) const TOKEN: &str = "driftline";

/// What is said to servers: what the operator wrote, or our name, our version and whom to write to.
pub(super) fn name(written: Option<&str>, contact: Option<&str>) -> String {
    let own = concat!("driftline/", env!("CARGO_PKG_VERSION"));
    match (written, contact) {
        (Some(written), _) => written.to_owned(),
        (None, Some(contact)) => format!("{own} (+{contact})"),
        (None, None) => own.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_server_learns_whom_to_write_to() {
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(name(None, None), format!("driftline/{version}"));
        let contact = Some("https://example.org/bot");
        assert_eq!(name(None, contact), format!("driftline/{version} (+https://example.org/bot)"));
        assert_eq!(name(Some("Mine/1"), contact), "Mine/1");
    }
}

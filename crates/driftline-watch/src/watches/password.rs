//! How is an address told that may have a password in it? Without what stands between `//` and `@`.
//!
//! Only what cannot be watched is told like this, and much of it is no address at all: then nobody knows where a
//! password ends, so all before the last `@` is left out. Too little is shown rather than too much.

use url::Url;

/// A text without names and passwords in addresses: `https://me:secret@example.org/` is `https://example.org/`.
pub(super) fn without_password(text: &str) -> String {
    let mut parts = text.split("//");
    let first = parts.next().unwrap_or_default().to_owned();
    let shown = parts.fold(first, |shown, part| shown + "//" + behind_name(part));
    let is_clean = |url: Url| url.has_host() && url.username().is_empty() && url.password().is_none();
    match shown.rfind('@') {
        // A sign of the path, as in `https://example.org/@me`.
        Some(_) if Url::parse(shown.trim()).is_ok_and(is_clean) => shown,
        Some(last) => format!("{}{}", scheme(&shown[..last]), &shown[last + 1..]),
        None => shown,
    }
}

/// What follows `//`, from the host on.
fn behind_name(part: &str) -> &str {
    let end = part.find(|sign: char| sign.is_whitespace() || "/\\?#".contains(sign)).unwrap_or(part.len());
    part[..end].rfind('@').map_or(part, |at| &part[at + 1..])
}

/// What certainly stands before names and passwords: `https://`, which browsers also know with fewer slashes.
fn scheme(text: &str) -> &str {
    let Some((name, rest)) = text.split_once(':') else { return "" };
    let is_web = ["http", "https"].iter().any(|web| name.trim().eq_ignore_ascii_case(web));
    if is_web || rest.starts_with("//") { &text[..text.len() - rest.trim_start_matches(['/', '\\']).len()] } else { "" }
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn names_and_passwords_are_cut_out() {
        for (text, expected) in [
            ("https://me:s3cr3t@a.example/{{ x }} A title", "https://a.example/{{ x }} A title"),
            ("https://me:s3cr3t@a.example:99999/", "https://a.example:99999/"),
            ("https://me:s3c@r3t@a.example/@me", "https://a.example/@me"),
            ("https://me:s3c/r3t@a.example/", "https://a.example/"),
            ("https://me:s3c r3t@a.example/ Title", "https://a.example/ Title"),
            ("https://me:{{ s3cr3t / 2 }}@a.example/", "https://a.example/"),
            ("HTTPS:me:s3cr3t@a.example", "HTTPS:a.example"),
            ("https:\\\\me:s3cr3t@a.example", "https:\\\\a.example"),
            ("https:///me:s3cr3t@a.example", "https:///a.example"),
            ("me:s3cr3t@a.example", "a.example"),
            ("ftp://me:s3cr3t@a.example/", "ftp://a.example/"),
            ("https://a.example/?to=https://me:s3cr3t@b.example/", "https://a.example/?to=https://b.example/"),
            ("- https://me:s3cr3t@a.example/", "- https://a.example/"),
        ] {
            assert_eq!(without_password(text), expected, "{text}");
        }
    }

    #[test]
    fn what_has_none_stays_as_it_is() {
        for text in
            ["", "nonsense", "https://a.example/@me", "https://a.example:99999/", "file:///etc/passwd", "//", "é//é"]
        {
            assert_eq!(without_password(text), text);
        }
    }
}

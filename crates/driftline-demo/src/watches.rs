//! Who watches the site, and how? A file of watches, such as a person would write it.

/// The file, for a site at this origin.
pub(crate) fn toml(origin: &str) -> String {
    include_str!("../watches.toml").replace("{origin}", origin)
}

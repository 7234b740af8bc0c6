//! What do the names of an element say about it? The words of `id` and `class`, and roles.
//!
//! Four pages in ten mark no main content, but nearly all name their footers and menus. Names are
//! cut into words (`siteFooter-links`: site, footer, links), and only whole words count: a `navy`
//! box is no navigation.

use super::landmark::Landmark;

/// The landmark of a role.
pub(super) fn role(role: &str) -> Option<Landmark> {
    match role.trim() {
        "main" => Some(Landmark::Main),
        "navigation" | "menu" | "menubar" | "menuitem" | "tablist" | "toolbar" => Some(Landmark::Navigation),
        "contentinfo" => Some(Landmark::Footer),
        "complementary" => Some(Landmark::Side),
        "banner" | "search" => Some(Landmark::Header),
        "dialog" | "alertdialog" => Some(Landmark::Banner),
        "timer" => Some(Landmark::Counter),
        _ => None,
    }
}

/// Is this the `id` of the main content?
pub(super) fn is_main(id: &str) -> bool {
    let names = ["main", "content", "maincontent", "pagecontent", "bodycontent", "primarycontent", "contentmain"];
    let plain: String = id.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect();
    names.contains(&&*plain)
}

/// The landmark that a list of names says, if any: the most certain one.
pub(super) fn landmark(names: &str) -> Option<Landmark> {
    let mut found = None;
    let mut before = String::new();
    // A page builder calls every block a widget, the article too.
    let by_people = names.split_ascii_whitespace().filter(|name| !name.starts_with("elementor"));
    each_word(&by_people.collect::<Vec<_>>().join(" "), |word| {
        let landmark = of_word(word).or_else(|| of_pair(&before, word));
        found = match (found, landmark) {
            (Some(one), Some(other)) => Some(Ord::max(one, other)),
            (one, other) => one.or(other),
        };
        word.clone_into(&mut before);
    });
    found
}

fn of_word(word: &str) -> Option<Landmark> {
    Some(match word {
        "footer" | "foot" | "colophon" | "contentinfo" | "copyright" | "credits" | "subfooter" => Landmark::Footer,
        "nav" | "navbar" | "navigation" | "menu" | "menubar" | "submenu" | "megamenu" | "dropdown" | "breadcrumb"
        | "breadcrumbs" | "subnav" | "topnav" | "sidenav" | "skip" | "skiplink" | "pagination" | "pager" => {
            Landmark::Navigation
        }
        "sidebar" | "sidemenu" | "widget" | "widgets" | "related" | "recommended" | "recommendations" | "tagcloud"
        | "social" | "share" | "sharing" | "sponsor" | "sponsors" | "toc" | "blogroll" => Landmark::Side,
        "cookie" | "cookies" | "consent" | "gdpr" | "onetrust" | "banner" | "promo" | "promotion" | "promobar"
        | "advert" | "advertisement" | "advertising" | "adsbygoogle" | "ads" | "ad" | "adslot" | "sponsored"
        | "newsletter" | "modal" | "popup" | "lightbox" | "toast" => Landmark::Banner,
        "counter" | "counters" | "pageviews" | "views" | "viewcount" | "hits" | "likes" | "uptime" | "clock"
        | "timeago" => Landmark::Counter,
        "masthead" | "topbar" => Landmark::Header,
        _ => of_compound(word)?,
    })
}

/// `sitefooter`, `footerlinks`, `mainnav`, `leftsidebar`
fn of_compound(word: &str) -> Option<Landmark> {
    let is = |part: &str| word.starts_with(part) || word.ends_with(part);
    if is("footer") {
        Some(Landmark::Footer)
    } else if is("navbar") || is("navigation") || is("breadcrumb") || word.ends_with("menu") || word.ends_with("nav") {
        Some(Landmark::Navigation)
    } else if is("sidebar") {
        Some(Landmark::Side)
    } else {
        None
    }
}

/// Words that say something only together.
fn of_pair(first: &str, second: &str) -> Option<Landmark> {
    match (first, second) {
        (
            "recent" | "popular" | "latest" | "top" | "similar",
            "post" | "posts" | "comments" | "articles" | "entries",
        )
        | ("side", "bar" | "column" | "col" | "menu" | "nav" | "panel")
        | ("tag", "cloud")
        | ("category", "list")
        | ("see", "also") => Some(Landmark::Side),
        ("site" | "global", "header") => Some(Landmark::Header),
        ("view" | "visit" | "visitor" | "hit" | "like", "count" | "counter") => Some(Landmark::Counter),
        _ => None,
    }
}

/// Calls `take` with each word of some names, in lower case.
fn each_word(names: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    let mut was_lower = false;
    for character in names.chars() {
        let is_border = !character.is_alphanumeric() || (character.is_uppercase() && was_lower);
        if is_border && !word.is_empty() {
            take(&word);
            word.clear();
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    if !word.is_empty() {
        take(&word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        let mut words = Vec::new();
        each_word("siteFooter-links page__nav XMLData", |word| words.push(word.to_owned()));
        assert_eq!(words, ["site", "footer", "links", "page", "nav", "xmldata"]);
    }

    #[test]
    fn only_whole_words_count() {
        for (names, expected) in [
            ("footer-column", Some(Landmark::Footer)),
            ("moz24-footer-secondary", Some(Landmark::Footer)),
            ("leftSidebar", Some(Landmark::Side)),
            ("recent-posts", Some(Landmark::Side)),
            ("onetrust-banner-sdk", Some(Landmark::Banner)),
            ("mainnav", Some(Landmark::Navigation)),
            ("page-views", Some(Landmark::Counter)),
            ("navy", None),
            ("recent", None),
            ("footnotes", None),
            ("post-header", None),
            ("readme", None),
        ] {
            assert_eq!(landmark(names), expected, "{names}");
        }
    }

    #[test]
    fn the_main_content_goes_by_several_names() {
        assert!(is_main("main-content") && is_main("bodyContent") && is_main("main"));
        assert!(!is_main("main-menu") && !is_main("content-footer"));
    }
}

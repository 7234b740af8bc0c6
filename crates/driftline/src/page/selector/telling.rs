//! Did a person give this name, and does it say what the element is?
//!
//! Wrong answers are cheap: a good name that is refused costs a longer selector, a generated one
//! that is let through a selector that lasts until the site's next build.

use super::index::Mark;

/// The longest name that somebody typed, in bytes.
const LONGEST: usize = 40;

/// What programs put before the numbers they count (`ember123`, `ext-gen7`).
const GENERATORS: [&str; 20] = [
    "ember",
    "ext-",
    "yui",
    "react",
    "radix",
    "mui",
    "headlessui",
    "jsx-",
    "css-",
    "sc-",
    "svelte-",
    "gwt-",
    "ui-id",
    "comp-",
    "id-",
    "uid",
    "auto",
    "el-",
    "tippy-",
    "emotion",
];

/// Classes about looks or state, by their first word: `mt-4`, `is-open`.
const LOOKS: [&str; 68] = [
    "m",
    "mt",
    "mr",
    "mb",
    "ml",
    "mx",
    "my",
    "p",
    "pt",
    "pr",
    "pb",
    "pl",
    "px",
    "py",
    "w",
    "h",
    "d",
    "col",
    "cols",
    "row",
    "grid",
    "flex",
    "float",
    "text",
    "font",
    "bg",
    "border",
    "rounded",
    "shadow",
    "align",
    "justify",
    "items",
    "gap",
    "order",
    "offset",
    "span",
    "block",
    "inline",
    "container",
    "wrapper",
    "wrap",
    "inner",
    "outer",
    "clearfix",
    "clear",
    "left",
    "right",
    "top",
    "bottom",
    "center",
    "first",
    "last",
    "odd",
    "even",
    "active",
    "current",
    "selected",
    "open",
    "closed",
    "hidden",
    "visible",
    "show",
    "hide",
    "is",
    "has",
    "js",
    "no",
    "wide",
];

/// Tags that stand all over a page, and so say nothing.
const COMMON: [&str; 35] = [
    "div", "span", "p", "a", "li", "dd", "dt", "td", "th", "tr", "tbody", "b", "i", "u", "em", "strong", "small", "br",
    "hr", "img", "font", "center", "input", "option", "label", "button", "script", "style", "link", "meta", "path",
    "g", "svg", "noscript", "iframe",
];

/// What a tag is worth as a name.
pub(super) fn tag(name: &str) -> Option<fn(u32) -> Mark> {
    match name {
        "main" | "article" | "nav" | "header" | "footer" | "aside" | "search" => Some(Mark::Landmark),
        _ if COMMON.contains(&name) || name.is_empty() || name.len() > LONGEST || name.contains('\0') => None,
        _ => Some(Mark::Tag),
    }
}

/// Is it one of the roles that ARIA calls landmarks?
pub(super) fn role(name: &str) -> bool {
    matches!(name, "main" | "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "form" | "region")
}

/// Does an id look hand-written?
pub(super) fn id(name: &str) -> bool {
    is_plain(name) && !is_counted(name) && !words(name).any(is_hash)
}

/// Does a class say what the element is?
pub(super) fn class(name: &str) -> bool {
    let first = words(name).next().unwrap_or_default();
    name.len() > 1 && id(name) && !LOOKS.contains(&first.to_ascii_lowercase().as_str())
}

/// Letters, digits and hyphens, a letter first, no number that a database counted.
fn is_plain(name: &str) -> bool {
    let starts_well = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let has_long_number = name.split(|it: char| !it.is_ascii_digit()).any(|digits| digits.len() > 3);
    let is_word = |it: char| it.is_alphanumeric() || it == '-' || it == '_';
    starts_well && name.len() <= LONGEST && name.chars().all(is_word) && !has_long_number
}

/// `ember12`: what a program numbers as it goes.
fn is_counted(name: &str) -> bool {
    let has_digit = name.contains(|it: char| it.is_ascii_digit());
    let lower = name.to_ascii_lowercase();
    has_digit && GENERATORS.iter().any(|generator| lower.starts_with(generator))
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '_']).filter(|word| !word.is_empty())
}

/// `bdVaJa`, `x1f9a`, `kzhqrt`: letters without vowels, or with humps or digits all over.
fn is_hash(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let starts_hump = |pair: &&[char]| {
        let is = |test: fn(&char) -> bool| (test(&pair[0]), test(&pair[1]));
        is(|it| it.is_uppercase()) == (false, true) || matches!(is(char::is_ascii_digit), (true, false) | (false, true))
    };
    let humps = 1 + letters.windows(2).filter(starts_hump).count();
    let is_ascii = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let has_vowel = word.contains(['a', 'e', 'i', 'o', 'u', 'y', 'A', 'E', 'I', 'O', 'U', 'Y']);
    (letters.len() > 3 && humps * 3 > letters.len() + 2) || (letters.len() > 5 && is_ascii && !has_vowel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_people_give_are_told_from_those_that_programs_make() {
        for name in ["news", "main-content", "mainContentArea", "mw-content-text", "section-2", "뉴스", "h2", "box_1"]
        {
            assert!(id(name), "{name}");
        }
        for name in [
            "",
            "ember123",
            ":r1:",
            "9lives",
            "post-123456",
            "css-1q2w3e",
            "sc-bdVaJa",
            "x1f9a2b",
            "a b",
            "yui_3_17",
            "550e8400-e29b-41d4-a716-446655440000",
            "f3a91c",
            "kzhqrtw",
        ] {
            assert!(!id(name), "{name}");
        }
    }

    #[test]
    fn classes_about_looks_or_state_tell_nothing() {
        for name in ["article-body", "price", "breadcrumb", "post-content"] {
            assert!(class(name), "{name}");
        }
        for name in ["mt-4", "col-md-6", "is-active", "d-flex", "active", "clearfix", "p", "text-center"] {
            assert!(!class(name), "{name}");
        }
    }
}

//! What of a page's markup may be shown? What makes its layout, nothing that acts.
//!
//! A page comes from strangers. Its markup goes through ammonia, which keeps only elements and
//! attributes that are listed here. What would be fetched becomes an empty box of the same size,
//! links lead nowhere, and forms have no address. The frame that shows it is sandboxed besides, and
//! its policy allows neither scripts nor requests: each of the three would do alone.

use std::borrow::Cow;
use std::collections::HashSet;

use ammonia::Builder;
use driftline::page::Page;
use driftline::page::markup::Attributes;

use super::css;

/// Elements that are written under another name because they would act or vanish.
pub(super) const RENAMED: [(&str, &str); 11] = [
    ("iframe", "img"),
    ("frame", "img"),
    ("embed", "img"),
    ("frameset", "div"),
    ("object", "span"),
    ("applet", "span"),
    ("noscript", "span"),
    ("plaintext", "pre"),
    ("xmp", "pre"),
    ("listing", "pre"),
    ("portal", "span"),
];

/// Where links lead that would lead away.
const NOWHERE: &str = "#driftline-nowhere";

/// A grey box, for everything that would be fetched.
const BOX: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='24' height='24'%3E\
    %3Crect width='24' height='24' fill='%23888' fill-opacity='.3'/%3E%3C/svg%3E";

const TAGS: &str = "a abbr acronym address area article aside audio b basefont bdi bdo big blockquote br button canvas \
    caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption \
    figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main map mark \
    marquee menu meter nav nobr ol optgroup option output p picture pre progress q rb rp rt rtc ruby s samp search \
    section select small span strike strong style sub summary sup table tbody td textarea tfoot th thead time title tr \
    tt u ul var video wbr \
    svg circle clipPath defs desc ellipse feBlend feColorMatrix feComposite feFlood feGaussianBlur feMerge feMergeNode \
    feOffset filter foreignObject g line linearGradient marker mask path pattern polygon polyline radialGradient rect \
    stop switch symbol text textPath tspan use view \
    math annotation maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts \
    mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics";

const ATTRIBUTES: &str = "abbr align alink alt axis bgcolor border bordercolor cellpadding cellspacing char charoff \
    checked class clear color cols colspan compact controls coords datetime dir disabled display face for frame \
    frameborder headers height hidden high href hspace id ismap label lang low margin max maxlength media min multiple \
    name noshade nowrap open optimum pattern placeholder popover readonly required reversed role rows rowspan rules \
    scope selected shape size span src start step style summary text title type usemap valign value vlink vspace \
    width wrap link marginwidth marginheight topmargin leftmargin translate \
    clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy encoding fill fill-opacity fill-rule \
    filterUnits flood-color flood-opacity font-family font-size font-style font-weight fx fy gradientTransform \
    gradientUnits letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask offset \
    opacity orient overflow paint-order pathLength patternTransform patternUnits points preserveAspectRatio r refX refY \
    rx ry spreadMethod stdDeviation stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap \
    stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor transform vector-effect viewBox \
    visibility x x1 x2 y y1 y2 \
    accent columnalign displaystyle fence linethickness lspace mathvariant maxsize minsize rowalign rspace \
    scriptlevel separator stretchy";

/// The content of `body`, cleaned. Elements that the page made up itself (`x-header`) stay, but for
/// those that look like ours.
pub(super) fn content(content: &str, page: &Page) -> String {
    let made_up: HashSet<&str> = page.node_ids().map(|node| page.tag(node)).filter(|tag| is_made_up(tag)).collect();
    let mut builder = Builder::empty();
    builder
        .tags(TAGS.split_ascii_whitespace().chain(made_up).collect())
        .clean_content_tags(HashSet::from(["script", "iframe", "noembed", "noframes", "template"]))
        .generic_attributes(ATTRIBUTES.split_ascii_whitespace().collect())
        .generic_attribute_prefixes(HashSet::from(["data-", "aria-"]))
        .url_schemes(HashSet::from(["http", "https", "ftp", "mailto", "tel", "data"]))
        .link_rel(None)
        .attribute_filter(attribute);
    builder.clean(content).to_string()
}

fn is_made_up(tag: &str) -> bool {
    tag.contains('-')
        && tag.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !tag.starts_with("driftline-")
        && !matches!(tag, "annotation-xml" | "font-face" | "color-profile" | "missing-glyph")
}

/// The attributes of `html` and `body` that may stay.
pub(super) fn attributes(attributes: &Attributes) -> Attributes {
    let known: HashSet<&str> = ATTRIBUTES.split_ascii_whitespace().collect();
    let is_known = |name: &str| known.contains(name) || name.starts_with("data-") || name.starts_with("aria-");
    let kept = attributes.iter().filter(|(name, _)| is_known(name) && !matches!(name.as_str(), "href" | "src"));
    kept.filter_map(|(name, value)| Some((name.clone(), attribute("body", name, value)?.into_owned()))).collect()
}

fn attribute<'a>(element: &str, name: &str, value: &'a str) -> Option<Cow<'a, str>> {
    match (element, name) {
        (_, "style") => Some(css::clean(value).into()),
        ("a" | "area", "href") if !value.starts_with('#') => Some(NOWHERE.into()),
        ("img" | "input", "src") if !css::is_harmless(value) => Some(BOX.into()),
        (_, "href" | "src") => css::is_harmless(value).then_some(value.into()),
        // A name of anything else hides what the document has: `<img name=querySelector>`.
        ("a" | "map", "name") => Some(value.into()),
        (_, "name" | "popover") => None,
        (_, "fill" | "stroke" | "filter" | "mask" | "clip-path" | "marker-start" | "marker-mid" | "marker-end") => {
            Some(css::clean(value).into())
        }
        _ => Some(value.into()),
    }
}

#[cfg(test)]
mod tests {
    use driftline::page::ReadOptions;

    use super::*;

    fn cleaned(source: &str) -> String {
        content(source, &Page::read(source, &ReadOptions::default()))
    }

    #[test]
    fn nothing_that_acts_stays() {
        let hostile = "<script>alert(1)</script><p onclick=alert(1)>a<a href='javascript:alert(1)'>b</a>\
            <img src=x onerror=alert(1) srcset=y ping=z><form action=//evil><button formaction=//evil autofocus>c</button></form>\
            <meta http-equiv=refresh content='0;url=//evil'><base href=//evil><link rel=stylesheet href=//evil>\
            <svg onload=alert(1)><a xlink:href='javascript:alert(1)'><text>d</text></a><use href='//evil#x'/><set attributeName=href to=//evil />\
            <image href=//evil /></svg><math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>\
            <td background=//evil style='background:url(//evil)'>";
        let kept = cleaned(hostile);
        for bad in [
            "alert",
            "evil",
            "script",
            "onerror",
            "onload",
            "srcset",
            "ping",
            "action",
            "autofocus",
            "meta",
            "base",
            "<link",
        ] {
            assert!(!kept.contains(bad), "{bad} in {kept}");
        }
        for text in [">a<", ">b<", ">c<", ">d<"] {
            assert!(kept.contains(text), "{text} in {kept}");
        }
    }

    #[test]
    fn what_makes_the_layout_stays() {
        let source = "<x-header class=\"a\"><table width=\"90%\"><tbody><tr><td colspan=\"2\" bgcolor=\"red\" style=\"float:left\">\
            <ins data-driftline-edit=\"add\">x</ins></td></tr></tbody></table><style>p > b{color:red}</style>\
            <svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"></path></svg></x-header>";
        let kept = cleaned(source);
        for part in [
            "<x-header class=\"a\">",
            "width=\"90%\"",
            "colspan=\"2\"",
            "bgcolor=\"red\"",
            "style=\"float:left\"",
            "<ins data-driftline-edit=\"add\">",
            "<style>p > b{color:red}</style>",
            "viewBox=\"0 0 1 1\"",
            "d=\"M0 0\"",
        ] {
            assert!(kept.contains(part), "{part} in {kept}");
        }
    }

    #[test]
    fn pictures_become_boxes_and_links_lead_nowhere() {
        let kept = cleaned("<img src=//x/y.png width=30 alt=z><a href=http://x/>b</a><a href=#c>d</a>");
        assert!(
            kept.contains("src=\"data:image/svg+xml,") && kept.contains("width=\"30\"") && kept.contains("alt=\"z\"")
        );
        assert!(kept.contains("<a href=\"#driftline-nowhere\">b</a><a href=\"#c\">d</a>"), "{kept}");
    }

    #[test]
    fn names_that_hide_the_methods_of_the_document_go() {
        let kept = cleaned(
            "<img name=querySelector id=body><form name=body><input name=closest></form><a name=place></a><map name=m></map>",
        );
        for bad in ["querySelector", "name=\"body", "closest"] {
            assert!(!kept.contains(bad), "{bad} in {kept}");
        }
        assert!(kept.contains("<a name=\"place\">") && kept.contains("<map name=\"m\">"), "{kept}");
        assert_eq!(attributes(&vec![("name".to_owned(), "body".to_owned())]), []);
    }

    #[test]
    fn elements_of_a_page_that_are_named_like_ours_go() {
        let kept =
            cleaned("<driftline-layer style=display:none>a</driftline-layer><x-driftline-layer>b</x-driftline-layer>");
        assert_eq!(kept, "a<x-driftline-layer>b</x-driftline-layer>");
    }

    #[test]
    fn attributes_of_the_body_are_cleaned_as_well() {
        let given =
            [("class", "a"), ("onload", "alert(1)"), ("background", "//evil"), ("style", "background:url(//evil)")];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let kept = attributes(&given);
        assert_eq!(kept[0], ("class".to_owned(), "a".to_owned()));
        assert_eq!(kept.len(), 2);
        assert!(!kept[1].1.contains("evil"));
    }
}

//! Templates of the site, as real ones are: with breadcrumbs, titles that are repeated, dates, counters, authors, related
//! pages, whole menus.

use super::articles::Article;

/// How pages of the site are written.
pub(super) type Template = fn(usize, &[Article]) -> String;

pub(super) const ALL: [Template; 5] = [tables, magazine, blog, bare, press];

fn url(at: usize) -> String {
    format!("http://example.org/page{at}")
}

fn paragraphs(article: &Article, open: &str, close: &str) -> String {
    article.paragraphs.iter().map(|lines| format!("{open}{}{close}\n", lines.join(" "))).collect()
}

fn tips(article: &Article, open: &str, close: &str) -> String {
    article.tips.iter().map(|tip| format!("{open}{tip}{close}")).collect()
}

/// A line whose words may be links, and images. `folder` is where images are.
fn more(article: &Article, folder: &str) -> String {
    let link = |to: &Option<String>, text: &str| match to {
        Some(to) => format!("<a href=\"{to}\">{text}</a>"),
        None => text.to_owned(),
    };
    let images: String =
        article.more_images.iter().flatten().map(|image| format!("<img src=\"{folder}{image}\" alt=\"\">")).collect();
    let [walk, boats] = &article.more_links;
    let [form, rules] = &article.more_files;
    format!(
        "{images}More about {} and {}, with {} and {}.",
        link(walk, "walks"),
        link(boats, "boats"),
        link(form, "the form"),
        link(rules, "the rules")
    )
}

/// The first one: tables and ids.
fn tables(at: usize, all: &[Article]) -> String {
    let article = &all[at];
    let rows: String =
        article.prices.iter().map(|(name, price)| format!("<tr><td>{name}</td><td>{price} euros</td></tr>")).collect();
    format!(
        "<html><head><title>{title}</title></head><body><div id=top><ul class=menu><li><a href=/>Home</a></li>\
         <li><a href=/map>Map</a></li><li><a href=/contact>Contact</a></li></ul></div><div id=content><h1>{title}</h1>\
         <img src=\"{image}\" alt=\"\">{body}<ol>{tips}</ol><table>{rows}</table><p>{more}</p><p>See <a href=\"{link}\">our partner</a> or \
         <a href=\"{file}\">the plan as PDF</a>.</p></div><div id=foot><p>Call 555 1234. Last update in May.</p></div></body></html>",
        title = article.title,
        image = article.image,
        body = paragraphs(article, "<p>", "</p>"),
        tips = tips(article, "<li>", "</li>"),
        more = more(article, ""),
        link = article.link,
        file = article.file,
    )
}

/// Breadcrumb, date, author box, counter, related pages, links to share, previous and next page.
fn magazine(at: usize, all: &[Article]) -> String {
    let article = &all[at];
    let related: String = [3, 7, 11]
        .iter()
        .map(|step| (at + step) % all.len())
        .map(|other| format!("<li class=teaser><a href=\"{}\">{}</a></li>", url(other), all[other].title))
        .collect();
    let prices: String =
        article.prices.iter().map(|(name, price)| format!("<dt>{name}</dt><dd>{price} euros</dd>")).collect();
    let neighbour = |step: usize, text: &str| {
        let other = at + all.len() + step - 1;
        let is_there = (all.len()..2 * all.len()).contains(&other);
        let other = other % all.len();
        if is_there {
            format!("<a class=step href=\"{}\">{text}: {}</a>", url(other), all[other].title)
        } else {
            String::new()
        }
    };
    format!(
        "<html lang=en><head><title>{title} – Island News</title><meta property=\"og:title\" content=\"{title}\"></head>\
         <body class=\"page-{at}\"><header class=site-header><a class=logo href=/><img src=/theme/logo.svg alt=News></a>\
         <nav class=main-nav><a href=/>Start</a> <a href=/culture>Culture</a> <a href=/transport>Transport</a> \
         <a href=/about>About us</a></nav></header><div class=crumbs><a href=/>Start</a> › <a href=/{section}>{section}</a> › \
         {title}</div><main><article><header class=head><h1>{title}</h1><p class=meta><time>{day} May 2026</time> by \
         <span class=author>{author}</span></p><p class=counter>Article {number} of {count}</p></header>\
         <figure class=lead><img src=\"{image}\" alt=\"\"></figure><section class=text>{body}</section>\
         <ul class=tips>{tips}</ul><dl class=prices>{prices}</dl><figure class=more>{more}</figure><div class=more><p>See <a href=\"{link}\">our partner</a> or <a href=\"{file}\">the \
         plan as PDF</a>.</p></div></article><div class=share><a href=\"https://social.example/share?u={url}\">Share</a> \
         <a href=\"mailto:?body={url}\">Mail</a></div><nav class=steps>{before} {after}</nav></main>\
         <aside class=related><h2>Read also</h2><ul>{related}</ul></aside><aside class=box><h3>About {author}</h3>\
         <p>{author} writes for the island since {year}.</p></aside><footer><p>© 2026 Island News. All rights reserved.</p>\
         </footer></body></html>",
        title = article.title,
        section = article.section,
        author = article.author,
        day = at + 1,
        number = at + 1,
        count = all.len(),
        year = 2001 + at,
        image = article.image,
        body = paragraphs(article, "<p>", "</p>"),
        tips = tips(article, "<li>", "</li>"),
        more = more(article, ""),
        link = article.link,
        file = article.file,
        url = url(at),
        before = neighbour(0, "Previous"),
        after = neighbour(2, "Next"),
    )
}

/// A side bar with all titles, comments, time to read, the text in other blocks, and pictures in another folder.
fn blog(at: usize, all: &[Article]) -> String {
    let article = &all[at];
    let latest: String =
        (0..all.len()).map(|other| format!("<li><a href=\"{}\">{}</a></li>", url(other), all[other].title)).collect();
    let prices: String =
        article.prices.iter().map(|(name, price)| format!("<li><b>{name}</b> {price} euros</li>")).collect();
    let body: String = article
        .paragraphs
        .iter()
        .map(|lines| lines.iter().map(|line| format!("<div class=line><span>{line}</span></div>")).collect::<String>())
        .map(|lines| format!("<blockquote class=para>{lines}</blockquote>"))
        .collect();
    format!(
        "<html><head><title>Blog | {title}</title></head><body><div class=wrap><div class=side><h4>All posts</h4>\
         <ul class=posts>{latest}</ul><form action=/search><input name=q></form></div><div class=post>\
         <h2 class=entry>{title}</h2><div class=info>{minutes} min read · {comments} comments · filed under <a href=\"/tag/{section}\">\
         {section}</a></div><p class=pic><img src=\"/media{image}\" alt=\"{title}\"></p>{body}<table class=tips>{tips}</table>\
         <ul class=prices>{prices}</ul><div class=extra>{more}</div><p class=refs>See <a href=\"{link}\">our partner</a> or <a href=\"{file}\">the plan as PDF</a>.</p></div></div>\
         <div class=bottom>Powered by an old machine. <a href=/imprint>Imprint</a></div></body></html>",
        title = article.title,
        tips = tips(article, "<tr><td>", "</td></tr>"),
        more = more(article, "/media"),
        minutes = 2 + at % 5,
        comments = at * 3,
        section = article.section,
        image = article.image,
        link = article.link,
        file = article.file,
    )
}

/// No names at all: author and date are paragraphs as those of the text are.
fn bare(at: usize, all: &[Article]) -> String {
    let article = &all[at];
    let prices: String = article.prices.iter().map(|(name, price)| format!("<p>{name} {price} euros</p>")).collect();
    format!(
        "<html><head><title>{title}</title></head><body><div><div><a href=/>Island</a></div><div><h1>{title}</h1>\
         <p>{author}, {section}</p>{body}<div>{tips}</div><div>{prices}</div><div><img src=\"{image}\"></div><p>{more}</p><p>See <a href=\"{link}\">our \
         partner</a> or <a href=\"{file}\">the plan as PDF</a>.</p><p>Written on {day} June 2026</p></div></div></body></html>",
        title = article.title,
        author = article.author,
        section = article.section,
        body = paragraphs(article, "<p>", "</p>"),
        tips = tips(article, "<p>", "</p>"),
        more = more(article, ""),
        day = at + 1,
        image = article.image,
        link = article.link,
        file = article.file,
    )
}

/// Names with numbers and sections in them, widgets, a menu of everything, a banner, tags, the first words as a teaser.
fn press(at: usize, all: &[Article]) -> String {
    let article = &all[at];
    let menu: String = ["Culture", "Transport", "Nature", "Services"]
        .iter()
        .map(|section| {
            let inside: String = (0..all.len())
                .filter(|other| all[*other].section == *section)
                .map(|other| format!("<li class=\"menu-item menu-item-{other}\"><a href=\"{}\">{}</a></li>", url(other), all[other].title))
                .collect();
            format!("<li class=\"menu-item has-children\"><a href=\"/{section}\">{section}</a><ul class=sub-menu>{inside}</ul></li>")
        })
        .collect();
    let prices: String = article
        .prices
        .iter()
        .map(|(name, price)| format!("<div class=card><h4>{name}</h4><span class=price>{price} euros</span></div>"))
        .collect();
    let teaser: String = article.paragraphs[0][0].split(' ').take(6).collect::<Vec<_>>().join(" ");
    format!(
        "<html><head><title>{title} | {section} | The Press</title></head><body class=\"single postid-{at} category-{section}\">\
         <div id=cookie class=banner><p>We use cookies to make this site better.</p><button>Accept all</button></div>\
         <div id=masthead><ul id=menu-main class=menu>{menu}</ul></div><div id=primary><article id=post-{at} \
         class=\"post-{at} type-post category-{section}\"><h1 class=entry-title>{title}</h1><p class=teaser>{teaser} …</p>\
         <div class=entry-meta>Posted on <a href=\"{url}\">May {day}, 2026</a> in {section} <span>{views} views</span></div>\
         <div class=wp-image><img src=\"{image}\" alt=\"\"></div><div class=entry-content>{body}</div><ul class=tips>{tips}</ul>\
         <div class=cards>{prices}</div><div class=entry-more>{more}</div>\
         <div class=entry-refs>See <a href=\"{link}\">our partner</a> or <a href=\"{file}\">the plan as PDF</a>.</div>\
         <div class=tags>Tags: <a href=\"/tag/{tag}\">{tag}</a></div></article></div><div id=secondary><div class=widget>\
         <h3>Newsletter</h3><p>All news once a week.</p></div></div><div id=colophon>Proudly made by hand</div></body></html>",
        title = article.title,
        section = article.section,
        url = url(at),
        day = at + 1,
        views = 100 + at * 17,
        image = article.image,
        body = paragraphs(article, "<p>", "</p>"),
        tips = tips(article, "<li>", "</li>"),
        more = more(article, ""),
        link = article.link,
        file = article.file,
        tag = article.title.split(' ').next_back().unwrap_or_default().to_lowercase(),
    )
}

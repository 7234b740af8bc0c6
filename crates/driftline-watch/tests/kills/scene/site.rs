//! A site of which all pages have one footer and one design: both change for all of them at once.

use super::{Chance, Shown, Version, marked, words};

/// So many pages it has.
pub(crate) const PAGES: usize = 9;
/// It is redesigned whenever its pages were asked for so often.
const REDESIGN: u64 = 110;

#[derive(Default)]
pub(crate) struct Site {
    asked: u64,
    /// How often it was redesigned.
    pub(crate) designs: u64,
    footer: u64,
    pages: [Page; PAGES],
}

/// A page, as it was asked for last.
#[derive(Default)]
struct Page {
    version: u64,
    design: u64,
    footer: u64,
    own: u64,
}

impl Site {
    /// One in twenty times there is another footer; one in fifteen times the page has changed by itself.
    pub(crate) fn ask(&mut self, at: usize, chance: &mut Chance) -> Shown {
        if !chance.is_over {
            self.asked += 1;
            self.designs += u64::from(self.asked.is_multiple_of(REDESIGN));
        }
        self.footer += u64::from(chance.one_in(20));
        let (design, footer) = (self.designs, self.footer);
        let page = self.pages.get_mut(at)?;
        let is_own = chance.one_in(15);
        if is_own || (page.design, page.footer) != (design, footer) {
            let own = page.own + u64::from(is_own);
            *page = Page { version: page.version + 1, design, footer, own };
        }
        Some(Version { number: page.version, body: page.html(at) })
    }
}

impl Page {
    fn html(&self, at: usize) -> String {
        let own = words(&format!("own {at}"), self.own, 12);
        let footer = format!("Open until {}", words("footer", self.footer, 3));
        // What a reader sees of a design.
        let head = format!("Hall {at} as of year {}", 1900 + self.design);
        let rows = |row: &dyn Fn(usize) -> String| (0..3 + at % 3).map(row).collect::<String>();
        let body = match self.design % 4 {
            0 => format!(
                "<div><ul><li><a href=/>Home</a></li><li><a href=/map>Map</a></li></ul></div><div>\
                 <h1>{head}</h1><table>{}</table><p>{own}</p></div><div><p>{footer}</p></div>",
                rows(&|row| format!("<tr><td>Shelf</td><td>{row}</td></tr>"))
            ),
            1 => format!(
                "<header><nav><a href=/>Home</a><a href=/map>Map</a></nav></header><main><article><h2>{head}</h2>{}\
                 <blockquote>{own}</blockquote></article></main><footer><small>{footer}</small></footer>",
                rows(&|row| format!("<section><header><h3>Shelf</h3></header><div><span>{row}</span></div></section>"))
            ),
            2 => format!(
                "<form><fieldset><legend>Hall</legend><label><a href=/>Home</a></label>\
                 <label><a href=/map>Map</a></label></fieldset></form><h4>{head}</h4><dl>{}</dl>\
                 <pre>{own}</pre><address>{footer}</address>",
                rows(&|row| format!("<dt><code>Shelf</code></dt><dd><kbd>{row}</kbd></dd>"))
            ),
            _ => format!(
                "<menu><li><b><a href=/>Home</a></b></li><li><b><a href=/map>Map</a></b></li></menu><h5>{head}</h5>\
                 <ol>{}</ol><figure><i>{own}</i><figcaption><u>{footer}</u></figcaption></figure>",
                rows(&|row| format!("<li><strong>Shelf</strong><em>{row}</em></li>"))
            ),
        };
        format!("<!doctype html><title>Hall {at}</title>{body}{}", marked(self.version))
    }
}

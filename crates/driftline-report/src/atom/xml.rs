//! How is XML written that cannot be broken out of? Every text and every value is escaped on its way in.

/// XML under way, a line for each element.
pub(super) struct Xml {
    pub(super) text: String,
    depth: usize,
}

impl Xml {
    pub(super) fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".to_owned(), depth: 0 }
    }

    /// An element that others stand in.
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
    }

    pub(super) fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.indent();
        self.end(name);
    }

    /// An element that holds text.
    pub(super) fn leaf(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.start(name, attributes);
        self.text.push('>');
        self.escaped(text);
        self.end(name);
    }

    /// An element that holds nothing.
    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.text.push_str("/>\n");
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            self.text.push(' ');
            self.text.push_str(key);
            self.text.push_str("=\"");
            self.escaped(value);
            self.text.push('"');
        }
    }

    fn end(&mut self, name: &str) {
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    /// What XML cannot hold at all, even escaped, becomes U+FFFD.
    fn escaped(&mut self, text: &str) {
        for char in text.chars() {
            match char {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\r' => self.text.push_str("&#13;"),
                '\t' | '\n' => self.text.push(char),
                '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => self.text.push('\u{fffd}'),
                _ => self.text.push(char),
            }
        }
    }
}

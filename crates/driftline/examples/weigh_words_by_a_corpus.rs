//! How can words that stand on every page of a site count for less?
//!
//! `cargo run -p driftline --example weigh_words_by_a_corpus`. COS weighs words alike unless it is given
//! a corpus: in how many pages of a collection each word stands. A changed menu then weighs less than
//! a changed article.

#![expect(clippy::disallowed_macros, reason = "an example prints")]

use driftline::degree::cosine::{Corpus, CorpusError, Idf};
use driftline::{CompareOptions, Comparer, Page, ReadOptions};

fn main() -> Result<(), CorpusError> {
    let options = ReadOptions::default();
    let page = |text: &str| Page::read(text, &options);
    let menu = "<nav>home news contact</nav>";
    let articles = ["boats leave at noon", "fish is cheap today", "the lighthouse is closed"];

    let mut corpus = Corpus::default();
    for article in articles {
        corpus.add(page(&format!("{menu}<p>{article}")).words());
    }
    // A corpus is a text file; `driftline measure --corpus FILE` writes the same.
    let corpus = Corpus::from_text(&corpus.to_text())?;
    println!("{} pages, {} words, `home` on {}", corpus.documents(), corpus.words(), corpus.frequency("home"));

    let older = page(&format!("{menu}<p>{}", articles[0]));
    let other_menu = page(&format!("<nav>home news about</nav><p>{}", articles[0]));
    let other_article = page(&format!("{menu}<p>boats leave at dawn"));
    for idf in [Idf::None, Idf::Corpus(corpus.into())] {
        let name = if matches!(idf, Idf::None) { "all words alike" } else { "by the corpus" };
        let mut comparer = Comparer::new(CompareOptions { idf, ..CompareOptions::default() });
        let mut held = comparer.hold(&older);
        let [menu, article] = [&other_menu, &other_article].map(|newer| held.measure(newer).degree.cos.get());
        println!("{name}: menu {menu:.3}, article {article:.3}");
    }
    Ok(())
}

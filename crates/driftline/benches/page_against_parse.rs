//! What does a page cost beside parsing it, and what do all metrics cost beside the page?
//!
//! `cargo bench -p driftline --bench page_against_parse`. The floor is html5ever building nothing:
//! it answers what the parser asks of a tree and keeps no text and no attributes.

#![expect(clippy::disallowed_macros, reason = "a bench prints; the library does not")]

use std::borrow::Cow;
use std::cell::RefCell;
use std::hint::black_box;

use driftline::degree::compare::Comparer;
use driftline::page::{Page, Recipe, WordRule};
use driftline_testkit::pages::{RealPair, real_pairs};
use driftline_testkit::timing::Race;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, parse_document};

/// A tree sink that keeps nothing but names, which the parser asks for.
#[derive(Default)]
struct Nothing {
    names: RefCell<Vec<std::rc::Rc<QualName>>>,
}

#[derive(Debug)]
struct Name(std::rc::Rc<QualName>);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Nothing {
    type Handle = usize;
    type Output = usize;
    type ElemName<'a> = Name;

    fn finish(self) -> usize {
        self.names.into_inner().len()
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> usize {
        usize::MAX
    }
    fn elem_name<'a>(&'a self, &target: &'a usize) -> Name {
        Name(self.names.borrow()[target].clone())
    }
    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> usize {
        let mut names = self.names.borrow_mut();
        names.push(name.into());
        names.len() - 1
    }
    fn create_comment(&self, _: StrTendril) -> usize {
        usize::MAX
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        usize::MAX
    }
    fn append(&self, _: &usize, _: NodeOrText<usize>) {}
    fn append_based_on_parent_node(&self, _: &usize, _: &usize, _: NodeOrText<usize>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, &target: &usize) -> usize {
        target
    }
    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &usize, _: NodeOrText<usize>) {}
    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &usize) {}
    fn reparent_children(&self, _: &usize, _: &usize) {}
}

fn parse_only(bytes: &[u8]) -> usize {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = false;
    parse_document(Nothing::default(), options).one(&*String::from_utf8_lossy(bytes))
}

fn race(title: &str, pairs: &[RealPair], rounds: usize) {
    let megabytes = pairs.iter().map(|pair| pair.older.len() + pair.newer.len()).sum::<usize>() as f64 / 1e6;
    let whitespace = Recipe { words: WordRule::Whitespace, ..Recipe::default() };
    let unicode = Recipe::default();
    let pages = |recipe: &Recipe| {
        for pair in pairs {
            black_box((Page::read(&*pair.older, recipe), Page::read(&*pair.newer, recipe)));
        }
    };
    let measured = |recipe: &Recipe| {
        let mut comparer = Comparer::default();
        for pair in pairs {
            let (older, newer) = (Page::read(&*pair.older, recipe), Page::read(&*pair.newer, recipe));
            black_box(comparer.measure(&older, &newer));
        }
    };
    let results = Race::new()
        .with("html5ever into nothing", || {
            for pair in pairs {
                black_box(parse_only(&pair.older) + parse_only(&pair.newer));
            }
        })
        .with("Page, white-space words", || pages(&whitespace))
        .with("Page, Unicode words", || pages(&unicode))
        .with("Page + all metrics, white-space words", || measured(&whitespace))
        .with("Page + all metrics, Unicode words", || measured(&unicode))
        .run(rounds);
    println!("\n{title}: {} pairs, {megabytes:.1} MB, best of {rounds} rounds", pairs.len());
    let floor = results[0].1.as_secs_f64();
    for (name, best) in results {
        let seconds = best.as_secs_f64();
        println!(
            "  {name:<40} {:>8.0} pairs/s {:>7.3} ms/pair {:>6.1} MB/s  {:.2} x the floor",
            pairs.len() as f64 / seconds,
            seconds * 1e3 / pairs.len() as f64,
            megabytes / seconds,
            seconds / floor
        );
    }
}

fn main() {
    let Some(pairs) = real_pairs() else {
        println!("the real pages (../shared/data) are not here: nothing to measure");
        return;
    };
    race("all real pairs", &pairs, 5);
}

//! What is meant by what was typed: options of the library.

use std::path::Path;

use anyhow::{Context, Result, bail};
use driftline::compare::CompareOptions;
use driftline::degree::cosine::{Corpus, Idf};
use driftline::degree::ied::{self, Costs};
use driftline::page::zone::Zones;
use driftline::page::{BodyKind, Limits, ReadOptions, WordRule};
use driftline::region::comparison::Options;
use driftline::region::similarity::{Typedist, Weights};
use driftline::region::{AttributeWeights, RegionOptions};

use crate::args::{DegreeArgs, Kind, PageArgs, RegionArgs, TypedistForm, Variant, Words};

/// How pages are read.
pub(crate) fn read_options(args: &PageArgs) -> ReadOptions {
    ReadOptions {
        kind: None,
        charset: args.charset,
        words: match args.words {
            Words::Unicode => WordRule::Unicode,
            Words::Whitespace => WordRule::Whitespace,
        },
        zones: Zones { include: args.zones.clone(), ignore: args.ignores.clone() },
        normalisers: args.normalisers.iter().copied().collect(),
        limits: Limits { bytes: args.max_bytes, ..Limits::DEFAULT },
    }
}

/// How they are measured.
pub(crate) fn compare_options(args: &DegreeArgs, region: &RegionArgs) -> Result<CompareOptions> {
    let Options { weights, typedist, attribute_weights, .. } = comparison(region)?;
    let usual = RegionOptions::default();
    let typedist = if region.typedist.is_some() { typedist } else { usual.typedist };
    Ok(CompareOptions {
        costs: Costs::new(args.copy_cost, args.move_cost)?,
        shingle_length: shingle_length(args.shingle, "words")?,
        idf: idf(&args.idf)?,
        variant: match args.variant {
            Variant::Ied => ied::Variant::Phases,
            Variant::IedRefined => ied::Variant::Refined,
            Variant::IedGap => ied::Variant::Gap,
        },
        regions: RegionOptions { weights, typedist, attribute_weights, ..usual },
    })
}

/// How elements are compared.
pub(crate) fn comparison(args: &RegionArgs) -> Result<Options> {
    let &[alpha, beta, gamma] = args.weights.as_slice() else {
        bail!("there are three weights, not {}\nhint: `--weights 0.4,0.3,0.3`", args.weights.len());
    };
    Ok(Options {
        weights: Weights::new(alpha, beta, gamma)?,
        typedist: match args.typedist {
            Some(TypedistForm::Sum) => Typedist::Sum,
            Some(TypedistForm::Product) | None => Typedist::Product,
        },
        attribute_weights: match &args.attribute_weights {
            Some(file) => attribute_weights(file)?,
            None => AttributeWeights::default(),
        },
        ..Options::default()
    })
}

fn attribute_weights(file: &Path) -> Result<AttributeWeights> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read the attribute weights `{name}`"))?;
    AttributeWeights::parse(&text).with_context(|| format!("cannot use the attribute weights `{name}`"))
}

/// A shingle of no words, or of no tags, is no shingle, and one of a million is a mistake.
pub(crate) fn shingle_length(length: usize, of_what: &str) -> Result<usize> {
    if !(1..=10_000).contains(&length) {
        bail!("a shingle has from 1 to 10,000 {of_what}, not {length}");
    }
    Ok(length)
}

fn idf(name: &str) -> Result<Idf> {
    match name {
        "none" => Ok(Idf::None),
        "pair" => Ok(Idf::Pair),
        file => {
            let text = std::fs::read_to_string(file).with_context(|| {
                format!(
                    "cannot read the corpus `{file}`\nhint: make one with `driftline measure --corpus {file} FOLDER`"
                )
            })?;
            let corpus = Corpus::from_text(&text).with_context(|| format!("cannot use the corpus `{file}`"))?;
            Ok(Idf::Corpus(corpus.into()))
        }
    }
}

/// What a body of this declared kind is read as.
pub(crate) fn body_kind(kind: Kind) -> BodyKind {
    match kind {
        Kind::Text => BodyKind::Text,
        Kind::Html => BodyKind::Html,
        Kind::Xml | Kind::Feed => BodyKind::Xml,
        Kind::Json => BodyKind::Json,
    }
}

/// What a file of this name is read as, if the name says.
pub(crate) fn body_kind_of(path: &Path) -> Option<BodyKind> {
    BodyKind::from_file_name(path.file_name()?.to_str()?)
}

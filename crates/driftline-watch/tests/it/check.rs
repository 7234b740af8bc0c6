//! One check after the other, on a real archive and a real catalog; only the network is a script.

mod edits;
mod feeds;
mod flicker;
mod lists;
mod lost;
mod noise;
mod pages;
mod races;
mod rules;
mod samples;
mod silence;
mod stage;
mod streams;
mod texts;
mod trouble;
mod zones;

//! [`driftline_fuzz::index`], driven by libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| driftline_fuzz::index::run(bytes));

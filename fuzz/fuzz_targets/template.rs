//! [`driftline_fuzz::template`], driven by libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| driftline_fuzz::template::run(bytes));

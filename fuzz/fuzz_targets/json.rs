//! [`driftline_fuzz::json`], driven by libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| driftline_fuzz::json::run(bytes));

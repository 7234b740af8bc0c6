//! [`driftline_fuzz::feed`], driven by libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| driftline_fuzz::feed::run(bytes));

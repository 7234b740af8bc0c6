//! [`driftline_fuzz::settings`], driven by libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| driftline_fuzz::settings::run(bytes));

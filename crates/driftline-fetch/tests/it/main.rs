//! Pages from real servers on loopback, over HTTP and through Chromium: one program, because each takes long to link.

mod fetching;
#[cfg(feature = "browser")]
mod in_chromium;

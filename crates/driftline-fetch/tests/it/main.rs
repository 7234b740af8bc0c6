//! Pages from real servers on loopback, over HTTP and through Chromium: one program, because each takes long to link.

#[cfg(feature = "browser")]
mod browser;
mod fetching;

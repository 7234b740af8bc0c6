//! Pages in a real, headless Chromium, from servers on loopback.

mod chromium;
mod limits;
mod memory;
mod pages;
mod safety;

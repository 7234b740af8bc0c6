//! Pages in a real, headless Chromium, from servers on loopback.

mod chromium;
mod pages;
mod safety;

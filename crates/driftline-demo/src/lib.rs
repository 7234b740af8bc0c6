//! An evolving web site on loopback: what `driftline demo` watches, and the tests too.
//!
//! The library of an island: a dozen pages of two templates, a feed, a sitemap, robots.txt. It has a [`story`]: step
//! by step something happens, and each step says what a watcher should find. The site has no clock and no chance in it:
//! whoever runs it [sets the step](Site::set), and the same step is always the same site.
//!
//! ```
//! let site = driftline_demo::Site::start()?;
//! site.set(driftline_demo::story::step("price").unwrap());
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod date;
mod feed;
pub mod island;
pub mod page;
mod server;
mod site;
pub mod story;
mod template;
mod watches;

pub use site::{Counts, Site};

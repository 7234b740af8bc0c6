//! The integration tests of the command, in one program: runs of the real binary.

mod archive_care;
mod archive_export;
mod archive_import;
mod archive_list;
mod captures;
mod culprits;
mod demo;
mod diff;
mod diff_browser;
mod diff_feed;
#[cfg(unix)]
mod docs;
mod evaluate;
mod evaluate_novelty;
mod evaluate_redesign;
mod evaluate_regions;
mod events;
mod in_chromium;
#[cfg(unix)]
mod journey;
mod measure;
mod measure_collection;
mod message_headers;
mod novelty;
mod novelty_content;
mod one_change;
#[cfg(unix)]
mod permissions;
#[cfg(target_os = "linux")]
mod power_cuts;
mod real_archive;
mod redesign;
mod redesign_input;
mod redesign_state;
mod retention;
#[cfg(unix)]
mod serve;
mod snapshot_add;
mod snapshot_read;
mod stored_views;
mod support;
mod watch_add;
mod watch_files;

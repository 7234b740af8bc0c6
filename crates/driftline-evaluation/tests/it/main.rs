//! The integration tests of `driftline-evaluation` in one program: it links once.

mod adaptive;
mod artail_counts;
mod gottron_tables;
mod kwon_criteria;

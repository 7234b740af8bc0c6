//! The integration tests of `driftline-evaluation` in one program: it links once.

mod artail_counts;
mod kwon_criteria;

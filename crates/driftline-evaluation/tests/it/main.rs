//! The integration tests of `driftline-evaluation` in one program: it links once.

mod kwon_criteria;

//! Checks, messages and whole daemons: one program, because each takes long to link.

mod check;
mod end_to_end;
mod tell;

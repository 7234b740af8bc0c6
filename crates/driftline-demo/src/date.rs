//! What day is it in the story? Step after step, a day each, from the 2nd of March 2026 on.

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// March has 31 days; no story is longer.
const LAST: usize = 29;

/// As HTTP writes it.
pub(crate) fn http(step: usize) -> String {
    let step = step.min(LAST);
    format!("{}, {:02} Mar 2026 06:00:00 GMT", WEEKDAYS[step % 7], step + 2)
}

/// As Atom writes it.
pub(crate) fn atom(step: usize) -> String {
    format!("2026-03-{:02}T06:00:00Z", step.min(LAST) + 2)
}

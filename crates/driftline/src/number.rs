//! Numbers in prose.

/// A count with thousands set apart: `12,345`.
///
/// ```
/// assert_eq!([7, 999, 1_000, 12_345_678].map(driftline::number::grouped), ["7", "999", "1,000", "12,345,678"]);
/// ```
#[must_use]
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

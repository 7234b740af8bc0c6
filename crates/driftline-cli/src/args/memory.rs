//! How much memory may be taken? Bytes, or 512M, or 8G.

/// Bytes, with the letter of a power of 1024 behind them if one likes.
pub(crate) fn memory(text: &str) -> Result<usize, String> {
    let upper = text.trim().to_ascii_uppercase();
    let bare = upper.trim_end_matches("IB").trim_end_matches('B');
    let digits = bare.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    let shift = match &bare[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("write bytes, or 512M, or 8G".to_owned()),
    };
    let bytes = digits.trim().parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    let enough = |bytes: &usize| *bytes >= LEAST_MEMORY;
    bytes.filter(enough).ok_or_else(|| "write bytes, or 512M, or 8G; 64M is the least".to_owned())
}

/// Below this, sorting would be nothing but files.
const LEAST_MEMORY: usize = 64 << 20;

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn memory_is_written_with_a_letter() {
        assert_eq!(memory("2G"), Ok(2 << 30));
        assert_eq!(memory("512MiB"), Ok(512 << 20));
        assert_eq!(memory("64 mb"), Ok(64 << 20));
        assert_eq!(memory("67108864"), Ok(64 << 20));
        for odd in ["", "G", "1X", "-1G", "1.5G", "1M", "99999999999999999999", "18446744073709551615T"] {
            assert!(memory(odd).is_err(), "{odd}");
        }
    }
}

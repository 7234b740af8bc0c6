//! The nesting of a file of jobs, estimated before the parser of YAML reads it.
//!
//! The parser looks at all open brackets for each token: 200 kB of `{a: {a: …` took 10 s. Quotation marks and comments
//! are not known here, so that brackets in texts count too; that is why they may be open by the thousand.

/// The most steps of the parser: tokens, times the brackets that are open at each. A second.
const MOST_STEPS: u64 = 1 << 28;

/// The line from which on reading would take too long, from 1.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let (mut open, mut steps) = (0_u64, 0_u64);
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("---") {
            open = 0;
        }
        for byte in line.bytes() {
            match byte {
                b'{' | b'[' => open += 1,
                b'}' | b']' => open = open.saturating_sub(1),
                b':' | b',' | b'?' | b'"' | b'\'' | b'&' | b'*' | b'!' => {}
                _ => continue,
            }
            steps += open;
        }
        if steps > MOST_STEPS {
            return Some(number + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_jobs_is_not_too_deep_whatever_brackets_are_in_its_texts() {
        let job = "url: http://a.test/?a[]=1\nfilter:\n  - re.sub: {pattern: '[[{', repl: ''}\n  - css: 'a[b='\n";
        assert_eq!(too_deep(&job.repeat(2_000)), None);
        assert_eq!(too_deep(&format!("{job}---\n").repeat(100_000)), None);
    }

    #[test]
    fn brackets_in_each_other_by_the_thousand_are_too_deep() {
        assert_eq!(too_deep(&"{a: ".repeat(50_000)), Some(1));
        assert!(too_deep(&"a:\n[".repeat(50_000)).is_some());
    }
}

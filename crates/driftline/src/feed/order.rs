//! Which items were reordered? As few as explain the new order.

/// Whether each element of a sequence of distinct numbers is outside a longest increasing run of it
/// (not necessarily of neighbours).
pub(super) fn out_of_order(sequence: &[usize]) -> Vec<bool> {
    // By length of a run: where the run ends whose last number is smallest.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(sequence.len());
    for (at, number) in sequence.iter().enumerate() {
        let length = ends.partition_point(|&end| sequence[end] < *number);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut is_out = vec![true; sequence.len()];
    let mut at = ends.last().copied();
    while let Some(kept) = at {
        is_out[kept] = false;
        at = before[kept];
    }
    is_out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_in_order_is_not_reordered() {
        assert_eq!(out_of_order(&[]), [false; 0]);
        assert_eq!(out_of_order(&[2, 5, 9]), [false; 3]);
    }

    #[test]
    fn one_item_that_jumps_is_the_only_one_reordered() {
        assert_eq!(out_of_order(&[1, 2, 3, 0]), [false, false, false, true]);
        assert_eq!(out_of_order(&[3, 0, 1, 2]), [true, false, false, false]);
    }

    #[test]
    fn of_a_reversed_feed_one_item_stays() {
        assert_eq!(out_of_order(&[3, 2, 1, 0]).iter().filter(|is_out| **is_out).count(), 3);
    }
}

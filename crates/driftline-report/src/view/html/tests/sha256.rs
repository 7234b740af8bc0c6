//! What is the hash of a file in a policy? SHA-256 in base 64, step by step as FIPS 180-4, section
//! 6.2, has it: a dependency for two hashes in a test would be too much.

/// The hash as a policy writes it.
pub(crate) fn base64(message: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let hash = hash(message);
    let letters = hash.chunks(3).map(|chunk| {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        let letter = |at: usize| char::from(LETTERS[(bits >> (18 - 6 * at) & 63) as usize]);
        (0..4).map(|at| if at <= chunk.len() { letter(at) } else { '=' }).collect::<String>()
    });
    letters.collect()
}

fn hash(message: &[u8]) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(0x80);
    let length = (padded.len() + 8).next_multiple_of(64);
    padded.resize(length, 0);
    padded[length - 8..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    let mut state = roots(2, 8);
    for block in padded.chunks(64) {
        compress(&mut state, block);
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// The first 32 bits of the fractions of the square or cube roots of the first primes.
fn roots(degree: i32, count: usize) -> Vec<u32> {
    let is_prime = |number: &u32| (2..*number).all(|divisor| !number.is_multiple_of(divisor));
    let fraction = |prime: u32| {
        // The largest r with r^degree <= prime * 2^(32 degree), by halving.
        let target = u128::from(prime) << (32 * degree);
        let (mut low, mut high) = (0_u128, 1_u128 << 40);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if middle.pow(degree.unsigned_abs()) <= target { low = middle } else { high = middle }
        }
        low as u32
    };
    (2..).filter(is_prime).take(count).map(fraction).collect()
}

fn compress(state: &mut [u32], block: &[u8]) {
    let constants = roots(3, 64);
    let mut words: Vec<u32> =
        block.chunks(4).map(|bytes| bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect();
    for at in 16..64 {
        let (early, late) = (words[at - 15], words[at - 2]);
        let small = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let large = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        words.push(words[at - 16].wrapping_add(small).wrapping_add(words[at - 7]).wrapping_add(large));
    }
    let mut now = state.to_vec();
    for (word, constant) in words.iter().zip(constants) {
        let (a, e) = (now[0], now[4]);
        let choice = (e & now[5]) ^ (!e & now[6]);
        let majority = (a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]);
        let first = (e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
            .wrapping_add(now[7])
            .wrapping_add(choice)
            .wrapping_add(constant)
            .wrapping_add(*word);
        let second = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(majority);
        now.rotate_right(1);
        now[4] = now[4].wrapping_add(first);
        now[0] = first.wrapping_add(second);
    }
    for (word, next) in state.iter_mut().zip(now) {
        *word = word.wrapping_add(next);
    }
}

#[test]
fn the_hash_of_abc_is_that_of_the_standard() {
    assert_eq!(base64(b"abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

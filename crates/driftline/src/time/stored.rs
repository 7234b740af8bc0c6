//! How is a time stored and sent? As WARC files write it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Time;

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn a_time_comes_back_to_the_microsecond() {
        for microseconds in [0, 1_700_000_000_123_456, -1] {
            let time = Time::from_microseconds(microseconds);
            let stored = serde_json::to_string(&time).unwrap();
            assert_eq!(serde_json::from_str::<Time>(&stored).unwrap(), time, "{stored}");
        }
    }
}

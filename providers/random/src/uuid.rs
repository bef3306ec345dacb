//! UUIDs come in kinds. All that is asked of a kind here is how to make one; the spelling is always the canonical one.

use std::time::{Duration, SystemTime, SystemTimeError, UNIX_EPOCH};

use uuid::Builder;

use crate::entropy::{Entropy, NoEntropy};

/// Why there is no UUID.
#[derive(Debug, thiserror::Error)]
pub enum UuidError {
    /// No randomness.
    #[error(transparent)]
    Entropy(#[from] NoEntropy),
    /// The clock is before 1970.
    #[error("read the clock")]
    Clock(#[from] SystemTimeError),
    /// The clock is in the far future.
    #[error("tell the time in milliseconds: the clock is too far ahead")]
    FarFuture,
}

/// A UUID of version 4: random.
pub fn version_4() -> Result<String, UuidError> {
    Ok(spelled(Builder::from_random_bytes(Entropy::new()?.array())))
}

/// A UUID of version 7: the time, then random. Later ones sort after earlier ones by the clock, to a quarter of a microsecond: many are drawn
/// in one millisecond, and nobody here knows of the others.
pub fn version_7() -> Result<String, UuidError> {
    version_7_at(SystemTime::now().duration_since(UNIX_EPOCH)?)
}

fn version_7_at(since_1970: Duration) -> Result<String, UuidError> {
    let milliseconds = u64::try_from(since_1970.as_millis()).map_err(|_| UuidError::FarFuture)?;
    // What is left of the millisecond fits the twelve bits behind it, as in the native provider.
    let [high, low] = u16::try_from((since_1970.subsec_nanos() % 1_000_000) >> 8).unwrap_or(u16::MAX).to_be_bytes();
    let mut behind = Entropy::new()?.array();
    (behind[0], behind[1]) = (high, low);
    Ok(spelled(Builder::from_unix_timestamp_millis(milliseconds, &behind)))
}

fn spelled(builder: Builder) -> String {
    builder.into_uuid().hyphenated().to_string()
}

#[cfg(test)]
mod tests {
    use uuid::{Uuid, Variant};

    use super::*;

    #[test]
    fn versions_are_marked() {
        for (text, version) in [(version_4().unwrap(), 4), (version_7().unwrap(), 7)] {
            let uuid = Uuid::parse_str(&text).unwrap();
            assert_eq!((uuid.get_version_num(), uuid.get_variant()), (version, Variant::RFC4122));
            assert_eq!(uuid.hyphenated().to_string(), text);
        }
    }

    #[test]
    fn version_7_begins_with_the_time() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let uuid = Uuid::parse_str(&version_7().unwrap()).unwrap();
        let (seconds, _) = uuid.get_timestamp().unwrap().to_unix();
        assert!(seconds.abs_diff(now) <= 1);
    }

    #[test]
    fn those_of_version_7_sort_by_the_time_within_a_millisecond_too() {
        let moments = [999_999_999, 1_000_000_000, 1_000_000_256, 1_000_500_000, 1_000_999_999, 1_001_000_000];
        let drawn = moments.map(|nanoseconds| version_7_at(Duration::from_nanos(nanoseconds)).unwrap());
        assert!(drawn.is_sorted_by(|earlier, later| earlier < later), "{drawn:?}");
        assert_eq!(drawn.each_ref().map(|uuid| &uuid[15..18]), ["f42", "000", "001", "7a1", "f42", "000"]);
    }
}

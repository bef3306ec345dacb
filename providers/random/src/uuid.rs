//! UUIDs come in kinds. All that is asked of a kind here is how to make one; the spelling is always the canonical one.

use std::time::{SystemTime, SystemTimeError, UNIX_EPOCH};

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

/// A UUID of version 7: the time in milliseconds, then random. Later ones sort after earlier ones.
pub fn version_7() -> Result<String, UuidError> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let milliseconds = u64::try_from(since_1970.as_millis()).map_err(|_| UuidError::FarFuture)?;
    Ok(spelled(Builder::from_unix_timestamp_millis(milliseconds, &Entropy::new()?.array())))
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
}

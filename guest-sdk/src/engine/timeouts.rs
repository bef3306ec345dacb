//! How long a resource's operations may take.

use std::time::Duration;

use crate::bindings::wit::options as wit;

/// How long a resource's operations may take; what isn't said is up to its provider.
///
/// ```
/// use std::time::Duration;
///
/// use bulkhead_sdk::engine::Timeouts;
///
/// let patient = Timeouts { create: Some(Duration::from_secs(3600)), ..Timeouts::default() };
/// # _ = patient;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// For creating.
    pub create: Option<Duration>,
    /// For updating.
    pub update: Option<Duration>,
    /// For deleting.
    pub delete: Option<Duration>,
    /// For reading.
    pub read: Option<Duration>,
}

impl From<Timeouts> for wit::CustomTimeouts {
    fn from(timeouts: Timeouts) -> Self {
        let spell = |timeout: Option<Duration>| timeout.map(spell).unwrap_or_default();
        Self {
            create: spell(timeouts.create),
            update: spell(timeouts.update),
            delete: spell(timeouts.delete),
            read: spell(timeouts.read),
        }
    }
}

/// A duration in the engine's notation: `1h30m0s`, `1.5s`.
fn spell(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut spelt = String::new();
    if hours > 0 {
        spelt.push_str(&format!("{hours}h"));
    }
    if hours > 0 || minutes > 0 {
        spelt.push_str(&format!("{minutes}m"));
    }
    let fraction = format!("{:09}", duration.subsec_nanos());
    match fraction.trim_end_matches('0') {
        "" => spelt.push_str(&format!("{seconds}s")),
        fraction => spelt.push_str(&format!("{seconds}.{fraction}s")),
    }
    spelt
}

#[cfg(test)]
mod tests {
    use super::*;

    /// COMP-08.
    #[test]
    fn durations_are_spelt_as_engines_read_them() {
        for (duration, spelt) in [
            (Duration::ZERO, "0s"),
            (Duration::from_secs(59), "59s"),
            (Duration::from_secs(60), "1m0s"),
            (Duration::from_secs(5400), "1h30m0s"),
            (Duration::from_millis(1500), "1.5s"),
            (Duration::from_nanos(1), "0.000000001s"),
            (Duration::from_secs(36_000), "10h0m0s"),
        ] {
            assert_eq!(spell(duration), spelt);
        }
    }
}

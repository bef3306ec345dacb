//! What came of a call, by the code of its answer.

/// What came of a call. The codes are gRPC's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome(u16);

/// The codes, by their numbers.
const NAMES: [&str; 17] = [
    "ok",
    "cancelled",
    "unknown",
    "invalid-argument",
    "deadline-exceeded",
    "not-found",
    "already-exists",
    "permission-denied",
    "resource-exhausted",
    "failed-precondition",
    "aborted",
    "out-of-range",
    "unimplemented",
    "internal",
    "unavailable",
    "data-loss",
    "unauthenticated",
];

/// Those that the server failed with, by OpenTelemetry's conventions. The others tell whoever asked about what was asked.
const FAILURES: [&str; 6] = ["unknown", "deadline-exceeded", "unimplemented", "internal", "unavailable", "data-loss"];

impl Outcome {
    /// The caller was gone before the answer.
    pub const CANCELLED: Self = Self(1);

    /// By its code. One that isn't known is unknown.
    pub fn of(code: i32) -> Self {
        Self(u16::try_from(code).ok().filter(|code| usize::from(*code) < NAMES.len()).unwrap_or(2))
    }

    /// As lines have it.
    pub(super) fn name(self) -> &'static str {
        NAMES.get(usize::from(self.0)).copied().unwrap_or("unknown")
    }

    /// As conventions for traces have it.
    pub(super) fn constant(self) -> String {
        self.name().replace('-', "_").to_uppercase()
    }

    pub(super) fn number(self) -> u16 {
        self.0
    }

    /// Whether the server failed.
    pub(super) fn is_failure(self) -> bool {
        FAILURES.contains(&self.name())
    }
}

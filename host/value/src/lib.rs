//! bulkhead-value

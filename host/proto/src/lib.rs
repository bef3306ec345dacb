//! bulkhead-proto

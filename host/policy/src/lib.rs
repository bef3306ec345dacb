//! bulkhead-policy

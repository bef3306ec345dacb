//! bulkhead-schema

//! bulkhead-sdk

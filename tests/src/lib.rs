//! bulkhead-tests

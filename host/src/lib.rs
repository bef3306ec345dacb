//! bulkhead

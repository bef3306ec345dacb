//! Where the checked-in code is bound to its module path.
//!
//! Nothing is written by hand below `generated/`: `tests/bootstrap.rs` writes it, and fails when it isn't what `proto/` says.
//! The nesting is prescribed: generated paths are relative to the protobuf package they stand in.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::allow_attributes_without_reason,
    reason = "generated code is held to what its generator writes"
)]

pub(crate) mod pulumirpc {
    include!("generated/pulumirpc.rs");

    pub(crate) mod codegen {
        include!("generated/pulumirpc.codegen.rs");
    }
}

pub(crate) mod codegen {
    include!("generated/codegen.rs");
}

pub(crate) mod google {
    pub(crate) mod rpc {
        include!("generated/google.rpc.rs");
    }
}

/// `opentelemetry.proto.collector.trace.v1`, whose definitions refer to nothing outside of it.
pub(crate) mod opentelemetry {
    include!("generated/opentelemetry.proto.collector.trace.v1.rs");
}

//! Generated bindings of `wit/`, and nothing else.
//!
//! The world is the host's view: all imports that it offers, all exports that it can use. A guest's exports are bound one
//! interface at a time, so that each is optional (`component::exports`).

mod generated {
    wasmtime::component::bindgen!({
        path: "../wit",
        inline: "
            package bulkhead:host;
            world hosted {
                import bulkhead:provider/log@0.1.0;
                import bulkhead:provider/defaults@0.1.0;
                import bulkhead:provider/operation@0.1.0;
                import bulkhead:provider/session@0.1.0;
                import bulkhead:provider/engine@0.1.0;
                import bulkhead:provider/assets@0.1.0;
                import bulkhead:provider/packages@0.1.0;
                import bulkhead:provider/views@0.1.0;
                export bulkhead:provider/schema@0.1.0;
                export bulkhead:provider/config@0.1.0;
                export bulkhead:provider/resources@0.1.0;
                export bulkhead:provider/check@0.1.0;
                export bulkhead:provider/diff@0.1.0;
                export bulkhead:provider/preview@0.1.0;
                export bulkhead:provider/config-check@0.1.0;
                export bulkhead:provider/config-diff@0.1.0;
                export bulkhead:provider/upgrade@0.1.0;
                export bulkhead:provider/functions@0.1.0;
                export bulkhead:provider/components@0.1.0;
                export bulkhead:provider/parameterization@0.1.0;
                export bulkhead:provider/lists@0.1.0;
                export bulkhead:provider/mappings@0.1.0;
            }
        ",
        imports: {
            "bulkhead:provider/operation.sleep": async | trappable | tracing,
            "bulkhead:provider/session.lock": async | trappable | tracing,
            "bulkhead:provider/engine.get-deployment": async | trappable | tracing,
            "bulkhead:provider/engine.register-outputs": async | trappable | tracing,
            "bulkhead:provider/engine.[method]pending-resource.wait": async | trappable | tracing,
            "bulkhead:provider/engine.[method]pending-value.wait": async | trappable | tracing,
            "bulkhead:provider/packages.get-schema": async | trappable | tracing,
            "bulkhead:provider/packages.get-parameterized-schema": async | trappable | tracing,
            "bulkhead:provider/packages.get-mapping": async | trappable | tracing,
            "bulkhead:provider/packages.resolve": async | trappable | tracing,
            "bulkhead:provider/views.publish": async | trappable | tracing,
            "bulkhead:provider/assets.open-asset": async | trappable | tracing,
            "bulkhead:provider/assets.open-archive": async | trappable | tracing,
            "bulkhead:provider/assets.[method]blob.read": async | trappable | tracing,
            "bulkhead:provider/assets.[method]reader.open": async | trappable | tracing,
            default: trappable | tracing,
        },
        exports: { default: async },
    });
}

pub(crate) use generated::bulkhead::provider::{
    assets, defaults, engine, log, operation, options, packages, session, types, values, views,
};
pub(crate) use generated::exports::bulkhead::provider as exports;

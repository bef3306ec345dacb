//! What a component asks of the host, seen at the one place that nearly all imports have in common: the spans that generated bindings
//! open, ours and WASI's alike, with their names and no arguments. Imports that are linked by hand say it themselves (`host_call.rs`).
//!
//! They are switched off until somebody listens.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id};
use tracing::subscriber::Interest;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, Filter};
use tracing_subscriber::registry::LookupSpan;

use super::host_call::HostCall;

/// What generated bindings call the span of an import.
const IMPORT: &str = "wit-bindgen import";
/// Calls that touch nothing but the guest's own handles and time, and come by the thousand.
const QUIET: [&str; 9] = [
    "wasi:io/",
    "wasi:http/types.",
    "wasi:clocks/",
    "wasi:random/",
    "wasi:cli/std",
    "wasi:cli/terminal",
    "wasi:cli/exit",
    "bulkhead:provider/operation.remaining",
    "bulkhead:provider/operation.cancelled",
];

static LISTENING: AtomicBool = AtomicBool::new(false);

/// Has host calls noticed from now on, in a process whose subscriber has [`HostCalls`] among its layers.
pub fn listen() {
    if !LISTENING.swap(true, Ordering::AcqRel) {
        tracing::callsite::rebuild_interest_cache();
    }
}

/// The layer that notices them.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostCalls;

impl HostCalls {
    fn concerns(metadata: &Metadata<'_>) -> bool {
        LISTENING.load(Ordering::Acquire) && metadata.is_span() && metadata.name() == IMPORT
    }
}

impl<S> Filter<S> for HostCalls {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        Self::concerns(metadata)
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        if Self::concerns(metadata) { Interest::always() } else { Interest::never() }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(if LISTENING.load(Ordering::Acquire) { LevelFilter::TRACE } else { LevelFilter::OFF })
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for HostCalls {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut named = Named::default();
        attributes.record(&mut named);
        let interface = interface(attributes.metadata().target(), &named.module);
        let whole = format!("{interface}.{}", named.function);
        if QUIET.iter().any(|quiet| whole.starts_with(quiet)) || named.function.starts_with("[drop]") {
            return;
        }
        if let (Some(span), Some(call)) = (context.span(id), HostCall::begin(&interface, &named.function)) {
            span.extensions_mut().insert(call);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        drop(context.span(&id).and_then(|span| span.extensions_mut().remove::<HostCall>()));
    }
}

#[derive(Default)]
struct Named {
    module: String,
    function: String,
}

impl Visit for Named {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "module" => value.clone_into(&mut self.module),
            "function" => value.clone_into(&mut self.function),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

/// The interface as WIT calls it, by the path of the module that was generated for it: `…::wasi::filesystem::types`.
fn interface(path: &str, module: &str) -> String {
    let mut parts = path.rsplit("::").skip(1);
    match (parts.next(), parts.next()) {
        (Some(package), Some(namespace)) => format!("{namespace}:{}/{module}", package.replace('_', "-")),
        _ => module.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::interface;

    #[test]
    fn interfaces_are_called_as_in_wit() {
        for (path, module, expected) in [
            ("somebody::p2::bindings::async_io::generated::wasi::filesystem::types", "types", "wasi:filesystem/types"),
            ("bulkhead::wit::bindings::generated::bulkhead::provider::log", "log", "bulkhead:provider/log"),
            ("types", "types", "types"),
        ] {
            assert_eq!(interface(path, module), expected);
        }
    }
}

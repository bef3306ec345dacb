//! One linker with everything that any component may import.

use wasmtime::Engine;
use wasmtime::component::{HasSelf, Linker};

use super::{environment, filesystem, http, random, sockets, waiting};
use crate::store::State;
use crate::wit::bindings::{
    assets, defaults, engine, log, operation, options, packages, session, types, values, views,
};

/// Links all imports.
///
/// # Errors
/// Two definitions of one import.
pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    // Stock waits end only when what they wait for happens; ours also when the call does.
    linker.allow_shadowing(true);
    waiting::add_to_linker(&mut linker)?;
    environment::add_to_linker(&mut linker)?;
    filesystem::add_to_linker(&mut linker)?;
    // Stock sockets ask nobody.
    sockets::add_to_linker(&mut linker)?;
    random::add_to_linker(&mut linker)?;
    linker.allow_shadowing(false);
    http::add_to_linker(&mut linker)?;
    defaults::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    engine::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    log::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    operation::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    session::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    assets::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    packages::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    views::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    Ok(linker)
}

impl options::Host for State {}
impl types::Host for State {}
impl values::Host for State {}

#[cfg(test)]
mod tests {
    use wasmtime::{Engine, StoreContextMut};
    use wasmtime_wasi_http::p2::bindings::http::{outgoing_handler, types};
    use wasmtime_wasi_http::{WasiHttp, WasiHttpCtxView};

    use super::*;

    /// What is linked where nobody replaces anything.
    fn stock() -> Linker<State> {
        fn nobody(_: &mut State) -> WasiHttpCtxView<'_> {
            unreachable!("nothing is called")
        }
        let mut linker = Linker::new(&Engine::default());
        wasmtime_wasi::p2::add_to_linker_async(&mut linker).unwrap();
        types::add_to_linker::<_, WasiHttp>(&mut linker, &types::LinkOptions::default(), nobody).unwrap();
        outgoing_handler::add_to_linker::<_, WasiHttp>(&mut linker, nobody).unwrap();
        linker
    }

    /// A function of another version stands beside the stock one, which components get that ask for its version or a later one. Then
    /// nobody asks policy any more.
    #[test]
    fn what_is_replaced_by_name_is_what_wasmtime_has() {
        let of_files = filesystem::REPLACED.map(|function| (filesystem::TYPES, function));
        let of_heads = http::heads::REPLACED.map(|function| (http::TYPES, function));
        let of_bodies = http::bodies::REPLACED.map(|function| (http::TYPES, function));
        let of_http = [(http::TYPES, http::REPLACED), (http::HANDLER, http::HANDLE)];
        let of_roots = [(filesystem::roots::INTERFACE, filesystem::roots::DIRECTORIES)];
        for (interface, function) in
            of_files.into_iter().chain(of_roots).chain(of_heads).chain(of_bodies).chain(of_http)
        {
            let mut linker = stock();
            let ours = |_: StoreContextMut<'_, State>, (): ()| Ok(());
            let error =
                linker.instance(interface).unwrap().func_wrap(function, ours).map_err(|error| error.to_string());
            assert!(
                error.as_ref().is_err_and(|error| error.contains("defined twice")),
                "wasmtime has no `{function}` in `{interface}` any more, so that ours replaces nothing: look up its version of \
                 the interface, and name that in `imports`: {error:?}"
            );
        }
        let mut linker = stock();
        let other = filesystem::TYPES.replace("0.2.12", "0.2.11");
        let beside = linker.instance(&other).unwrap().func_wrap("x", |_: StoreContextMut<'_, State>, (): ()| Ok(()));
        assert!(beside.is_ok(), "another version is another instance");
    }
}

//! Lookups of names that are granted. What they stand for is kept for the connections to come.

use std::net::IpAddr;
use std::sync::Arc;
use std::vec::IntoIter;

use bulkhead_policy::{Destination, Host as Named, Scheme, Why};
use tokio::task::JoinHandle;
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::sockets::ip_name_lookup::{Host, HostResolveAddressStream, ResolveAddressStream};
use wasmtime_wasi::p2::bindings::sockets::network::{ErrorCode, IpAddress, Network};
use wasmtime_wasi::p2::{DynPollable, Pollable, SocketResult, subscribe};

use super::super::{handles, http};
use crate::outgoing::{OutgoingError, Terms};
use crate::store::{Room, State};

/// What a lookup takes until its answer is asked for, bytes: a task, its timers, and what is asked.
const LOOKUP: usize = 2 << 10;

/// What is found for a name.
type Found = Result<Vec<IpAddr>, ErrorCode>;

/// A lookup, under way or done.
enum Lookup {
    /// The task is there until somebody asks for its answer, which it may have long before.
    Asking {
        asking: JoinHandle<Found>,
        _room: Arc<Room>,
    },
    Found(Result<IntoIter<IpAddr>, ErrorCode>),
}

impl Drop for Lookup {
    fn drop(&mut self) {
        if let Self::Asking { asking, .. } = self {
            asking.abort();
        }
    }
}

#[async_trait::async_trait]
impl Pollable for Lookup {
    async fn ready(&mut self) {
        if let Self::Asking { asking, .. } = self {
            let found = asking.await.unwrap_or(Err(ErrorCode::Unknown));
            *self = Self::Found(found.map(Vec::into_iter));
        }
    }
}

impl Host for State {
    fn resolve_addresses(
        &mut self,
        network: Resource<Network>,
        name: String,
    ) -> SocketResult<Resource<ResolveAddressStream>> {
        self.table.get(&network)?;
        let host = Named::parse(&name).ok_or_else(|| self.illegible(&name))?;
        if let Named::Address(address) = host {
            // Its own, and nobody is asked. Whether it may be connected to is asked then.
            return self.lookup(Lookup::Found(Ok(vec![address].into_iter())));
        }
        let to = Destination { scheme: Scheme::Tcp, host, port: None, method: None };
        let authority = Arc::clone(&self.call.authority);
        let reach = authority.destination(&to).map_err(|_| ErrorCode::AccessDenied)?;
        let (connector, findings) = (self.call.outgoing.clone(), self.sockets.findings());
        let terms = Terms::new(None, None, None, self.call.deadline);
        let room = self.kept.room(LOOKUP, "lookups").map_err(wasmtime_wasi::p2::SocketError::trap)?;
        let room = Arc::new(room);
        // Of what is dropped, the task goes a little later.
        let until_gone = Arc::clone(&room);
        let asking = async move {
            let _room = until_gone;
            let asked = terms.within(terms.connect, connector.addresses(&*authority, &reach, &to)).await;
            let found = asked.unwrap_or(Err(OutgoingError::ConnectTimeout)).map_err(code)?;
            findings.keep(&to.host, &found);
            Ok(found)
        };
        self.lookup(Lookup::Asking { asking: tokio::spawn(asking), _room: room })
    }
}

impl State {
    /// Keeps that a name is denied which is none, as one in a request is: who asks for such may be after a way around what was granted.
    fn illegible(&self, name: &str) -> ErrorCode {
        let why = OutgoingError::Target("names no host").to_string();
        self.call.authority.never(format!("{}://{}", Scheme::Tcp, http::named(name)), Why::Other(why));
        ErrorCode::InvalidArgument
    }

    fn lookup(&mut self, lookup: Lookup) -> SocketResult<Resource<ResolveAddressStream>> {
        handles::added(&mut self.table, lookup).map_err(wasmtime_wasi::p2::SocketError::trap)
    }
}

impl HostResolveAddressStream for State {
    fn resolve_next_address(&mut self, stream: Resource<ResolveAddressStream>) -> SocketResult<Option<IpAddress>> {
        let lookup = self.table.get_mut(&Resource::<Lookup>::new_borrow(stream.rep()))?;
        match lookup {
            Lookup::Asking { .. } => Err(ErrorCode::WouldBlock.into()),
            Lookup::Found(Ok(addresses)) => Ok(addresses.next().map(IpAddress::from)),
            Lookup::Found(Err(error)) => Err((*error).into()),
        }
    }

    fn subscribe(&mut self, stream: Resource<ResolveAddressStream>) -> wasmtime::Result<Resource<DynPollable>> {
        subscribe(&mut self.table, Resource::<Lookup>::new_borrow(stream.rep()))
    }

    fn drop(&mut self, stream: Resource<ResolveAddressStream>) -> wasmtime::Result<()> {
        handles::removed::<Lookup, _>(&mut self.table, &stream).map(drop)
    }
}

/// The contract's code for an error.
fn code(error: OutgoingError) -> ErrorCode {
    match error {
        OutgoingError::Denied(_) => ErrorCode::AccessDenied,
        OutgoingError::ConnectTimeout => ErrorCode::TemporaryResolverFailure,
        _ => ErrorCode::NameUnresolvable,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bulkhead_policy::{Applicant, OperatorFile, Permissions, Phase};
    use wasmtime_wasi::p2::bindings::sockets::instance_network;
    use wasmtime_wasi::sockets::WasiSocketsView;

    use super::*;
    use crate::audit::Trail;
    use crate::provider::Leaks;
    use crate::store::{Authority, KEPT};

    /// Of an instance that may connect to this machine.
    fn state() -> State {
        let requests = r#"{"network":[{"endpoint":"tcp://localhost:5432","reason":"r"}]}"#;
        let file = "[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = [\"tcp://localhost:5432\"]";
        let (requests, file) = (serde_json::from_str(requests).unwrap(), OperatorFile::parse(file).unwrap());
        let applicant = Applicant { development: true, ..Applicant::default() };
        let permissions = Permissions::new(applicant, requests, file.grants("p"), Vec::new(), Path::new("/"));
        let authority = Authority::new(Arc::new(permissions), Phase::Create, Trail::default(), Leaks::default());
        let mut state = State::of_nobody();
        Arc::make_mut(&mut state.call.terms).authority = Arc::new(authority);
        state
    }

    /// What was done for it is there until then, though the answer was found at once.
    #[tokio::test]
    async fn a_lookup_counts_until_its_answer_is_asked_for() {
        let mut state = state();
        let network = instance_network::Host::instance_network(&mut state.sockets()).unwrap();
        let stream = state.resolve_addresses(network, "localhost".to_owned()).unwrap();
        let stream = Resource::<Lookup>::new_borrow(stream.rep());
        while matches!(state.table.get(&stream).unwrap(), Lookup::Asking { asking, .. } if !asking.is_finished()) {
            tokio::task::yield_now().await;
        }
        assert!(state.kept.room(KEPT, "others").is_err());
        state.table.get_mut(&stream).unwrap().ready().await;
        assert!(state.kept.room(KEPT, "others").is_ok());
    }
}

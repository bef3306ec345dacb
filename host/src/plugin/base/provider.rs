//! What the base provider answers itself: everything up to its parameter, and the schema that carries it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bulkhead_proto::plugin::{PluginAttach, PluginInfo};
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::ResourceProvider;
use bulkhead_proto::provider::parameterize_request::Parameters;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use super::error::ParameterError;
use super::parameter::Parameter;
use super::run::BASE;
use super::{schema, source};
use crate::component::Variables;
use crate::plugin::error::PluginError;
use crate::plugin::load::{Loader, Ready};
use crate::plugin::operator::Operators;
use crate::provider::{Leaving, Message};
use crate::rpc::{EngineLink, PackageOrigin, Server, Service, handshake_answer};

/// The base provider.
pub(super) struct Base {
    loader: Arc<Loader>,
    link: Arc<dyn EngineLink>,
    leaving: Leaving,
    conversation: Mutex<Conversation>,
}

/// From one Handshake to the next.
struct Conversation {
    handshake: Option<pb::ProviderHandshakeRequest>,
    became: Option<Arc<Became>>,
    /// Set when it is cancelled, the next one begins, or the process leaves.
    over: CancellationToken,
}

impl Conversation {
    /// One that ends with the process.
    fn until(leaving: &Leaving, handshake: Option<pb::ProviderHandshakeRequest>) -> Self {
        Self { handshake, became: None, over: leaving.begun().child_token() }
    }
}

/// The component that a parameter led to.
pub(super) struct Became {
    service: Arc<Service>,
    /// The component on the wire.
    pub(super) server: Server,
    schema: String,
    /// The package's name and version.
    package: (String, String),
}

impl Became {
    /// Whether a request is for the schema of the package that the parameter made.
    fn is_meant(&self, asked: &pb::GetSchemaRequest) -> bool {
        let (name, version) = (&asked.subpackage_name, &asked.subpackage_version);
        name.is_empty() || (*name == self.package.0 && (version.is_empty() || *version == self.package.1))
    }
}

type Reply<T> = Result<Response<T>, Status>;

impl Base {
    pub(super) fn new(loader: Loader, link: Arc<dyn EngineLink>) -> Self {
        let leaving = Leaving::default();
        let first = Conversation::until(&leaving, None);
        Self { loader: Arc::new(loader), link, leaving, conversation: Mutex::new(first) }
    }

    /// The component that it became.
    pub(super) fn became(&self) -> Option<Arc<Became>> {
        self.conversation().became.clone()
    }

    fn conversation(&self) -> MutexGuard<'_, Conversation> {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what runs. What is returned completes when it has.
    pub(super) fn stop(&self) -> impl Future<Output = ()> + use<> {
        self.leaving.begin()
    }

    /// Somebody adds a package.
    async fn added(&self, arguments: &[String]) -> Result<(Ready, Parameter), ParameterError> {
        let [named] = arguments else { return Err(ParameterError::Arguments(arguments.len())) };
        let path = source::named(named)?;
        let ready = self.load(path.clone()).await?;
        let package = &ready.offer.package;
        let Some(version) = &package.version else {
            return Err(ParameterError::NoVersion { name: package.name.clone(), path });
        };
        let parameter = Parameter::new(named, &ready.digest, &version.to_string());
        if !self.loader.keep(&path)? {
            self.warn(format!(
                "{} couldn't be kept in the cache, so there is no other one for the package `{}` than the file\nhint: keep it where it is, \
                 as long as any stack has resources of the package: without it they can't be updated or deleted",
                path.display(),
                package.name
            ));
        }
        Ok((ready, parameter))
    }

    /// A program uses a package that was added.
    async fn recorded(&self, value: &pb::parameterize_request::ParametersValue) -> Result<Ready, ParameterError> {
        let parameter = Parameter::parse(&value.name, &value.value)?;
        let present = std::env::current_dir().map_err(PluginError::Serve)?;
        let found = source::recorded(&value.name, &parameter, &present, &self.loader)?;
        if let Some(text) = found.warning {
            self.warn(text);
        }
        let ready = self.load(found.path.clone()).await?;
        let (found_name, version) = described(&ready);
        if ready.digest != parameter.digest() {
            let (name, digest) = (value.name.clone(), parameter.digest().to_owned());
            return Err(ParameterError::Changed { name, path: found.path, digest, found: ready.digest });
        }
        if found_name != value.name || version != value.version {
            return Err(ParameterError::OtherPackage {
                name: value.name.clone(),
                version: value.version.clone(),
                digest: ready.digest,
                found: format!("`{found_name}` {version}"),
            });
        }
        // Whoever got it from elsewhere than `package add` may lose its file too.
        self.loader.keep(&found.path)?;
        Ok(ready)
    }

    /// Tells the engine's users.
    fn warn(&self, text: String) {
        self.link.log().log(Message::warning(text));
    }

    async fn load(&self, path: PathBuf) -> Result<Ready, PluginError> {
        self.loader.load_aside(path, None, Operators::of_this_process(), Variables::Own).await
    }

    /// Becomes a component, and has it hear what the engine said before. Not in a conversation that is over by then.
    async fn become_one(
        &self,
        ready: Ready,
        parameter: Vec<u8>,
        over: &CancellationToken,
    ) -> Result<pb::ParameterizeResponse, Status> {
        let (name, version) = described(&ready);
        let schema = schema::parameterized(&ready.offer.schema, &parameter);
        let origin = PackageOrigin {
            plugin: BASE.to_owned(),
            plugin_version: env!("CARGO_PKG_VERSION").to_owned(),
            name: name.clone(),
            version: version.clone(),
            parameter: parameter.into(),
        };
        let (leaving, link) = (self.leaving.clone(), Arc::clone(&self.link));
        let service = Arc::new(Service::until(leaving, ready.offer, link, Some(origin)));
        let handshake = self.conversation().handshake.clone();
        if let Some(handshake) = handshake {
            service.handshake(Request::new(handshake)).await?;
        }
        let server = Server::new(Arc::clone(&service)).taking(ready.largest_message).audited(ready.auditor);
        let became = Arc::new(Became { service, server, schema, package: (name.clone(), version.clone()) });
        let before = {
            let mut conversation = self.conversation();
            // Whoever cancels has either been here before, or finds it.
            if over.is_cancelled() {
                return Err(ParameterError::Cancelled.into());
            }
            conversation.became.replace(became)
        };
        if let Some(before) = before {
            before.service.cancel();
        }
        Ok(pb::ParameterizeResponse { name, version })
    }
}

/// A package's name and version.
fn described(ready: &Ready) -> (String, String) {
    let package = &ready.offer.package;
    (package.name.clone(), package.version.as_ref().map(ToString::to_string).unwrap_or_default())
}

#[tonic::async_trait]
impl ResourceProvider for Base {
    async fn handshake(&self, request: Request<pb::ProviderHandshakeRequest>) -> Reply<pb::ProviderHandshakeResponse> {
        let request = request.into_inner();
        if !request.engine_address.is_empty() {
            self.link.connect(&request.engine_address);
        }
        let answer = handshake_answer(&request);
        let fresh = Conversation::until(&self.leaving, Some(request));
        let before = {
            let mut conversation = self.conversation();
            conversation.over.cancel();
            std::mem::replace(&mut *conversation, fresh)
        };
        if let Some(before) = before.became {
            before.service.cancel();
        }
        Ok(Response::new(answer))
    }

    async fn attach(&self, request: Request<PluginAttach>) -> Reply<()> {
        match request.into_inner().address {
            address if address.is_empty() => Err(Status::invalid_argument("attach to an engine: its address is empty")),
            address => {
                self.link.connect(&address);
                Ok(Response::new(()))
            }
        }
    }

    /// The plugin is the base provider, whatever it became.
    async fn get_plugin_info(&self, _request: Request<()>) -> Reply<PluginInfo> {
        Ok(Response::new(PluginInfo { version: env!("CARGO_PKG_VERSION").to_owned() }))
    }

    async fn parameterize(&self, request: Request<pb::ParameterizeRequest>) -> Reply<pb::ParameterizeResponse> {
        let over = self.conversation().over.clone();
        let becomes = async {
            let (ready, parameter) = match request.into_inner().parameters {
                Some(Parameters::Args(arguments)) => {
                    let (ready, parameter) = self.added(&arguments.args).await?;
                    (ready, parameter.to_bytes())
                }
                Some(Parameters::Value(value)) => (self.recorded(&value).await?, value.value.to_vec()),
                None => return Err(ParameterError::Arguments(0).into()),
            };
            self.become_one(ready, parameter, &over).await
        };
        tokio::select! {
            biased;
            () = over.cancelled() => Err(ParameterError::Cancelled.into()),
            became = becomes => became.map(Response::new),
        }
    }

    async fn get_schema(&self, request: Request<pb::GetSchemaRequest>) -> Reply<pb::GetSchemaResponse> {
        let asked = request.into_inner();
        let Some(became) = self.became() else {
            return Ok(Response::new(pb::GetSchemaResponse { schema: schema::unparameterized() }));
        };
        if !became.is_meant(&asked) {
            return became.service.get_schema(Request::new(asked)).await;
        }
        // To the component its package is its own, not one that a parameter made.
        let own = pb::GetSchemaRequest { version: asked.version, ..<_>::default() };
        became.service.get_schema(Request::new(own)).await?;
        Ok(Response::new(pb::GetSchemaResponse { schema: became.schema.clone() }))
    }

    async fn cancel(&self, _request: Request<()>) -> Reply<()> {
        let became = {
            let conversation = self.conversation();
            conversation.over.cancel();
            conversation.became.clone()
        };
        if let Some(became) = became {
            became.service.cancel();
        }
        Ok(Response::new(()))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use bulkhead_proto::provider::parameterize_request::ParametersArgs;
    use futures_util::FutureExt;
    use tonic::Code;

    use super::*;
    use crate::component::{Cache, nothing};
    use crate::provider::{Log, Silent};

    struct NoEngine;

    impl EngineLink for NoEngine {
        fn connect(&self, _: &str) {}

        fn log(&self) -> Arc<dyn Log> {
            Arc::new(Silent)
        }
    }

    #[tokio::test]
    async fn who_is_cancelled_while_it_takes_a_parameter_takes_none_until_the_next_handshake() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nothing.wasm");
        std::fs::write(&path, nothing()).unwrap();
        let base = Base::new(Loader::new(&Cache::disabled()), Arc::new(NoEngine));
        let shakes = || base.handshake(Request::new(pb::ProviderHandshakeRequest::default()));
        let parameterize = || {
            let args = vec![path.display().to_string()];
            let parameters = Some(Parameters::Args(ParametersArgs { args }));
            base.parameterize(Request::new(pb::ParameterizeRequest { parameters }))
        };
        shakes().await.unwrap();
        let mut under_way = pin!(parameterize());
        assert!(under_way.as_mut().now_or_never().is_none(), "it is compiled meanwhile");
        base.cancel(Request::new(())).await.unwrap();
        let status = under_way.await.unwrap_err();
        let told = "failed to take the parameter: the operation was cancelled";
        assert_eq!((status.code(), status.message()), (Code::Cancelled, told));
        assert_eq!(parameterize().await.unwrap_err().code(), Code::Cancelled);
        shakes().await.unwrap();
        assert_ne!(parameterize().await.unwrap_err().code(), Code::Cancelled, "it is no provider");
        let mut under_way = pin!(parameterize());
        assert!(under_way.as_mut().now_or_never().is_none());
        shakes().await.unwrap();
        assert_eq!(under_way.await.unwrap_err().code(), Code::Cancelled, "of another conversation");
        let mut under_way = pin!(parameterize());
        assert!(under_way.as_mut().now_or_never().is_none());
        drop(base.stop());
        assert_eq!(under_way.await.unwrap_err().code(), Code::Cancelled, "the process leaves");
        shakes().await.unwrap();
        assert_eq!(parameterize().await.unwrap_err().code(), Code::Cancelled, "it still does");
    }
}

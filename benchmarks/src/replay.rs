//! A server that does nothing: it has each kind of call about resources and functions answered once, by the provider that it stands
//! before, and says the same again from then on. So it costs what the messages and the transport cost.

use std::io::Write;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use bulkhead_proto::plugin::PluginInfo;
use bulkhead_proto::provider::{
    CheckRequest, CheckResponse, ConfigureRequest, ConfigureResponse, CreateRequest, CreateResponse, DiffRequest,
    DiffResponse, InvokeRequest, InvokeResponse, ResourceProvider, ResourceProviderServer,
};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::OnceCell;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::contender::Contender;
use crate::plugin::{Client, Plugin};

/// Names the executable whose answers this process repeats, where it does.
const REPLAYED: &str = "BULKHEAD_BENCHMARKS_REPLAYED";

/// A contender that repeats another's answers.
///
/// # Errors
/// This executable isn't found.
pub(crate) fn replay(of: &Contender) -> Result<Contender> {
    let mut replay = Contender { name: "nothing", ..of.clone() };
    let this = std::env::current_exe().context("find this executable")?;
    let replayed = std::mem::replace(&mut replay.executable, this);
    replay.environment.push((REPLAYED, replayed));
    Ok(replay)
}

/// Repeats answers, if this process was started to.
pub(crate) fn replaying() -> Option<Result<ExitCode>> {
    let executable = std::env::var_os(REPLAYED)?;
    // One thread: to repeat an answer keeps no more of them busy.
    let runtime = Builder::new_current_thread().enable_all().build().context("start a server");
    Some(runtime.and_then(|runtime| runtime.block_on(serve(Path::new(&executable)))))
}

#[allow(clippy::print_stdout, reason = "whoever starts a provider reads its port there")]
async fn serve(executable: &Path) -> Result<ExitCode> {
    let plugin = Plugin::come_up(executable, &[]).await?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", listener.local_addr()?.port());
    std::io::stdout().flush()?;
    let replay = ResourceProviderServer::new(Replay::of(plugin.client.clone()));
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    // It ends with its input, as any provider does, however the benchmark ends.
    let left = async { drop(tokio::io::copy(&mut tokio::io::stdin(), &mut tokio::io::sink()).await) };
    tokio::select! {
        served = Server::builder().serve_with_incoming(replay, incoming) => served?,
        () = left => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// The first answer to each kind of call.
struct Replay {
    client: Client,
    check: OnceCell<CheckResponse>,
    diff: OnceCell<DiffResponse>,
    create: OnceCell<CreateResponse>,
    invoke: OnceCell<InvokeResponse>,
}

impl Replay {
    fn of(client: Client) -> Self {
        let (check, diff, create, invoke) = <_>::default();
        Self { client, check, diff, create, invoke }
    }
}

type Reply<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl ResourceProvider for Replay {
    // The provider whose answers are repeated is configured already.
    async fn configure(&self, _request: Request<ConfigureRequest>) -> Reply<ConfigureResponse> {
        Ok(Response::new(<_>::default()))
    }

    async fn get_plugin_info(&self, _request: Request<()>) -> Reply<PluginInfo> {
        Ok(Response::new(<_>::default()))
    }

    async fn check(&self, request: Request<CheckRequest>) -> Reply<CheckResponse> {
        once(&self.check, async { self.client.clone().check(request.into_inner()).await }).await
    }

    async fn diff(&self, request: Request<DiffRequest>) -> Reply<DiffResponse> {
        once(&self.diff, async { self.client.clone().diff(request.into_inner()).await }).await
    }

    async fn create(&self, request: Request<CreateRequest>) -> Reply<CreateResponse> {
        once(&self.create, async { self.client.clone().create(request.into_inner()).await }).await
    }

    async fn invoke(&self, request: Request<InvokeRequest>) -> Reply<InvokeResponse> {
        once(&self.invoke, async { self.client.clone().invoke(request.into_inner()).await }).await
    }
}

/// The answer, which only the first call asks the provider for.
async fn once<T: Clone>(answer: &OnceCell<T>, called: impl Future<Output = Reply<T>>) -> Reply<T> {
    let answer = answer.get_or_try_init(|| async { called.await.map(Response::into_inner) }).await?;
    Ok(Response::new(answer.clone()))
}

//! A provider's process, started as an engine starts it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bulkhead_proto::provider::{ConfigureRequest, ProviderHandshakeRequest, ResourceProviderClient};
use bulkhead_proto::raw::Struct;
use tonic::Code;
use tonic::transport::{Channel, Endpoint};

use crate::contender::Contender;
use crate::process::cpu_time;

/// What engines allow in one message, both ways.
const LARGEST_MESSAGE: usize = 400 << 20;
/// How much may be under way before it is acknowledged. As large as a large value, so that the client isn't what is measured.
const WINDOW: u32 = 16 << 20;

/// A client, as everything here uses it.
pub(crate) type Client = ResourceProviderClient<Channel>;

/// A configured provider. Killed when dropped.
pub(crate) struct Plugin {
    child: Child,
    /// Providers leave when their stdin ends.
    _stdin: Option<ChildStdin>,
    /// Nobody reads on, but a closed pipe would fail who writes.
    _stdout: BufReader<ChildStdout>,
    /// Its client.
    pub(crate) client: Client,
    /// How it came up.
    pub(crate) start_up: StartUp,
}

/// Times since just before the process was started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartUp {
    /// Its port stood on stdout.
    pub(crate) port: Duration,
    /// Handshake was answered.
    pub(crate) handshake: Duration,
    /// Configure was answered.
    pub(crate) configured: Duration,
    /// The processor time that it had used by then.
    pub(crate) cpu: Duration,
}

impl Plugin {
    /// Starts a contender, shakes hands and configures.
    ///
    /// # Errors
    /// It doesn't start, or doesn't answer.
    pub(crate) async fn start(contender: &Contender) -> Result<Self> {
        let attempt = Self::come_up(&contender.executable, &contender.environment).await;
        attempt.with_context(|| format!("start {} ({})", contender.name, contender.executable.display()))
    }

    /// Starts an executable with variables beside this process's, shakes hands and configures.
    ///
    /// # Errors
    /// It doesn't start, or doesn't answer.
    pub(crate) async fn come_up(executable: &Path, environment: &[(&str, PathBuf)]) -> Result<Self> {
        let mut command = Command::new(executable);
        // The engine's address is one where nobody listens.
        command.arg("127.0.0.1:1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.envs(environment.iter().map(|(name, value)| (name, value)));

        let started = Instant::now();
        let mut child = Unready(Some(command.spawn()?));
        let stdin = child.get()?.stdin.take();
        let mut stdout = BufReader::new(child.get()?.stdout.take().context("open its stdout")?);
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let port = started.elapsed();

        let mut client = connected(&line).await?;
        let directory = executable.parent().map(|directory| directory.to_string_lossy().into_owned());
        shaken(&mut client, directory).await?;
        let handshake = started.elapsed();
        client.configure(configure()).await?;
        let configured = started.elapsed();
        let cpu = cpu_time(child.get()?.id())?;

        let start_up = StartUp { port, handshake, configured, cpu };
        let child = child.0.take().context("keep its process")?;
        Ok(Self { child, _stdin: stdin, _stdout: stdout, client, start_up })
    }

    /// The process's id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Plugin {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// A process that is killed if it doesn't come up.
struct Unready(Option<Child>);

impl Unready {
    fn get(&mut self) -> Result<&mut Child> {
        self.0.as_mut().context("find its process")
    }
}

impl Drop for Unready {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            end(child);
        }
    }
}

fn end(child: &mut Child) {
    // It may have left by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// A client of what listens at the port that a line names.
///
/// # Errors
/// Nobody does.
pub(crate) async fn connected(line: &str) -> Result<Client> {
    let client = Client::new(channel(line).await?);
    Ok(client.max_decoding_message_size(LARGEST_MESSAGE).max_encoding_message_size(LARGEST_MESSAGE))
}

/// A connection to what listens at the port that a line names.
///
/// # Errors
/// Nobody does.
pub(crate) async fn channel(line: &str) -> Result<Channel> {
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{}", line.trim()))?;
    let endpoint = endpoint.initial_stream_window_size(WINDOW).initial_connection_window_size(WINDOW);
    Ok(endpoint.connect().await?)
}

/// Shakes hands and configures.
///
/// # Errors
/// What the provider answers.
pub(crate) async fn configured(client: &mut Client, directory: Option<String>) -> Result<()> {
    shaken(client, directory).await?;
    client.configure(configure()).await?;
    Ok(())
}

/// Shakes hands, with whoever knows how to.
async fn shaken(client: &mut Client, directory: Option<String>) -> Result<()> {
    match client.handshake(handshake(directory)).await {
        Err(status) if status.code() != Code::Unimplemented => Err(status.into()),
        _ => Ok(()),
    }
}

/// What an engine of today says.
fn handshake(directory: Option<String>) -> ProviderHandshakeRequest {
    ProviderHandshakeRequest {
        engine_address: "127.0.0.1:1".to_owned(),
        root_directory: directory.clone(),
        program_directory: directory,
        configure_with_urn: true,
        supports_views: true,
        supports_refresh_before_update: true,
        invoke_with_preview: true,
        ..<_>::default()
    }
}

fn configure() -> ConfigureRequest {
    ConfigureRequest {
        args: Some(Struct::default()),
        accept_secrets: true,
        accept_resources: true,
        sends_old_inputs: true,
        sends_old_inputs_to_delete: true,
        ..<_>::default()
    }
}

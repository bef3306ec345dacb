//! A language host: one process with several providers, started as an engine starts it.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result};
use bulkhead_proto::language::run_plugin_response::Output;
use bulkhead_proto::language::{LanguageRuntimeClient, ProgramInfo, RunPluginRequest, RunPluginResponse};
use tokio::runtime::Handle;
use tonic::Streaming;
use tonic::transport::Channel;

use crate::artefacts::Hosting;
use crate::hostile::Hostile;
use crate::plugin::{Client, configured, connected};

/// A language host. Killed when dropped.
pub(crate) struct Host {
    child: Child,
    /// It leaves when its stdin ends.
    _stdin: Option<ChildStdin>,
    _stdout: BufReader<ChildStdout>,
    client: LanguageRuntimeClient<Channel>,
    project: String,
    granted: String,
    hostile: Handle,
}

/// A provider within it, configured. Gone when dropped.
pub(crate) struct Provider {
    /// Its client.
    pub(crate) client: Client,
    /// Whoever attacks it.
    pub(crate) hostile: Hostile,
    _written: Streaming<RunPluginResponse>,
}

impl Host {
    /// Starts a language host, whose providers are attacked from other threads.
    ///
    /// # Errors
    /// It doesn't start.
    pub(crate) async fn start(hosting: &Hosting, hostile: &Handle) -> Result<Self> {
        let mut command = Command::new(&hosting.executable);
        // The engine's address is one where nobody listens.
        command.arg("127.0.0.1:1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.env("BULKHEAD_CACHE_DIR", &hosting.cache);
        let mut child = command.spawn().with_context(|| format!("start {}", hosting.executable.display()))?;
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().context("open its stdout")?);
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let client = LanguageRuntimeClient::connect(format!("http://127.0.0.1:{}", line.trim())).await;
        let client = client.context("connect to the language host")?;
        let [project, granted] = [&hosting.project, &hosting.granted].map(|path| path.to_string_lossy().into_owned());
        Ok(Self { child, _stdin: stdin, _stdout: stdout, client, project, granted, hostile: hostile.clone() })
    }

    /// Starts a provider, shakes hands and configures.
    ///
    /// # Errors
    /// It doesn't start, or doesn't answer.
    pub(crate) async fn provider(&mut self) -> Result<Provider> {
        self.provider_of(self.project.clone()).await
    }

    /// The same, to which a directory is granted.
    ///
    /// # Errors
    /// It doesn't start, or doesn't answer.
    pub(crate) async fn granted(&mut self) -> Result<Provider> {
        self.provider_of(self.granted.clone()).await
    }

    async fn provider_of(&mut self, project: String) -> Result<Provider> {
        let directory = || project.clone();
        let request = RunPluginRequest {
            pwd: directory(),
            args: vec!["127.0.0.1:1".to_owned()],
            info: Some(ProgramInfo { program_directory: directory(), root_directory: directory(), ..<_>::default() }),
            kind: "resource".to_owned(),
            ..<_>::default()
        };
        let mut written = self.client.run_plugin(request).await?.into_inner();
        let first = written.message().await?.and_then(|written| written.output).context("hear of its port")?;
        let Output::Stdout(line) = first else { anyhow::bail!("hear of its port: it says {first:?}") };
        let line = String::from_utf8_lossy(&line);
        let mut client = connected(&line).await?;
        configured(&mut client, Some(directory())).await?;
        let hostile = Hostile::connect(&line, &self.hostile).await?;
        Ok(Provider { client, hostile, _written: written })
    }

    /// The process's id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It may have left by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

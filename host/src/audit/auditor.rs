//! Who listens: any number of files, and an exporter of spans.

use std::sync::Arc;

use super::file::AuditFile;
use super::identity::Identity;
use super::line::Line;
use super::rpc::Rpc;
use super::span::{Span, Spans};

/// Where things are written down. Cheap to clone; silent by default.
#[derive(Clone, Default)]
pub struct Auditor(Option<Arc<Listening>>);

/// Somebody who listens.
pub(super) struct Listening {
    files: Vec<AuditFile>,
    spans: Option<Arc<dyn Spans>>,
    pub(super) provider: String,
    pub(super) digest: String,
}

impl Auditor {
    /// Has lines written to files, and spans exported, about a component.
    pub fn new(files: Vec<AuditFile>, spans: Option<Arc<dyn Spans>>, provider: &str, digest: &str) -> Self {
        if files.is_empty() && spans.is_none() {
            return Self::default();
        }
        super::host_calls::listen();
        // As grants write it, so that one can be found by the other.
        let (provider, digest) = (provider.to_owned(), format!("sha256:{digest}"));
        Self(Some(Arc::new(Listening { files, spans, provider, digest })))
    }

    /// A call of the engine begins, of a server by the name and at the port that the engine knows; none if nobody listens. What it
    /// continues is said by a `traceparent`.
    pub fn rpc(
        &self,
        method: &str,
        server: Option<(&str, Option<u16>)>,
        traceparent: Option<&str>,
    ) -> Option<Arc<Rpc>> {
        self.0.as_ref().map(|listening| Arc::new(Rpc::new(Arc::clone(listening), method, server, traceparent)))
    }

    /// What fails, if something has to be written down and can't be, so that nothing may be done.
    pub fn refusal(&self) -> Option<String> {
        self.0.iter().flat_map(|listening| &listening.files).find_map(AuditFile::refusal)
    }

    /// Why something couldn't be written down: each file once.
    pub fn failure(&self) -> Option<String> {
        self.0.iter().flat_map(|listening| &listening.files).find_map(AuditFile::failure)
    }
}

impl Listening {
    /// Writes a line to all files. False if it isn't where it has to be.
    pub(super) fn write(&self, line: Line<'_>) -> bool {
        if self.files.is_empty() {
            return true;
        }
        let (kind, line) = (line.kind(), Line { provider: &self.provider, digest: &self.digest, ..line }.written());
        let mut written = true;
        for file in &self.files {
            written &= file.write(kind, &line);
        }
        written
    }

    /// Exports a span, unless whoever began its trace doesn't want to see it.
    pub(super) fn export(&self, identity: &Identity, span: impl FnOnce() -> Span) {
        if let Some(spans) = self.spans.as_ref().filter(|_| identity.is_sampled()) {
            spans.take(span());
        }
    }
}

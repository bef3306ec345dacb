//! The order of a trial.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::sync::Arc;

use bulkhead_schema::{Extent, ObjectType, Package, Sample, Sampler};
use bulkhead_value::Object;
use serde::Serialize;

use super::engine::{Engine, Reply};
use super::refusal::Refusal;
use super::subject::Subject;
use super::{checks, components, configuration, functions, handshake, lifecycle, lists, methods, parameters, previews};
use crate::audit::Auditor;
use crate::component::{Loaded, LoadedProvider};
use crate::conformance::documents::Read;
use crate::conformance::examination::Options;
use crate::conformance::finding::{Finding, Findings, Level, Stage};
use crate::provider::Component as _;
use crate::rpc::Offer;
use crate::scarcity;

/// What was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// Resource types whose checks and previews were tried.
    pub resources: usize,
    /// Resources that were created.
    pub created: usize,
    /// Functions that were called.
    pub functions: usize,
    /// Components that were constructed, with an engine that makes nothing.
    pub components: usize,
    /// Methods that were called, with the same engine.
    pub methods: usize,
    /// Resource types that were listed.
    pub lists: usize,
    /// Parameters that were given.
    pub parameters: usize,
}

/// A trial that is under way.
pub(in crate::conformance) struct Trial<'a> {
    pub(super) engine: Engine,
    pub(super) package: &'a Package,
    /// The same, for whoever lives longer.
    pub(super) shared: Arc<Package>,
    /// Whether it takes parameters.
    pub(super) parameterized: bool,
    /// Whether methods of the provider itself are answered.
    pub(super) answers_for_provider: bool,
    pub(super) schema: &'a [u8],
    pub(super) options: &'a Options,
    /// What the provider was configured with last.
    pub(super) configuration: Object,
    pub(super) findings: &'a mut Findings,
    pub(super) tried: Tried,
}

impl<'a> Trial<'a> {
    /// Tries a component out. What it serves must have been found to be sound.
    pub(in crate::conformance) async fn run(
        loaded: Arc<Loaded>,
        auditor: Auditor,
        read: &'a Read,
        options: &'a Options,
        findings: &'a mut Findings,
    ) -> Tried {
        let package = Arc::new(read.package.clone());
        let answers_for_provider = loaded.unanswered_method(&package).is_none();
        let component = Arc::new(LoadedProvider::new(loaded));
        let parameterized = component.exports().parameterization;
        let shared = Arc::clone(&package);
        let offer = Offer { schema: Arc::clone(&read.schema), package, component };
        let engine = match Engine::start(offer, auditor, options.interrupted.clone()).await {
            Ok(engine) => engine,
            Err(error) => {
                // Nothing was tried: whoever relies on the exit code mustn't take that for a check that was passed.
                findings.add(unserved(&error));
                return Tried::default();
            }
        };
        let (package, schema) = (&read.package, read.schema.as_ref());
        let mut trial = Self {
            engine,
            package,
            shared,
            parameterized,
            answers_for_provider,
            schema,
            options,
            configuration: Object::new(),
            findings,
            tried: Tried::default(),
        };
        trial.all().await;
        if trial.is_interrupted() {
            let message = "the check was interrupted: what would have come next wasn't tried";
            trial.findings.add(Finding::new(Level::Skipped, Stage::Lifecycle, "component", message));
        }
        trial.tried
    }

    async fn all(&mut self) {
        handshake::attempt(self).await;
        let Package { resources, functions, .. } = self.package;
        let unknown = |token: &&String| !resources.contains_key(token) && !functions.contains_key(token);
        for token in self.options.inputs.keys().chain(self.options.updates.keys()).filter(unknown) {
            let message = "inputs are given for it, and the package has no such type or function";
            self.findings.add(Finding::new(Level::Warning, Stage::Check, token, message));
        }
        parameters::attempt(self).await;
        if configuration::attempt(self).await {
            let package = self.package;
            for resource in package.resources.values().filter(|resource| !resource.is_overlay) {
                if self.is_interrupted() {
                    break;
                }
                let subject = Subject::of(package, resource);
                if resource.is_component {
                    components::attempt(self, &subject).await;
                    continue;
                }
                self.tried.resources += 1;
                if let Some(query) = resource.list_inputs.as_ref().filter(|_| self.options.lifecycle) {
                    lists::attempt(self, &subject, query).await;
                }
                let Some(inputs) = checks::attempt(self, &subject).await else { continue };
                previews::attempt(self, &subject, &inputs).await;
                if self.options.lifecycle {
                    lifecycle::attempt(self, &subject, &inputs).await;
                }
            }
            if self.options.lifecycle {
                functions::attempt(self).await;
                methods::attempt(self).await;
            }
        }
        if let Err(refusal) = self.engine.cancel().await {
            let message = format!("Cancel must always succeed: {}", refusal.message);
            self.findings.add(Finding::new(Level::Error, Stage::Cancel, "component", message));
        }
    }

    /// Whether the user has interrupted the check. What was created until then is still deleted, and nothing else is begun.
    pub(super) fn is_interrupted(&self) -> bool {
        self.options.interrupted.is_cancelled()
    }

    /// Whether a call failed because the check was interrupted. What such a call has left is deleted, or told if it can't be.
    fn broke_off(&self, refusal: &Refusal) -> bool {
        self.is_interrupted() && (refusal.is_cancelled || refusal.left.is_some())
    }

    /// Has a provider that was interrupted, and refuses everything since, serve once more: as the next engine would find it.
    pub(super) async fn resumed(&mut self) -> Reply<()> {
        self.engine.go_on();
        self.engine.handshake().await?;
        self.engine.configure(&self.configuration).await
    }

    /// The inputs of a type or function that were given, or else generated ones.
    pub(super) fn inputs(&self, token: &str, attempt: u64, ty: &ObjectType, extent: Extent) -> Sample {
        match self.options.inputs.get(token) {
            Some(given) => Sample { inputs: given.clone(), gaps: Vec::new() },
            None => self.sampler(attempt).object(ty, extent),
        }
    }

    /// What generated values are drawn from.
    pub(super) fn sampler(&self, attempt: u64) -> Sampler<'a> {
        Sampler::new(self.package, self.options.seed.wrapping_add(attempt))
    }

    /// Tells of a call that should have succeeded with whatever the schema allows. A refusal for other reasons is no mistake.
    pub(super) fn refused(&mut self, stage: Stage, location: &str, refusal: &Refusal, hint: &str) {
        let hint = if self.options.inputs.contains_key(location) { "" } else { hint };
        self.turned_down(stage, location, refusal, hint);
    }

    /// The same whatever inputs are given to create a resource with.
    pub(super) fn turned_down(&mut self, stage: Stage, location: &str, refusal: &Refusal, hint: &str) {
        if self.broke_off(refusal) {
            return;
        }
        let level = if refusal.is_bug { Level::Error } else { Level::Skipped };
        // What the host says of a denial or a limit is better advice than a guess.
        let hint = refusal.hint.as_deref().unwrap_or(if refusal.is_bug { "" } else { hint });
        let finding = Finding::new(level, stage, location, refusal.message.clone());
        self.findings.add(if hint.is_empty() { finding } else { finding.hint(hint) });
    }

    /// Tells of a call that must not fail, unless it was denied what it needs: then it couldn't be tried.
    pub(super) fn failed(&mut self, stage: Stage, location: &str, refusal: &Refusal) {
        if self.broke_off(refusal) {
            return;
        }
        let level = if refusal.is_denial() { Level::Skipped } else { Level::Error };
        let finding = Finding::new(level, stage, location, refusal.message.clone());
        self.findings.add(match &refusal.hint {
            Some(hint) => finding.hint(hint.clone()),
            None => finding,
        });
    }
}

/// Tells that there was no connection to the provider, which both ends of are here.
fn unserved(error: &io::Error) -> Finding {
    let first: &(dyn Error + 'static) = error;
    let causes: Vec<_> = successors(Some(first), |&cause| cause.source()).collect();
    let mut told: Vec<String> = causes.iter().map(ToString::to_string).collect();
    told.dedup();
    let message = format!("the provider couldn't be served on this machine: {}", told.join(": "));
    let finding = Finding::new(Level::Error, Stage::Handshake, "component", message);
    let system = causes
        .iter()
        .rev()
        .find_map(|cause| scarcity::error_of_system(*cause).filter(|error| error.raw_os_error().is_some()));
    let loopback = "see that this process may connect to 127.0.0.1, where a check talks to the provider: a sandbox may have no loopback interface (`ip link set lo up`)";
    finding.hint(system.as_ref().and_then(scarcity::remedy).unwrap_or(loopback))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_keeps_a_check_from_its_provider_is_told_to_its_end() {
        use rustix::io::Errno;

        #[derive(Debug, thiserror::Error)]
        #[error("transport error")]
        struct Transport(#[source] io::Error);

        let told = |errno: Errno| unserved(&io::Error::other(Transport(errno.into())));
        for (errno, hint) in [(Errno::NETUNREACH, "loopback"), (Errno::MFILE, "ulimit -n")] {
            let (finding, cause) = (told(errno), io::Error::from(errno));
            let message = format!("the provider couldn't be served on this machine: transport error: {cause}");
            assert_eq!(finding.message, message);
            assert!(finding.hint.is_some_and(|told| told.contains(hint)));
        }
    }
}

//! `packages`: descriptions of other packages, from the engine.
//!
//! A description is text that gives no authority over what it describes, but engines run the plugin that has it, and install what they
//! don't have: so each package has to be granted. What they are asked for goes to others, so nothing of it may spell a secret, and a
//! name may not lead anywhere: an address in it would be a way out of the sandbox, a path one into this machine. How much a guest gets
//! and how often it asks is bounded, and a wait ends with the call.

use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock};

use super::looked_for::{PARAMETER, VERSION};
use crate::provider::{self, ErrorKind, PackageReference as Reference};
use crate::store::{Ending, Refused, State};
use crate::threads::beside_others;
use crate::wit::Weigh;
use crate::wit::bindings::packages::{Host, PackageParameter, PackageReference, PackageSpec, ResolvedPackage};
use crate::wit::bindings::types::Error;
use crate::wit::error_of;

/// Questions in one call.
const MOST: u32 = 1_000;
/// Bytes of one question, each text of which counts for some more. It is kept for as long as it waits, and a guest that says the same text
/// again and again has next to nothing of it itself. A parameter that the call was told of may be longer, and counts as the guest's memory.
const LONGEST: usize = 64 << 10;
/// How often such a parameter is there: as it was given, and as it is sent.
const COPIES: usize = 2;

type Answer<T> = wasmtime::Result<Result<T, Error>>;

impl Host for State {
    async fn get_schema(&mut self, reference: PackageReference) -> Answer<String> {
        self.schema(known(reference), None).await
    }

    async fn get_parameterized_schema(
        &mut self,
        plugin: PackageReference,
        parameter: PackageParameter,
    ) -> Answer<String> {
        let PackageParameter { name, version, value } = parameter;
        self.schema(known(plugin), Some(provider::PackageParameter { name, version, value })).await
    }

    async fn get_mapping(&mut self, provider: String, reference: Option<PackageReference>) -> Answer<Vec<u8>> {
        let reference = reference.map(known);
        let from = reference.iter().map(|reference| (&reference.name, reference.version.as_ref()));
        if let Some(error) = self.refused([(&provider, None)].into_iter().chain(from), &[], 0) {
            return Ok(Err(error));
        }
        let Some(source) = self.call.packages.clone() else { return Ok(Err(nobody())) };
        let limit = self.limits.description;
        let mapping = match asked(self, source.mapping(&provider, reference.as_ref())).await? {
            Ok(mapping) => mapping,
            Err(error) => return Ok(Err(error)),
        };
        if mapping.len() > limit {
            return Ok(Err(too_large(mapping.len(), limit)));
        }
        self.keeps_described(mapping.len())?;
        Ok(Ok(mapping))
    }

    async fn resolve(&mut self, spec: PackageSpec) -> Answer<ResolvedPackage> {
        let spec = provider::PackageSpec { source: spec.source, version: spec.version, parameters: spec.parameters };
        let length = spec.parameters.weight();
        if let Some(error) = self.refused([(&spec.source, spec.version.as_ref())], &spec.parameters, length) {
            return Ok(Err(error));
        }
        let Some(source) = self.call.packages.clone() else { return Ok(Err(nobody())) };
        let limit = self.limits.description;
        let found = match asked(self, source.resolved(&spec)).await? {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        let values = [&found.replacement, &found.extension];
        let length: usize = values.into_iter().flatten().map(|parameter| parameter.value.len()).sum();
        if length > limit {
            return Ok(Err(too_large(length, limit)));
        }
        self.keeps_described(length)?;
        self.call.resolved.extend([&found.replacement, &found.extension].into_iter().flatten().map(mark));
        Ok(Ok(told(found)))
    }
}

impl State {
    /// A package's schema, or that of the one that a parameter makes out of its plugin.
    async fn schema(&mut self, package: Reference, parameter: Option<provider::PackageParameter>) -> Answer<String> {
        let (mut said, mut length, mut _asking) = (Vec::new(), 0, None);
        match &parameter {
            // The engine knows what is in it, however long that is.
            Some(parameter) if self.is_resolved(parameter) => {
                let mut holding = self.meter.holding();
                holding.take(bytes(parameter).saturating_mul(COPIES)).map_err(|lack| Refused(lack.into()))?;
                _asking = Some(holding);
            }
            // Before any of it is copied.
            Some(parameter) if bytes(parameter) > LONGEST => return Ok(Err(self.too_long(&package.name))),
            Some(parameter) => {
                let provider::PackageParameter { name, version, value } = parameter;
                said = vec![name.clone(), version.clone(), String::from_utf8_lossy(value).into_owned()];
                length = bytes(parameter);
            }
            None => {}
        }
        if let Some(error) = self.refused([(&package.name, package.version.as_ref())], &said, length) {
            return Ok(Err(error));
        }
        let Some(source) = self.call.packages.clone() else { return Ok(Err(nobody())) };
        let limit = self.limits.description;
        let schema = match asked(self, source.schema(&package, parameter.as_ref())).await? {
            Ok(schema) => schema,
            Err(error) => return Ok(Err(error)),
        };
        if schema.len() > limit {
            return Ok(Err(too_large(schema.len(), limit)));
        }
        self.keeps_described(schema.len())?;
        let unreadable = |_| Error::Other("the engine's schema isn't UTF-8".to_owned());
        Ok(String::from_utf8(schema).map_err(unreadable))
    }

    /// Whether the call was told of a parameter.
    fn is_resolved(&self, parameter: &provider::PackageParameter) -> bool {
        let told = &self.call.resolved;
        !told.is_empty() && told.contains(&mark(parameter))
    }

    /// Why no engine is asked for something, with what is said beside the names and has so many bytes: it is long, spells a secret of the
    /// call, one of its names leads somewhere, or nobody allows a package of that name, in some version.
    fn refused<'n>(
        &self,
        names: impl IntoIterator<Item = (&'n String, Option<&'n String>), IntoIter: Clone>,
        beside: &[String],
        bytes: usize,
    ) -> Option<Error> {
        let mut names = names.into_iter();
        let words = names.clone().flat_map(|(name, version)| [Some(name), version]).flatten();
        if words.clone().map(Weigh::weight).fold(bytes, usize::saturating_add) > LONGEST {
            return names.next().map(|(name, _)| self.too_long(name));
        }
        let told = names.clone().try_for_each(|(name, version)| {
            self.may_name_package(name)?;
            version.map_or(Ok(()), |version| self.may_say(name, version, VERSION))?;
            beside.iter().try_for_each(|word| self.may_say(name, word, PARAMETER))
        });
        if let Err(error) = told {
            return Some(error);
        }
        names.find_map(|(name, version)| match is_name(name) {
            true => self.may_have_used(name, version.map(String::as_str), None).err(),
            false => Some(self.leading(name)),
        })
    }

    /// What a guest is told of a question that is too long, which is written down as denials are.
    fn too_long(&self, name: &str) -> Error {
        // Half of a secret is no secret that anybody would find, and all of the name is as long as a guest likes.
        let subject = match name.len() {
            length if length > LONGEST => format!("a package whose name has {length} bytes"),
            _ => name.to_owned(),
        };
        let why = format!("engines are asked about packages in {LONGEST} bytes at most");
        self.call.authority.barred(&subject, &why);
        Error::Other(format!("the provider asked the engine about packages in more than {LONGEST} bytes"))
    }

    /// Counts a description of so many bytes until the guest asks for another one: it may take its time to make room for it.
    ///
    /// # Errors
    /// There is no memory for it.
    fn keeps_described(&mut self, bytes: usize) -> Result<(), Refused> {
        let mut described = self.meter.holding();
        described.take(bytes).map_err(|lack| Refused(lack.into()))?;
        self.call.described = Some(Arc::new(described));
        Ok(())
    }
}

/// What the engine answers, that it was asked often enough, or that the call should end.
async fn asked<T>(state: &mut State, answer: impl Future<Output = Result<T, provider::Error>>) -> Answer<T> {
    // The guest has the last one.
    state.call.described = None;
    // It works on each, and so does whoever reads the answer.
    state.call.questions = state.call.questions.saturating_add(1);
    if state.call.questions > MOST {
        let message = format!("a provider may ask the engine about packages {MOST} times in one call, and has done so");
        return Ok(Err(Error::Other(message)));
    }
    let descriptions = state.call.descriptions.clone();
    let answer = async {
        // A description may have many megabytes.
        beside_others().await;
        let _one = descriptions.one().await;
        answer.await
    };
    tokio::select! {
        biased;
        () = state.call.hard.cancelled() => Err(Ending::of(&state.call).into()),
        answer = answer => Ok(answer.map_err(error_of)),
        () = state.call.soft.cancelled() => Ok(Err(Error::Cancelled)),
    }
}

fn known(reference: PackageReference) -> Reference {
    Reference { name: reference.name, version: reference.version }
}

fn told(found: provider::ResolvedPackage) -> ResolvedPackage {
    let parameter = |parameter: provider::PackageParameter| PackageParameter {
        name: parameter.name,
        version: parameter.version,
        value: parameter.value,
    };
    ResolvedPackage {
        name: found.name,
        kind: found.kind,
        version: found.version,
        download_url: found.download_url,
        replacement: found.replacement.map(parameter),
        extension: found.extension.map(parameter),
    }
}

fn nobody() -> Error {
    error_of(provider::Error::new(ErrorKind::Unsupported, "there is no engine to ask for other packages"))
}

/// Whether something is a package's name, or a registry's path of names: engines look those up where their users have it. What
/// they take for an address or a path has a dot, a colon, a backslash or a slash at an end.
fn is_name(source: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    source.split('/').all(|part| !part.is_empty() && part.bytes().all(plain))
}

/// How long a parameter is.
fn bytes(provider::PackageParameter { name, version, value }: &provider::PackageParameter) -> usize {
    name.len().saturating_add(version.len()).saturating_add(value.len())
}

/// What a parameter is known by that was told. Nobody else knows with which key, so that no other is made to have the same.
fn mark(provider::PackageParameter { name, version, value }: &provider::PackageParameter) -> u64 {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    KEY.hash_one((name, version, value))
}

fn too_large(length: usize, limit: usize) -> Error {
    Error::Other(format!("the description has {length} bytes, and the limit is {limit}"))
}

//! What a component says of itself: its package schema and its manifest.
//!
//! They lie in custom sections, or, for components that came from a plain compiler, behind the `schema` export, which is
//! asked once per digest, with nothing granted and before any configuration. A large schema is parsed once per digest too: what
//! became of it is kept as an index, which counts for the very documents that it was made of, and for no others.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bulkhead_schema::index::{self, Origin};
use bulkhead_schema::{Package, SchemaError};
use tokio::task::coop::unconstrained;
use tokio_util::sync::CancellationToken;

use super::agreement::{Disagreement, agree};
use super::cache::{Cache, Documents, INDEX};
use super::ending;
use super::instance::Instance;
use super::load::Loaded;
use super::load_error::said;
use super::manifest::{Manifest, ManifestError};
use super::replying::called;
use crate::provider::{Error, ErrorKind, Silent};
use crate::store::{Serving, Terms};
use crate::wit::bindings::types;
use crate::wit::said_of;

/// How long a component may take to describe itself.
const DEADLINE: Duration = Duration::from_secs(30);

/// From which size on a schema is worth an index, bytes. Parsing so much takes some milliseconds.
const LARGE: usize = 256 << 10;

/// Held while a large schema is parsed, which takes many times its size: one at a time has that.
static PARSING: Mutex<()> = Mutex::new(());

/// A component's schema and manifest, parsed and joined.
#[derive(Clone, Debug)]
pub struct Description {
    /// The package schema, as the component has it.
    pub schema: Arc<[u8]>,
    /// The manifest, as the component has it.
    pub manifest_json: Arc<[u8]>,
    /// The manifest.
    pub manifest: Manifest,
    /// The package, with the manifest's facts.
    pub package: Arc<Package>,
}

/// Why a component's description can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DescriptionError {
    /// It has none.
    #[error("the component has no schema: neither both of its sections nor an export `schema`")]
    None,
    /// It couldn't say.
    #[error("the component failed to describe itself: {}", said(&.0.message))]
    Failed(Error),
    /// Its schema is wrong.
    #[error("the component's schema is wrong: {0}")]
    Schema(#[from] SchemaError),
    /// It promises what it doesn't do.
    #[error("the component doesn't do what it says: {0}")]
    Disagreement(#[from] Disagreement),
    /// Its manifest is wrong.
    #[error("the component's manifest is wrong: {}", said(&.0.to_string()))]
    Manifest(#[from] ManifestError),
}

impl DescriptionError {
    /// What to do about it, where more is known than that the component is wrong: a later host may know how to read it, or it says itself.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Manifest(error) if error.may_be_later() => Some(
                "it may have been built for a later Bulkhead: use that, or rebuild the provider with this one's `bulkhead build`, or \
                 ask its author",
            ),
            Self::Failed(error) => error.hint.as_deref(),
            _ => None,
        }
    }
}

impl Description {
    /// Reads a loaded component's description.
    ///
    /// # Errors
    /// A component without one, or with one that is wrong or not true of it.
    pub async fn of(loaded: &Loaded) -> Result<Self, DescriptionError> {
        Self::read(loaded).await?.true_of(loaded)
    }

    /// Itself, if the component does what it says.
    ///
    /// # Errors
    /// A promise without code.
    pub fn true_of(self, loaded: &Loaded) -> Result<Self, DescriptionError> {
        agree(&self.package, &loaded.bound.exports())?;
        match &self.package.parameterization {
            Some(made) => Err(Disagreement::MadeByOther { base: made.base.clone() }.into()),
            None => Ok(self),
        }
    }

    async fn read(loaded: &Loaded) -> Result<Self, DescriptionError> {
        if let Some(described) = loaded.artefact.description(&loaded.cache) {
            return described;
        }
        // What the cache has is asked for again if it can't be used.
        if let Some(documents) = loaded.cache.documents(loaded.digest())
            && let Ok(described) = Self::recalled(&loaded.cache, loaded.digest(), documents)
        {
            return Ok(described);
        }
        Self::recalled(&loaded.cache, loaded.digest(), asked(loaded).await?)
    }

    /// What [`parse`](Self::parse) makes of schema and manifest, from the index that it left behind where there is one.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub(super) fn recalled(cache: &Cache, digest: &str, documents: Documents) -> Result<Self, DescriptionError> {
        let [schema, manifest_json] = &documents;
        if schema.len() < LARGE {
            return Self::parse(documents);
        }
        let origin = Origin::of([schema, manifest_json]);
        let kept = || cache.document(digest, INDEX).and_then(|index| index::read(index, origin));
        let (package, _alone) = match kept() {
            Some(package) => (Some(package), None),
            None => {
                let alone = alone(schema);
                // Whoever was waited for may have parsed the same.
                (kept(), alone)
            }
        };
        if let Some(package) = package {
            let manifest = Manifest::parse(manifest_json)?;
            return Ok(Self::joined(documents, manifest, package));
        }
        let described = Self::parse(documents)?;
        // The manifest's facts are in it: to add them again would decode every resource that it has any of.
        let Some(index) = index::write(&described.package, origin) else { return Ok(described) };
        cache.keep(digest, INDEX, &index);
        // What was parsed takes several times as much, for as long as the provider is there.
        let Self { schema, manifest_json, manifest, package } = described;
        let package = index::read(index, origin).map_or(package, Arc::new);
        Ok(Self { schema, manifest_json, manifest, package })
    }

    /// Parses schema and manifest.
    ///
    /// # Errors
    /// Either being wrong, or the two contradicting each other.
    fn parse(documents: Documents) -> Result<Self, DescriptionError> {
        let [schema, manifest_json] = &documents;
        let mut package = Package::parse(schema)?;
        let manifest = Manifest::parse(manifest_json)?;
        manifest.apply(&mut package)?;
        Ok(Self::joined(documents, manifest, package))
    }

    fn joined([schema, manifest_json]: Documents, manifest: Manifest, package: Package) -> Self {
        Self { schema, manifest_json, manifest, package: Arc::new(package) }
    }
}

/// The right to parse a schema, if it is a large one: one at a time is. It takes a thread that may wait.
pub(super) fn alone(schema: &[u8]) -> Option<MutexGuard<'static, ()>> {
    (schema.len() >= LARGE).then(|| PARSING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What is kept of a large schema in place of what was parsed of it, which takes several times as much.
pub(super) fn compact(package: Package, schema: &[u8]) -> Package {
    if schema.len() < LARGE {
        return package;
    }
    let origin = Origin::of([schema]);
    index::write(&package, origin).and_then(|index| index::read(index, origin)).unwrap_or(package)
}

/// Schema and manifest as the component has them, unread: from its sections, or else from itself.
///
/// # Errors
/// A component that has none, or fails to say.
pub async fn documents(loaded: &Loaded) -> Result<Documents, DescriptionError> {
    match loaded.artefact.documents() {
        Some(documents) => Ok(documents),
        None => asked(loaded).await,
    }
}

/// The schema of the component's own package, or of one that parameters made.
///
/// # Errors
/// A trap, or no such export.
pub(super) async fn package_schema(
    instance: &mut Instance,
    made: Option<Arc<types::Subpackage>>,
) -> wasmtime::Result<Result<String, types::Error>> {
    called(instance, "schema", "package_schema", (made,)).await
}

/// Asks the component.
async fn asked(loaded: &Loaded) -> Result<Documents, DescriptionError> {
    if !loaded.bound.has("schema") {
        return Err(DescriptionError::None);
    }
    let hard = CancellationToken::new();
    let terms = Terms { deadline: Some(Instant::now() + DEADLINE), hard: hard.clone(), ..Terms::default() };
    let serving = Serving::from(Arc::new(terms));
    let computing = serving.computing.clone();
    let share = loaded.runtime.memory().share(loaded.limits.memory_together);
    let _ticking = loaded.runtime.ticking();
    // As any call: whoever watches it is of the same task (`call.rs`).
    let asking = unconstrained(computing.count(async {
        let mut instance = Instance::new(loaded, &share, Arc::new(Silent), serving).await?;
        let schema = package_schema(&mut instance, None).await?;
        let manifest: String = called(&mut instance, "schema", "manifest", ()).await?;
        wasmtime::Result::Ok((schema, manifest))
    }));
    tokio::pin!(asking);
    let outcome = tokio::select! {
        outcome = &mut asking => outcome,
        () = tokio::time::sleep(DEADLINE) => {
            hard.cancel();
            asking.await
        }
    };
    let (schema, manifest) =
        outcome.map_err(|trap| DescriptionError::Failed(failed(ending::error(&trap, None, &loaded.limits))))?;
    let schema = schema.map_err(|error| DescriptionError::Failed(said_of(error)))?.into_bytes();
    let manifest = manifest.into_bytes();
    loaded.cache.keep_documents(loaded.digest(), [&schema, &manifest]);
    Ok([schema.into(), manifest.into()])
}

/// What to do is another thing than in a call of an operation: no user and no limit gives it more time.
fn failed(error: Error) -> Error {
    if !matches!(error.kind, ErrorKind::DeadlineExceeded | ErrorKind::Overdue) {
        return error;
    }
    Error { hint: None, ..error }.hint(ending::fixed(&format!("{} s", DEADLINE.as_secs())))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    const MANIFEST: &str =
        r#"{"manifestVersion":1,"contract":"0.1.0","resources":{"p:index:R7":{"overrides":["diff"]}}}"#;

    fn schema(resources: usize) -> String {
        let text = "x".repeat(LARGE / 100);
        let property = format!(r#"{{"type":"string","description":"{text}"}}"#);
        let resource = |number| format!(r#""p:index:R{number}":{{"inputProperties":{{"in":{property}}}}}"#);
        let resources: Vec<String> = (0..resources).map(resource).collect();
        format!(r#"{{"name":"p","resources":{{{}}}}}"#, resources.join(","))
    }

    fn described(cache: &Cache, schema: &str, manifest: &str) -> Description {
        Description::recalled(cache, "d", [schema.as_bytes().into(), manifest.as_bytes().into()]).unwrap()
    }

    fn kept(directory: &Path) -> Vec<u8> {
        fs::read(directory.join("d.index")).unwrap()
    }

    #[test]
    fn a_large_schema_is_parsed_once_and_means_the_same_afterwards() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        let (schema, index) = (schema(100), directory.path().join("d.index"));
        let parsed = described(&cache, &schema, MANIFEST);
        let first = fs::metadata(&index).unwrap().modified().unwrap();
        let recalled = described(&cache, &schema, MANIFEST);
        assert_eq!(fs::metadata(&index).unwrap().modified().unwrap(), first, "it isn't parsed and written again");
        assert_eq!(recalled.package, parsed.package);
        assert_eq!((&*recalled.schema, recalled.manifest), (schema.as_bytes(), parsed.manifest));
        assert!(recalled.package.resource("p:index:R7").unwrap().facts.overrides.diff);
    }

    #[test]
    fn who_waited_while_the_same_schema_was_parsed_does_not_parse_it_again() {
        let (first, directory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let schema = schema(100);
        let parsed = described(&Cache::new(first.path()), &schema, MANIFEST);
        let cache = Cache::new(directory.path());
        let parsing = alone(schema.as_bytes());
        let waiting = std::thread::spawn({
            let (cache, schema) = (Cache::new(directory.path()), schema.clone());
            move || described(&cache, &schema, MANIFEST)
        });
        std::thread::sleep(Duration::from_millis(300));
        cache.keep("d", INDEX, &kept(first.path()));
        let written = fs::metadata(directory.path().join("d.index")).unwrap().modified().unwrap();
        drop(parsing);
        assert_eq!(waiting.join().unwrap().package, parsed.package);
        assert_eq!(fs::metadata(directory.path().join("d.index")).unwrap().modified().unwrap(), written);
    }

    #[test]
    fn what_is_kept_of_a_large_schema_means_the_same() {
        for resources in [10, 100] {
            let schema = schema(resources);
            let package = Package::parse(schema.as_bytes()).unwrap();
            let parsed = format!("{package:?}");
            let kept = compact(package.clone(), schema.as_bytes());
            assert_eq!(kept, package);
            assert_eq!(format!("{kept:?}") == parsed, resources == 10, "of a large one it is an index");
        }
    }

    #[test]
    fn a_small_schema_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        described(&Cache::new(directory.path()), &schema(10), MANIFEST);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_index_that_is_not_of_this_very_component_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        let (mine, other) = (schema(100), schema(101));
        let manifest = MANIFEST.replace("diff", "check");
        described(&cache, &other, MANIFEST);
        let others = kept(directory.path());
        described(&cache, &mine, &manifest);
        let others_facts = kept(directory.path());
        let package = described(&cache, &mine, MANIFEST).package;
        let whole = kept(directory.path());
        let flipped = [&whole[..whole.len() / 2], &[!whole[whole.len() / 2]], &whole[whole.len() / 2 + 1..]].concat();
        for wrong in [b"", &b"index"[..], &whole[..whole.len() - 1], &flipped, &others, &others_facts] {
            cache.keep("d", INDEX, wrong);
            assert_eq!(described(&cache, &mine, MANIFEST).package, package);
            assert_eq!(kept(directory.path()), whole, "{} bytes", wrong.len());
        }
    }

    #[test]
    fn what_is_refused_is_refused_each_time() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        let schema = schema(100);
        let wrong = [
            (schema.replace("\"string\"", "\"text\""), MANIFEST.to_owned()),
            (schema.clone(), MANIFEST.replace("R7", "R100")),
            (schema.clone(), MANIFEST.replace("0.1.0\"", "0.1.0\",\"other\":1")),
        ];
        for kept in [false, true] {
            if kept {
                described(&cache, &schema, MANIFEST);
            }
            for (schema, manifest) in &wrong {
                let refused = |cache| {
                    let documents = [schema.as_bytes().into(), manifest.as_bytes().into()];
                    let described = Description::recalled(cache, "d", documents);
                    described.unwrap_err().to_string()
                };
                assert_eq!(refused(&cache), refused(&Cache::disabled()));
                assert_eq!(directory.path().join("d.index").exists(), kept);
            }
        }
    }

    #[test]
    fn a_cache_that_cannot_be_used_costs_time_only() {
        let schema = schema(100);
        assert_eq!(described(&Cache::disabled(), &schema, MANIFEST).package.resources.len(), 100);
    }
}

//! What a component says of itself: its package schema and its manifest.
//!
//! They lie in custom sections, or, for components that came from a plain compiler, behind the `schema` export, which is
//! asked once per digest, with nothing granted and before any configuration.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bulkhead_schema::{Package, SchemaError};
use tokio_util::sync::CancellationToken;

use super::agreement::{Disagreement, agree};
use super::cache::DOCUMENTS;
use super::ending;
use super::instance::Instance;
use super::load::Loaded;
use super::manifest::{Manifest, ManifestError};
use crate::provider::{Error, Silent};
use crate::store::Serving;
use crate::wit::said_of;

/// How long a component may take to describe itself.
const DEADLINE: Duration = Duration::from_secs(30);

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
    #[error("the component has no schema: neither a section nor an export `schema`")]
    None,
    /// It couldn't say.
    #[error("the component failed to describe itself: {0}")]
    Failed(Error),
    /// Its schema is wrong.
    #[error("the component's schema is wrong: {0}")]
    Schema(#[from] SchemaError),
    /// It promises what it doesn't do.
    #[error("the component doesn't do what it says: {0}")]
    Disagreement(#[from] Disagreement),
    /// Its manifest is wrong.
    #[error("the component's manifest is wrong: {0}")]
    Manifest(#[from] ManifestError),
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
        Ok(self)
    }

    async fn read(loaded: &Loaded) -> Result<Self, DescriptionError> {
        if let Some(described) = loaded.artefact.description() {
            return described;
        }
        // What the cache has is asked for again if it can't be used.
        if let [Some(schema), Some(manifest)] = DOCUMENTS.map(|name| loaded.cache.document(loaded.digest(), name))
            && let Ok(described) = Self::parse(schema, manifest)
        {
            return Ok(described);
        }
        let (schema, manifest) = asked(loaded).await?;
        Self::parse(schema, manifest)
    }

    /// Parses schema and manifest.
    ///
    /// # Errors
    /// Either being wrong, or the two contradicting each other.
    pub fn parse(schema: Vec<u8>, manifest_json: Vec<u8>) -> Result<Self, DescriptionError> {
        let mut package = Package::parse(&schema)?;
        let manifest = Manifest::parse(&manifest_json)?;
        manifest.apply(&mut package)?;
        Ok(Self { schema: schema.into(), manifest_json: manifest_json.into(), manifest, package: Arc::new(package) })
    }
}

/// Schema and manifest as the component has them, unread: from its sections, or else from itself.
///
/// # Errors
/// A component that has none, or fails to say.
pub async fn documents(loaded: &Loaded) -> Result<[Vec<u8>; 2], DescriptionError> {
    match loaded.artefact.documents() {
        Some(documents) => Ok(documents),
        None => asked(loaded).await.map(|(schema, manifest)| [schema, manifest]),
    }
}

/// Asks the component.
async fn asked(loaded: &Loaded) -> Result<(Vec<u8>, Vec<u8>), DescriptionError> {
    let indices = loaded.bound.schema.as_ref().ok_or(DescriptionError::None)?;
    let hard = CancellationToken::new();
    let serving = Serving { deadline: Some(Instant::now() + DEADLINE), hard: hard.clone(), ..Serving::default() };
    let computing = serving.computing.clone();
    let share = loaded.runtime.memory().share(loaded.limits.memory_together);
    let _ticking = loaded.runtime.ticking();
    let asking = computing.count(async {
        let mut instance = Instance::new(loaded, &share, Arc::new(Silent), serving).await?;
        let guest = indices.load(&mut instance.store, &instance.wasm)?;
        let schema = guest.call_package_schema(&mut instance.store, None).await?;
        let manifest = guest.call_manifest(&mut instance.store).await?;
        wasmtime::Result::Ok((schema, manifest))
    });
    tokio::pin!(asking);
    let outcome = tokio::select! {
        outcome = &mut asking => outcome,
        () = tokio::time::sleep(DEADLINE) => {
            hard.cancel();
            asking.await
        }
    };
    let (schema, manifest) =
        outcome.map_err(|trap| DescriptionError::Failed(ending::error(&trap, None, &loaded.limits)))?;
    let schema = schema.map_err(|error| DescriptionError::Failed(said_of(error)))?.into_bytes();
    let manifest = manifest.into_bytes();
    loaded.cache.keep_documents(loaded.digest(), [&schema, &manifest]);
    Ok((schema, manifest))
}

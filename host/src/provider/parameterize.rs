//! Parameters: what turns a provider into that of another package, or adds one to it.
//!
//! Only the guest knows what a parameter makes. What it says is held to here before anything goes by it: the name and version
//! that the engine expects, and a schema of just this package that says which parameter made it.

use std::sync::Arc;

use bulkhead_schema::{Package, ParameterKind, Parameterization};
use semver::Version;

use super::sessions::{Described, Present};
use super::{Context, Error, ErrorKind, Session, Sessions};

/// The sub-packages that a provider may have at once. Each costs its schema.
const MOST_SUBPACKAGES: usize = 256;

/// What a parameter made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subpackage {
    /// Its name.
    pub name: String,
    /// Its semantic version.
    pub version: String,
}

/// A parameter, on its way in or from a record.
#[derive(Clone, PartialEq, Eq)]
pub enum Parameters {
    /// Arguments of a command line.
    Arguments(Vec<String>),
    /// What a schema recorded earlier.
    Recorded {
        /// What it made then, and has to make again.
        subpackage: Subpackage,
        /// What the schema has of it.
        bytes: Vec<u8>,
    },
}

/// What a guest made of a parameter.
pub struct Parameterized {
    /// What it is called.
    pub subpackage: Subpackage,
    /// Its schema's text.
    pub schema: Arc<[u8]>,
    /// What the schema describes.
    pub package: Package,
}

impl Sessions {
    /// Takes a parameter: before the configuration one that replaces the package, or at any time one that adds a package.
    ///
    /// # Errors
    /// A provider without parameters, a replacement that comes too late or again, the guest's failure, and whatever is wrong
    /// with what it made. Nothing has changed then.
    pub async fn parameterize(&self, parameters: Parameters) -> Result<Subpackage, Error> {
        let _turn = self.turn().await;
        let present = self.present();
        let own = &present.own.session;
        own.running()?;
        if !own.exports.parameterization {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("the provider `{}` takes no parameters", self.base),
            ));
        }
        expectable(&parameters)?;
        if present.extensions.len() >= MOST_SUBPACKAGES {
            let message = format!("the provider has {MOST_SUBPACKAGES} sub-packages already, and may have no more");
            return Err(Error::new(ErrorKind::Exhausted, message));
        }
        let made = own.guest.parameterize(own.reading(&Context::default()), &parameters).await?;
        let parameterization = self.accepted(&parameters, &made)?;
        let subpackage = made.subpackage.clone();
        let next = match parameterization.kind {
            ParameterKind::Replacement => replaced(&present, made)?,
            ParameterKind::Extension => extended(&present, made),
        };
        own.guest.adopt(parameters, &subpackage);
        self.become_present(next);
        Ok(subpackage)
    }

    /// Whether a name is the provider's, and a version too if it has one.
    fn is_named(&self, (name, version): (&String, &Option<Version>)) -> bool {
        *name == self.base && (self.version.is_none() || *version == self.version)
    }

    /// Holds what the guest made to what it was asked for.
    fn accepted(&self, parameters: &Parameters, made: &Parameterized) -> Result<Parameterization, Error> {
        let Parameterized { subpackage, package, .. } = made;
        let named = called(subpackage);
        if let Parameters::Recorded { subpackage: expected, .. } = parameters
            && expected != subpackage
        {
            let message = format!("the parameter of {} gave {named}", called(expected));
            return Err(Error::provider_bug(message));
        }
        let Ok(version) = Version::parse(&subpackage.version) else {
            return Err(Error::provider_bug(format!("the version of {named} isn't a semantic version")));
        };
        if package.name != subpackage.name || package.version.as_ref() != Some(&version) {
            let of = package
                .version
                .as_ref()
                .map_or_else(|| "no version".to_owned(), |version| format!("version {version}"));
            let message = format!("the schema of {named} is that of the package `{}` of {of}", package.name);
            return Err(Error::provider_bug(message));
        }
        match &package.parameterization {
            Some(parameterization) => {
                let Parameterization { base, version, plugin, .. } = parameterization;
                let plugin = plugin.as_ref().map(|plugin| (&plugin.name, &plugin.version));
                // Programs have engines fetch and run what stands there.
                match [(base, version)].into_iter().chain(plugin).find(|made_by| !self.is_named(*made_by)) {
                    None => Ok(parameterization.clone()),
                    Some(other) => {
                        let (other, own) = (made_by(other), made_by((&self.base, &self.version)));
                        let message =
                            format!("the schema of {named} says that it is made by {other}, and not by {own}");
                        Err(Error::provider_bug(message))
                    }
                }
            }
            None => Err(Error::provider_bug(format!("the schema of {named} doesn't say which parameter made it"))),
        }
    }
}

/// A provider, as the schemas of sub-packages name it.
fn made_by((name, version): (&String, &Option<Version>)) -> String {
    version.as_ref().map_or_else(|| format!("`{name}`"), |version| format!("`{name}` {version}"))
}

/// Refuses a parameter that no package can come from.
fn expectable(parameters: &Parameters) -> Result<(), Error> {
    let Parameters::Recorded { subpackage, .. } = parameters else { return Ok(()) };
    if subpackage.name.is_empty() {
        return Err(Error::new(ErrorKind::InvalidRequest, "the parameter's package has no name"));
    }
    if Version::parse(&subpackage.version).is_err() {
        let message = format!("the version of {} isn't a semantic version", called(subpackage));
        return Err(Error::new(ErrorKind::InvalidRequest, message));
    }
    Ok(())
}

/// The packages with another one in place of the component's own.
fn replaced(present: &Present, made: Parameterized) -> Result<Present, Error> {
    let session = &present.own.session;
    let late = |message: &str| Err(Error::new(ErrorKind::NotReady, message));
    if session.is_configured() {
        return late("the parameter replaces the provider's package, and the provider is configured already");
    }
    if present.own.subpackage.is_some() {
        return late("the parameter replaces the provider's package, and another one did before");
    }
    if !present.extensions.is_empty() {
        return late("the parameter replaces the provider's package, and others have extended it");
    }
    Ok(Present { own: described(session, made), extensions: Vec::new() })
}

/// The packages with one more, or with a newer one of the same name and version.
fn extended(present: &Present, made: Parameterized) -> Present {
    let mut next = present.clone();
    next.extensions.retain(|extension| extension.subpackage.as_ref() != Some(&made.subpackage));
    next.extensions.push(described(&present.own.session, made));
    next
}

fn described(session: &Session, made: Parameterized) -> Described {
    let Parameterized { subpackage, schema, mut package } = made;
    // Who answers calls about the configuration is the component's to say, whatever the package.
    package.provider.facts = session.package().provider.facts.clone();
    Described { session: Arc::new(session.described_by(Arc::new(package))), schema, subpackage: Some(subpackage) }
}

fn called(subpackage: &Subpackage) -> String {
    format!("the sub-package `{}` {}", subpackage.name, subpackage.version)
}

//! Mappings: how names of another ecosystem map to this package's, for converters of programs.
//!
//! A function gives all mappings for an ecosystem, and stands in [`provider!`](crate::provider!) as `mappings: name`.

use std::borrow::Cow;

use crate::error::Result;

/// A mapping.
///
/// ```
/// use bulkhead_sdk::{Mapping, Result, provider};
///
/// /// The first is the primary one.
/// fn mappings(ecosystem: &str) -> Result<Vec<Mapping>> {
///     Ok(match ecosystem {
///         "terraform" => vec![Mapping::new("dns", br#"{"resources":{}}"#)],
///         _ => Vec::new(),
///     })
/// }
///
/// provider! { name: "dns", mappings: mappings }
/// # let driver = bulkhead_sdk::testing::Driver::new(&PROVIDER, ());
/// # assert_eq!(driver.mapping("terraform", None)?.unwrap().provider, "dns");
/// # assert!(driver.mapping("terraform", Some("other"))?.is_none());
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The provider's name in the other ecosystem.
    pub provider: Cow<'static, str>,
    /// The mapping, in the form that the ecosystem's converter defines.
    pub data: Cow<'static, [u8]>,
}

impl Mapping {
    /// The mapping of a provider of another ecosystem.
    pub fn new(provider: impl Into<Cow<'static, str>>, data: &'static [u8]) -> Self {
        Self { provider: provider.into(), data: Cow::Borrowed(data) }
    }

    /// One that is computed.
    pub fn computed(provider: impl Into<Cow<'static, str>>, data: Vec<u8>) -> Self {
        Self { provider: provider.into(), data: Cow::Owned(data) }
    }
}

/// All mappings for an ecosystem, the primary one first.
pub(crate) type Mappings = fn(ecosystem: &str) -> Result<Vec<Mapping>>;

/// The mapping of a provider, or the primary one if none is named.
pub(crate) fn find(mappings: Mappings, ecosystem: &str, provider: Option<&str>) -> Result<Option<Mapping>> {
    let mut all = mappings(ecosystem)?.into_iter();
    Ok(match provider {
        None => all.next(),
        Some(name) => all.find(|mapping| mapping.provider == name),
    })
}

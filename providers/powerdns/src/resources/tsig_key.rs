//! [`TsigKey`].

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bulkhead_sdk::resource::{Check, Checked, Diff, Difference};
use bulkhead_sdk::{
    Create, Created, Delete, Enum, Error, Inputs, Read, Resource, Result, Secret, Snapshot, State, Update, Updated,
    resource,
};

use super::change::{changed, unknown};
use super::creation::{exists, gone, made};
use super::reading::{self, Known};
use crate::api::{self, Problem, Server, TsigKeyChange};
use crate::dns::Name;
use crate::given;
use crate::settings::Settings;

/// How messages are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[expect(missing_docs, reason = "the names are the standard's")]
pub enum TsigAlgorithm {
    #[bulkhead(rename = "hmac-md5")]
    HmacMd5,
    #[bulkhead(rename = "hmac-sha1")]
    HmacSha1,
    #[bulkhead(rename = "hmac-sha224")]
    HmacSha224,
    #[bulkhead(rename = "hmac-sha256")]
    HmacSha256,
    #[bulkhead(rename = "hmac-sha384")]
    HmacSha384,
    #[bulkhead(rename = "hmac-sha512")]
    HmacSha512,
}

/// A key that signs transfers and updates.
#[derive(Clone, Debug, Inputs)]
pub struct TsigKeyArgs {
    /// The key's name, which both sides have to give it.
    #[bulkhead(replace)]
    name: String,
    /// How messages are signed.
    #[bulkhead(default = TsigAlgorithm::HmacSha256)]
    algorithm: TsigAlgorithm,
    /// The key itself, in base64. Left out, the server makes one.
    key: Option<Secret<String>>,
}

/// A key that signs transfers and updates (TSIG). Its id is what a zone's `masterTsigKeyIds` and `slaveTsigKeyIds` take.
///
/// To import it, give its name as the id.
#[derive(Clone, Debug, State)]
pub struct TsigKey {
    #[bulkhead(flatten)]
    args: TsigKeyArgs,
}

#[resource(token = "powerdns:index:TsigKey")]
impl Resource for TsigKey {
    type Inputs = TsigKeyArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let (server, name) = (request.config.server()?, args.parsed_name()?);
        let id = name.to_string();
        if server.tsig_key(&id)?.is_some() {
            return Err(exists("TSIG key", &id));
        }
        let attempt = server.create_tsig_key(&args.change(&name, None));
        let key = made(attempt, || server.tsig_key(&id), ("TSIG key", &id), rejected)?;
        Ok(Created::new(id, Self::found(key, Some(args))?))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        reading::read(request)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let args = &request.inputs;
        let (server, name) = (request.config.server()?, args.parsed_name()?);
        let before = server.tsig_key(name.as_str())?;
        // A key that isn't given stays, also where a change of it ended half-way.
        let prior = request.prior.state().ok().and_then(|state| state.args.key);
        let otherwise = before.as_ref().map(|before| before.key.as_str()).or(prior.as_ref().map(|key| key.as_str()));
        let change = args.change(&name, otherwise);
        let key = match &before {
            Some(before) => Self::changed(&request, server, &name, before, &change)?,
            None if change.key.is_some() => changed(&request, server.create_tsig_key(&change), rejected)?,
            None => return Err(gone("TSIG key")),
        };
        let found = Self::found(key, Some(args.clone()));
        Ok(Updated::new(found.map_err(|error| unknown(&request, error))?))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        Ok(request.config.server()?.delete_tsig_key(&request.prior.id)?)
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        let inputs = checked.inputs.clone();
        if let Some(name) = given::text(&inputs, "name") {
            given::check_name(&mut checked, "name".into(), name);
        }
        if let Some(key) = given::text(&inputs, "key")
            && !STANDARD.decode(key).is_ok_and(|key| !key.is_empty())
        {
            checked.reject("key", "must be base64");
        }
        Ok(checked)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        let mut difference = request.defaults()?;
        let before = request.prior.recorded_inputs();
        given::without_spelling(&mut difference, before, &request.inputs, |property, before, after| {
            property == "name" && given::same_text(before, after, given::same_name)
        });
        // Where it is replaced by itself, it is in its own way.
        difference.delete_before_replace |= given::stay(&difference, &["name"]);
        Ok(difference)
    }
}

impl TsigKeyArgs {
    fn parsed_name(&self) -> Result<Name> {
        Name::parse(&self.name).map_err(|error| Error::rejected("name", format!("must be a name: {error}")))
    }

    fn change<'a>(&'a self, name: &'a Name, otherwise: Option<&'a str>) -> TsigKeyChange<'a> {
        let key = self.key.as_ref().map(|key| key.as_str()).or(otherwise);
        TsigKeyChange { name: name.without_dot(), algorithm: self.algorithm.text(), key }
    }
}

impl Known for TsigKey {
    type Id = Name;
    type Found = api::TsigKey;

    fn id(text: &str) -> Result<Name> {
        Name::parse(text).map_err(|error| Error::failed(format!("the id of a key is its name: {error}")))
    }

    fn find(server: &Server, name: &Name) -> Result<Option<api::TsigKey>> {
        Ok(server.tsig_key(name.as_str())?)
    }

    fn into_given(self) -> TsigKeyArgs {
        self.args
    }

    fn recognised(_: &Server, _: &Name, found: api::TsigKey, given: Option<TsigKeyArgs>) -> Result<Self> {
        Self::found(found, given)
    }
}

impl TsigKey {
    /// The key as it is once it was changed.
    fn changed(
        request: &Update<'_, Self>,
        server: &Server,
        name: &Name,
        before: &api::TsigKey,
        change: &TsigKeyChange<'_>,
    ) -> Result<api::TsigKey> {
        // What the server would refuse it refuses now, while there is a key.
        let key = changed(request, server.change_tsig_key(name.as_str(), change), rejected)?;
        if before.algorithm == key.algorithm {
            return Ok(key);
        }
        let all = server.tsig_keys().map_err(|problem| unknown(request, problem))?;
        if all.iter().filter(|other| other.id == key.id).count() < 2 {
            return Ok(key);
        }
        server.renew_tsig_key(name.as_str(), change).map_err(|problem| {
            let hint = "the server may have no such key now: the next `pulumi up` makes it again as it is recorded, but not after a refresh";
            unknown(request, format!("{problem}\nhint: {hint}"))
        })
    }

    fn found(found: api::TsigKey, given: Option<TsigKeyArgs>) -> Result<Self> {
        let algorithm = algorithm_of(&found.algorithm)?;
        let name =
            given::settled(given.map(|given| given.name), found.name, |given, found| given::same_name(given, found));
        Ok(Self { args: TsigKeyArgs { name, algorithm, key: Some(Secret::new(found.key)) } })
    }
}

/// The algorithm that the API calls so.
fn algorithm_of(text: &str) -> Result<TsigAlgorithm> {
    Ok(match text.trim_end_matches('.') {
        "hmac-md5" | "hmac-md5.sig-alg.reg.int" => TsigAlgorithm::HmacMd5,
        "hmac-sha1" => TsigAlgorithm::HmacSha1,
        "hmac-sha224" => TsigAlgorithm::HmacSha224,
        "hmac-sha256" => TsigAlgorithm::HmacSha256,
        "hmac-sha384" => TsigAlgorithm::HmacSha384,
        "hmac-sha512" => TsigAlgorithm::HmacSha512,
        _ => return Err(Error::failed("the key is of an algorithm that this provider doesn't know")),
    })
}

/// What the server refused, without what it repeats: that is the key.
fn rejected(problem: Problem) -> Error {
    match problem.rejection() {
        Some(said) if said.contains("base64") => Error::rejected("key", "must be base64"),
        Some(_) => Error::failed("the server refuses the key"),
        None => problem.into(),
    }
}

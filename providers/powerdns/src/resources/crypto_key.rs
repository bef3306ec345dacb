//! [`CryptoKey`].

use bulkhead_sdk::resource::{Check, Checked, Diff, Difference, Prior};
use bulkhead_sdk::{
    Create, Created, Delete, Enum, Error, Inputs, Read, Resource, Result, Secret, Snapshot, State, Update, Updated,
    log, resource,
};

use super::change::{changed, unknown};
use super::creation::{gone, no_zone};
use super::reading::{self, Known};
use crate::api::{self, NewCryptoKey, Problem, Server};
use crate::dns::Name;
use crate::given;
use crate::id::InZone;
use crate::settings::Settings;

/// What a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum KeyType {
    /// The keys.
    #[bulkhead(rename = "ksk")]
    KeySigning,
    /// All but the keys.
    #[bulkhead(rename = "zsk")]
    ZoneSigning,
    /// Both.
    #[bulkhead(rename = "csk")]
    Combined,
}

/// A key that signs a zone.
#[derive(Clone, Debug, Inputs)]
pub struct CryptoKeyArgs {
    /// The zone.
    #[bulkhead(replace)]
    zone: String,
    /// What the key signs.
    #[bulkhead(replace, default = KeyType::Combined)]
    keytype: KeyType,
    /// Whether the key signs.
    #[bulkhead(default = true)]
    active: bool,
    /// Whether the key is in the zone.
    #[bulkhead(default = true)]
    published: bool,
    /// The algorithm, such as `ecdsa256`, `ed25519` or `rsasha256`. Left out, the server chooses.
    #[bulkhead(replace)]
    algorithm: Option<String>,
    /// The size in bits, where the algorithm leaves a choice. Left out, the server chooses, which for RSA most of them refuse to do.
    #[bulkhead(replace)]
    bits: Option<u32>,
    /// A key that exists, in BIND's format. Left out, the server makes one, which nobody gets to see.
    #[bulkhead(replace, output_default = None)]
    private_key: Option<Secret<String>>,
}

/// A key that signs a zone, beside or instead of the one that the server makes for a zone with `dnssec`.
///
/// To import it, give `zone:number` as the id, such as `example.org.:1`.
#[derive(Clone, Debug, State)]
pub struct CryptoKey {
    #[bulkhead(flatten)]
    args: CryptoKeyArgs,
    /// The key's number in the zone.
    #[bulkhead(stable)]
    number: u32,
    /// The content of the key's `DNSKEY` record.
    #[bulkhead(stable)]
    dnskey: String,
    /// The contents of the `DS` records that the zone above needs.
    ds_records: Vec<String>,
    /// The flags of the `DNSKEY` record: 256 or 257.
    #[bulkhead(stable)]
    flags: u32,
}

#[resource(token = "powerdns:index:CryptoKey")]
impl Resource for CryptoKey {
    type Inputs = CryptoKeyArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let (server, zone) = (request.config.server()?, args.parsed_zone()?);
        let new = NewCryptoKey {
            keytype: args.keytype.text(),
            active: args.active,
            published: args.published,
            algorithm: args.algorithm.as_deref(),
            bits: args.bits,
            private_key: args.private_key.as_ref().map(|key| key.as_str()),
        };
        let key = server.create_crypto_key(zone.as_str(), &new).map_err(rejected)?;
        let id = InZone { zone, what: key.id };
        Ok(Created::new(id.to_string(), Self::recognised(server, &id, key, Some(args))?))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        reading::read(request)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let (server, id, args) = (request.config.server()?, InZone::number(&request.prior.id)?, &request.inputs);
        let found = server.crypto_key(id.zone.as_str(), id.what)?;
        if found.is_none_or(|found| is_another(&found, &request.prior)) {
            return Err(gone("key"));
        }
        let attempt = server.change_crypto_key(id.zone.as_str(), id.what, args.active, args.published);
        changed(&request, attempt, |problem| match problem {
            Problem::NotFound => gone("key"),
            problem => problem.into(),
        })?;
        let found = server.crypto_key(id.zone.as_str(), id.what).map_err(|problem| unknown(&request, problem))?;
        let state = Self::recognised(server, &id, found.ok_or_else(|| gone("key"))?, Some(args.clone()));
        Ok(Updated::new(state.map_err(|error| unknown(&request, error))?))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        let (server, id) = (request.config.server()?, InZone::number(&request.prior.id)?);
        if server.crypto_key(id.zone.as_str(), id.what)?.is_some_and(|found| is_another(&found, &request.prior)) {
            log::info("the key is gone; the one that has its number now is another, and stays");
            return Ok(());
        }
        Ok(server.delete_crypto_key(id.zone.as_str(), id.what)?)
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        let inputs = checked.inputs.clone();
        if let Some(zone) = given::text(&inputs, "zone") {
            given::check_name(&mut checked, "zone".into(), zone);
        }
        Ok(checked)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        let mut difference = request.defaults()?;
        let before = request.prior.recorded_inputs();
        given::without_spelling(&mut difference, before, &request.inputs, |property, before, after| match property {
            "zone" => given::same_text(before, after, given::same_name),
            "algorithm" => given::same_text(before, after, same_algorithm),
            _ => false,
        });
        Ok(difference)
    }
}

impl CryptoKeyArgs {
    fn parsed_zone(&self) -> Result<Name> {
        Name::parse(&self.zone).map_err(|error| Error::rejected("zone", format!("must be a name: {error}")))
    }
}

impl Known for CryptoKey {
    type Id = InZone<u32>;
    type Found = api::CryptoKey;

    fn id(text: &str) -> Result<InZone<u32>> {
        InZone::number(text)
    }

    fn find(server: &Server, id: &InZone<u32>) -> Result<Option<api::CryptoKey>> {
        Ok(server.crypto_key(id.zone.as_str(), id.what)?)
    }

    /// The number of a key that is deleted is given again, so it says nothing by itself. The public key stays the same for good.
    fn is_recorded(&self, found: &api::CryptoKey) -> bool {
        let public = |dnskey: &str| dnskey.split_whitespace().next_back().map(str::to_owned);
        let (recorded, found) = (public(&self.dnskey), public(&found.dnskey));
        recorded == found || recorded.is_none() || found.is_none()
    }

    fn into_given(self) -> CryptoKeyArgs {
        self.args
    }

    fn recognised(_: &Server, id: &InZone<u32>, found: api::CryptoKey, given: Option<CryptoKeyArgs>) -> Result<Self> {
        // Servers call a key that signs all what it is for, whatever it was made as.
        let keytype = match found.keytype.as_str() {
            "ksk" => KeyType::KeySigning,
            "zsk" => KeyType::ZoneSigning,
            "csk" => KeyType::Combined,
            _ => return Err(Error::failed("the key is of a type that this provider doesn't know")),
        };
        let algorithm = given.as_ref().and_then(|given| given.algorithm.clone());
        let algorithm = given::settled(algorithm, found.algorithm, |given, found| same_algorithm(given, found));
        let args = CryptoKeyArgs {
            zone: given.as_ref().map_or_else(|| id.zone.to_string(), |given| given.zone.clone()),
            keytype: given.as_ref().map_or(keytype, |given| given.keytype),
            active: found.active,
            published: found.published,
            algorithm: Some(algorithm),
            bits: Some(found.bits),
            private_key: given.and_then(|given| given.private_key),
        };
        // The zone above vouches for keys that sign keys.
        let ds_records = if args.keytype == KeyType::ZoneSigning { Vec::new() } else { found.ds };
        Ok(Self { args, number: found.id, dnskey: found.dnskey, ds_records, flags: found.flags })
    }
}

/// Whether the key that was found by its number is another than the one on record.
fn is_another(found: &api::CryptoKey, prior: &Prior<CryptoKey>) -> bool {
    prior.state().is_ok_and(|recorded| !recorded.is_recorded(found))
}

/// Whether two names mean one algorithm: `ecdsa256` is short for `ECDSAP256SHA256`.
fn same_algorithm(one: &str, other: &str) -> bool {
    let long = |name: &str| match name.to_ascii_lowercase().as_str() {
        "ecdsa256" | "13" => "ecdsap256sha256".to_owned(),
        "ecdsa384" | "14" => "ecdsap384sha384".to_owned(),
        "ed25519" | "15" => "ed25519".to_owned(),
        "ed448" | "16" => "ed448".to_owned(),
        "rsasha256" | "8" => "rsasha256".to_owned(),
        "rsasha512" | "10" => "rsasha512".to_owned(),
        other => other.to_owned(),
    };
    long(one) == long(other)
}

/// What the server refused, without what it repeats: that may be the key.
fn rejected(problem: Problem) -> Error {
    match problem {
        Problem::NotFound => no_zone(),
        // Keys have no names by which to look for one: it can't be told from another that was made meanwhile.
        problem if problem.is_uncertain() => Error::outcome_unknown(format!(
            "{problem}\nhint: is there a new key in the zone? then import it as `zone:number`, or delete it"
        )),
        problem => match problem.rejection() {
            Some(said) => refused(said),
            None => problem.into(),
        },
    }
}

/// The same in other words than the server's, of which it has several.
fn refused(said: &str) -> Error {
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let (path, reason) = match () {
        () if says(&["inconsistent with the 'bits'"]) => ("privateKey", "is of another size than `bits` says"),
        () if says(&["inconsistent with the 'algorithm'"]) => {
            ("privateKey", "is of another algorithm than `algorithm` says")
        }
        () if says(&["Either you submit"]) => {
            ("privateKey", "says its algorithm and size itself: leave out `algorithm` and `bits` beside it")
        }
        () if says(&["Key could not be parsed"]) => {
            ("privateKey", "is no key in BIND's format that the server can read")
        }
        () if says(&["nknown algorithm"]) => ("algorithm", "is none that the server knows"),
        () if says(&["requires the size", "guess key size"]) => ("bits", "must be given for this algorithm"),
        () if says(&["bit size", "'bits' must"]) => ("bits", "is no size that the algorithm has"),
        () if says(&["DNSSEC not enabled"]) => {
            return Error::failed(
                "the server can't keep the key\nhint: DNSSEC may have to be enabled in its configuration, for a database such as with \
                 `gsqlite3-dnssec`",
            );
        }
        () => return Error::failed("the server refuses the key"),
    };
    Error::rejected(path, reason)
}

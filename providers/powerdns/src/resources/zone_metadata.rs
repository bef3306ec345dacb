//! [`ZoneMetadata`].

use bulkhead_sdk::resource::{Check, Checked, Diff, Difference};
use bulkhead_sdk::{
    Create, Created, Delete, Error, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, resource,
};

use super::change::changed;
use super::creation::{made, no_zone};
use super::reading::{self, Known};
use crate::api::{Problem, Server};
use crate::dns::Name;
use crate::given;
use crate::id::InZone;
use crate::settings::Settings;

/// Kinds that the API doesn't set, and what does.
const ELSEWHERE: &[(&str, &str)] = &[
    ("API-RECTIFY", "can't be set here; set `apiRectify` of the zone"),
    ("SOA-EDIT", "can't be set here; set `soaEdit` of the zone"),
    ("SOA-EDIT-API", "can't be set here; set `soaEditApi` of the zone"),
    ("NSEC3PARAM", "can't be set here; set `nsec3param` of the zone"),
    ("NSEC3NARROW", "can't be set here; set `nsec3narrow` of the zone"),
    ("TSIG-ALLOW-AXFR", "can't be set here; set `masterTsigKeyIds` of the zone"),
    ("AXFR-MASTER-TSIG", "can't be set here; set `slaveTsigKeyIds` of the zone"),
    ("PRESIGNED", "can't be set by the API; `pdnsutil set-presigned` does, on the server"),
    ("LUA-AXFR-SCRIPT", "can't be set by the API, since it runs code; `pdnsutil set-meta` does, on the server"),
];

/// Metadata of a zone.
#[derive(Clone, Debug, Inputs)]
pub struct ZoneMetadataArgs {
    /// The zone.
    #[bulkhead(replace)]
    zone: String,
    /// The kind: one of the server's, such as `ALSO-NOTIFY` or `ALLOW-AXFR-FROM`, or one of your own, which starts with `X-`.
    #[bulkhead(replace)]
    kind: String,
    /// The values.
    #[bulkhead(min_items = 1)]
    values: Vec<String>,
}

/// Metadata of a zone: all values of one kind.
///
/// To import it, give `zone:kind` as the id, such as `example.org.:ALSO-NOTIFY`.
#[derive(Clone, Debug, State)]
pub struct ZoneMetadata {
    #[bulkhead(flatten)]
    args: ZoneMetadataArgs,
}

#[resource(token = "powerdns:index:ZoneMetadata")]
impl Resource for ZoneMetadata {
    type Inputs = ZoneMetadataArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let (server, id) = (request.config.server()?, args.id()?);
        let attempt = server.create_metadata(id.zone.as_str(), &id.what, &args.values);
        let look = || -> Result<_, Problem> {
            let found = server.metadata(id.zone.as_str(), &id.what)?;
            Ok((!found.is_empty()).then_some(()))
        };
        made(attempt, look, ("kind of metadata", &id.to_string()), rejected)?;
        Ok(Created::new(id.to_string(), Self { args }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        reading::read(request)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let id = request.inputs.id()?;
        let server = request.config.server()?;
        let attempt = server.replace_metadata(id.zone.as_str(), &id.what, &request.inputs.values);
        changed(&request, attempt, rejected)?;
        Ok(Updated::new(Self { args: request.inputs }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        let id = InZone::kind(&request.prior.id)?;
        Ok(request.config.server()?.delete_metadata(id.zone.as_str(), &id.what)?)
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        check(&mut checked);
        Ok(checked)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        let mut difference = request.defaults()?;
        let before = request.prior.recorded_inputs();
        given::without_spelling(&mut difference, before, &request.inputs, |property, before, after| match property {
            "zone" => given::same_text(before, after, given::same_name),
            "values" => given::same_texts(before, after, str::to_owned),
            _ => false,
        });
        // Where it is replaced by itself, it is in its own way.
        difference.delete_before_replace |= given::stay(&difference, &["zone", "kind"]);
        Ok(difference)
    }
}

impl Known for ZoneMetadata {
    type Id = InZone<String>;
    type Found = Vec<String>;

    fn id(text: &str) -> Result<InZone<String>> {
        InZone::kind(text)
    }

    fn find(server: &Server, id: &InZone<String>) -> Result<Option<Vec<String>>> {
        Ok(Some(server.metadata(id.zone.as_str(), &id.what)?).filter(|found| !found.is_empty()))
    }

    fn into_given(self) -> ZoneMetadataArgs {
        self.args
    }

    fn recognised(
        _: &Server,
        id: &InZone<String>,
        found: Vec<String>,
        given: Option<ZoneMetadataArgs>,
    ) -> Result<Self> {
        let args = match given {
            Some(given) => {
                ZoneMetadataArgs { values: given::settled_list(&given.values, found, str::to_owned), ..given }
            }
            None => ZoneMetadataArgs { zone: id.zone.to_string(), kind: id.what.clone(), values: found },
        };
        Ok(Self { args })
    }
}

impl ZoneMetadataArgs {
    fn id(&self) -> Result<InZone<String>> {
        let zone =
            Name::parse(&self.zone).map_err(|error| Error::rejected("zone", format!("must be a name: {error}")))?;
        Ok(InZone { zone, what: self.kind.clone() })
    }
}

fn rejected(problem: Problem) -> Error {
    if matches!(problem, Problem::NotFound) {
        return no_zone();
    }
    match problem.rejection() {
        Some(said) if said.contains("metadata kind") => {
            Error::rejected("kind", "is none that the server knows, and doesn't start with X-")
        }
        _ => problem.into(),
    }
}

fn check(checked: &mut Checked) {
    let inputs = checked.inputs.clone();
    if let Some(zone) = given::text(&inputs, "zone") {
        given::check_name(checked, "zone".into(), zone);
    }
    if let Some(kind) = given::text(&inputs, "kind") {
        // The server's own kinds are all of one form; what is called one's own is nobody else's matter.
        let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
        let is_own = |kind: &str| {
            let own = kind.strip_prefix("X-").unwrap_or_default();
            !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/')
        };
        if let Some((_, reason)) = ELSEWHERE.iter().find(|(elsewhere, _)| elsewhere.eq_ignore_ascii_case(kind)) {
            checked.reject("kind", *reason);
        } else if !is_own(kind) && (kind.is_empty() || !kind.bytes().all(is_plain)) {
            checked.reject("kind", "must consist of upper-case letters, digits and dashes, or start with X-");
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    for (path, value) in given::texts(&inputs, "values") {
        if seen.contains(&value) {
            checked.reject(path, "is there twice");
        }
        seen.push(value);
    }
}

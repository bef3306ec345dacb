//! The exports, each answered well unless an attack answers otherwise.

use crate::bindings::bulkhead::provider::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    Subpackage, UpdateRequest,
};
use crate::bindings::bulkhead::provider::{defaults, engine};
use crate::bindings::exports::bulkhead::provider::components::{
    self, CallRequest, Called, ConstructRequest, Constructed,
};
use crate::bindings::exports::bulkhead::provider::config::{self, ConfigureRequest};
use crate::bindings::exports::bulkhead::provider::functions::{self, InvokeRequest};
use crate::bindings::exports::bulkhead::provider::lists::{self, ListItem, ListRequest, Page};
use crate::bindings::exports::bulkhead::provider::mappings::{self, Mapping};
use crate::bindings::exports::bulkhead::provider::parameterization::{self, ParameterizeRequest};
use crate::bindings::exports::bulkhead::provider::resources::{
    self, Created, DeleteRequest, ReadRequest, Snapshot, Updated,
};
use crate::bindings::exports::bulkhead::provider::upgrade::{self, UpgradeRequest, Upgraded};
use crate::bindings::exports::bulkhead::provider::{check, config_check, config_diff, diff, preview, schema};
use crate::registrations::component;
use crate::trees::{field, object, text};
use crate::{MANIFEST, SCHEMA, Tree};

/// Where in a provider's life an attack may strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the export of that name")]
pub enum Method {
    Schema,
    Manifest,
    Configure,
    CheckConfig,
    DiffConfig,
    Check,
    Diff,
    PreviewCreate,
    PreviewUpdate,
    Upgrade,
    Create,
    Read,
    Update,
    Delete,
    Invoke,
    Construct,
    Call,
    List,
    Parameterize,
    Mapping,
    Mappings,
}

impl Method {
    /// Whether the component only says what it is.
    pub fn describes(self) -> bool {
        matches!(self, Self::Schema | Self::Manifest)
    }
}

/// A provider of `hostile:index:Thing` that is well-behaved wherever it isn't told otherwise.
#[allow(missing_docs, reason = "each is the export of that name")]
pub trait Attack: Sync {
    /// Comes before each method, with what the call is about where there is something.
    fn strike(&self, _method: Method, _inputs: Option<&Tree>) {}

    fn package_schema(&self, _subpackage: Option<Subpackage>) -> Result<String, Error> {
        Ok(SCHEMA.to_owned())
    }

    fn manifest(&self) -> String {
        MANIFEST.to_owned()
    }

    fn configure(&self, _request: ConfigureRequest) -> Result<(), Error> {
        Ok(())
    }

    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let _ = request;
        Ok(Created { id: "made-1".to_owned(), state: state("made"), refresh_before_update: false })
    }

    fn read(&self, request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        Ok(Some(Snapshot { id: request.id, state: state("read"), inputs: None, refresh_before_update: false }))
    }

    fn update(&self, _request: UpdateRequest) -> Result<Updated, Error> {
        Ok(Updated { state: state("updated"), refresh_before_update: false })
    }

    fn delete(&self, _request: DeleteRequest) -> Result<(), Error> {
        Ok(())
    }

    fn check(&self, request: CheckRequest) -> Result<Checked, Error> {
        defaults::check(&request)
    }

    fn diff(&self, request: DiffRequest) -> Result<Difference, Error> {
        defaults::diff(&request)
    }

    fn preview_create(&self, request: CreateRequest) -> Result<Tree, Error> {
        defaults::preview_create(&request)
    }

    fn preview_update(&self, request: UpdateRequest) -> Result<Tree, Error> {
        defaults::preview_update(&request)
    }

    fn check_config(&self, request: CheckConfigRequest) -> Result<Checked, Error> {
        defaults::check_config(&request)
    }

    fn diff_config(&self, request: DiffConfigRequest) -> Result<Difference, Error> {
        defaults::diff_config(&request)
    }

    fn upgrade(&self, request: UpgradeRequest) -> Result<Upgraded, Error> {
        Ok(Upgraded { state: request.state, inputs: request.inputs })
    }

    fn invoke(&self, _request: InvokeRequest) -> Result<Tree, Error> {
        Ok(state("told"))
    }

    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let urn = engine::register(&component(&request.token, &request.name, request.inputs))?.wait()?.urn;
        let state = state("constructed");
        engine::register_outputs(&urn, &state)?;
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }

    fn call(&self, _request: CallRequest) -> Result<Called, Error> {
        Ok(Called { value: state("called"), dependencies: Vec::new() })
    }

    fn list_page(&self, _request: ListRequest) -> Result<Page, Error> {
        let item = ListItem { id: "made-1".to_owned(), name: None, state: None };
        Ok(Page { items: vec![item], continuation: None })
    }

    fn parameterize(&self, _request: ParameterizeRequest) -> Result<Subpackage, Error> {
        Ok(Subpackage { name: "sub".to_owned(), version: "1.0.0".to_owned() })
    }

    fn mapping(&self, _key: String, _provider: Option<String>) -> Result<Option<Mapping>, Error> {
        Ok(None)
    }

    fn mappings(&self, _key: String) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
}

/// A state that conforms to the schema.
fn state(said: &str) -> Tree {
    object(&["text"], vec![text(said)])
}

/// The exports of all of these components, which differ in whom they ask.
struct Attacking;

crate::bindings::export_bindings!(Attacking with_types_in crate::bindings);

unsafe extern "Rust" {
    /// The attack of the component, which is compiled after all that they have in common.
    safe fn hostile_attack() -> &'static dyn Attack;
}

fn attack() -> &'static dyn Attack {
    hostile_attack()
}

impl schema::Guest for Attacking {
    fn package_schema(subpackage: Option<Subpackage>) -> Result<String, Error> {
        attack().strike(Method::Schema, None);
        attack().package_schema(subpackage)
    }

    fn manifest() -> String {
        attack().strike(Method::Manifest, None);
        attack().manifest()
    }
}

impl config::Guest for Attacking {
    fn configure(request: ConfigureRequest) -> Result<(), Error> {
        // Who wants to see another attack has to get past this one.
        if field(&request.inputs, "key").as_deref() != Some("well") {
            attack().strike(Method::Configure, Some(&request.inputs));
        }
        attack().configure(request)
    }
}

impl resources::Guest for Attacking {
    fn create(request: CreateRequest) -> Result<Created, Error> {
        attack().strike(Method::Create, Some(&request.inputs));
        attack().create(request)
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        attack().strike(Method::Read, request.prior.as_ref().map(|prior| &prior.state));
        attack().read(request)
    }

    fn update(request: UpdateRequest) -> Result<Updated, Error> {
        attack().strike(Method::Update, Some(&request.inputs));
        attack().update(request)
    }

    fn delete(request: DeleteRequest) -> Result<(), Error> {
        attack().strike(Method::Delete, Some(&request.prior.state));
        attack().delete(request)
    }
}

impl check::Guest for Attacking {
    fn check(request: CheckRequest) -> Result<Checked, Error> {
        attack().strike(Method::Check, Some(&request.inputs));
        attack().check(request)
    }
}

impl diff::Guest for Attacking {
    fn diff(request: DiffRequest) -> Result<Difference, Error> {
        attack().strike(Method::Diff, Some(&request.inputs));
        attack().diff(request)
    }
}

impl preview::Guest for Attacking {
    fn preview_create(request: CreateRequest) -> Result<Tree, Error> {
        attack().strike(Method::PreviewCreate, Some(&request.inputs));
        attack().preview_create(request)
    }

    fn preview_update(request: UpdateRequest) -> Result<Tree, Error> {
        attack().strike(Method::PreviewUpdate, Some(&request.inputs));
        attack().preview_update(request)
    }
}

impl config_check::Guest for Attacking {
    fn check_config(request: CheckConfigRequest) -> Result<Checked, Error> {
        attack().strike(Method::CheckConfig, Some(&request.inputs));
        attack().check_config(request)
    }
}

impl config_diff::Guest for Attacking {
    fn diff_config(request: DiffConfigRequest) -> Result<Difference, Error> {
        attack().strike(Method::DiffConfig, Some(&request.inputs));
        attack().diff_config(request)
    }
}

impl upgrade::Guest for Attacking {
    fn upgrade(request: UpgradeRequest) -> Result<Upgraded, Error> {
        attack().strike(Method::Upgrade, Some(&request.state));
        attack().upgrade(request)
    }
}

impl functions::Guest for Attacking {
    fn invoke(request: InvokeRequest) -> Result<Tree, Error> {
        attack().strike(Method::Invoke, Some(&request.arguments));
        attack().invoke(request)
    }
}

impl components::Guest for Attacking {
    fn construct(request: ConstructRequest) -> Result<Constructed, Error> {
        attack().strike(Method::Construct, Some(&request.inputs));
        attack().construct(request)
    }

    fn call(request: CallRequest) -> Result<Called, Error> {
        attack().strike(Method::Call, Some(&request.arguments));
        attack().call(request)
    }
}

impl lists::Guest for Attacking {
    fn list_page(request: ListRequest) -> Result<Page, Error> {
        attack().strike(Method::List, Some(&request.query));
        attack().list_page(request)
    }
}

impl parameterization::Guest for Attacking {
    fn parameterize(request: ParameterizeRequest) -> Result<Subpackage, Error> {
        attack().strike(Method::Parameterize, None);
        attack().parameterize(request)
    }
}

impl mappings::Guest for Attacking {
    fn get_mapping(key: String, provider: Option<String>) -> Result<Option<Mapping>, Error> {
        attack().strike(Method::Mapping, None);
        attack().mapping(key, provider)
    }

    fn get_mappings(key: String) -> Result<Vec<String>, Error> {
        attack().strike(Method::Mappings, None);
        attack().mappings(key)
    }
}

//! A provider that repeats whatever it is told in confidence, in every way that there is to say something.
//!
//! What it is told in confidence has the word `canary` in it, wherever it stands in a request; how to repeat it is said by the text
//! `how`. Written without the SDK, which has no words for some of the ways.

wit_bindgen::generate!({
    path: "../../../wit",
    inline: "
        package bulkhead:parrot;
        world parrot {
            include bulkhead:provider/described@0.1.0;
            include bulkhead:provider/configured@0.1.0;
            include bulkhead:provider/resourceful@0.1.0;
            include bulkhead:provider/checking@0.1.0;
            include bulkhead:provider/diffing@0.1.0;
            include bulkhead:provider/previewing@0.1.0;
            include bulkhead:provider/config-checking@0.1.0;
            include bulkhead:provider/config-diffing@0.1.0;
            include bulkhead:provider/upgrading@0.1.0;
            include bulkhead:provider/functional@0.1.0;
            include bulkhead:provider/composing@0.1.0;
            include bulkhead:provider/listing@0.1.0;
            include bulkhead:provider/parameterized@0.1.0;
            include bulkhead:provider/mapped@0.1.0;
        }
    ",
    world: "bulkhead:parrot/parrot",
    generate_all,
});

use std::sync::Mutex;

use bulkhead::provider::engine;
use bulkhead::provider::options::ResourceOptions;
use bulkhead::provider::types::{
    Change, ChangeKind, CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest,
    Difference, Error, Failure, MissingKey, Partial, PathSegment, Prior, Subpackage, UpdateRequest,
};
use bulkhead::provider::values::{Field, Node, Tree};
use bulkhead::provider::{log, operation};
use exports::bulkhead::provider::components::{
    self, CallRequest, Called, ConstructRequest, Constructed, PropertyDependencies,
};
use exports::bulkhead::provider::config::{self, ConfigureRequest};
use exports::bulkhead::provider::functions::{self, InvokeRequest};
use exports::bulkhead::provider::lists::{self, ListItem, ListRequest, Page};
use exports::bulkhead::provider::mappings::{self, Mapping};
use exports::bulkhead::provider::parameterization::{self, ParameterizeRequest, Parameters};
use exports::bulkhead::provider::resources::{self, Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use exports::bulkhead::provider::upgrade::{self, UpgradeRequest, Upgraded};
use exports::bulkhead::provider::{check, config_check, config_diff, diff, preview, schema};

struct Parrot;

export!(Parrot);

/// What the configuration said in confidence.
static CONFIGURED: Mutex<String> = Mutex::new(String::new());

/// What to say, and how.
struct Told {
    how: String,
    word: String,
}

/// What a request says: the last texts that matter in any of its trees.
fn told<'t>(trees: impl IntoIterator<Item = &'t Tree>) -> Told {
    let mut told = Told { how: String::new(), word: configured() };
    for tree in trees {
        for node in &tree.nodes {
            match node {
                Node::Text(text) if text.contains("canary") => told.word = text.clone(),
                Node::Fields(fields) => {
                    let how = fields.iter().find(|field| field.name == "how");
                    let how = how.and_then(|field| tree.nodes.get(usize::try_from(field.value).ok()?));
                    if let Some(Node::Text(text)) = how {
                        told.how = text.clone();
                    }
                }
                _ => {}
            }
        }
    }
    told
}

fn configured() -> String {
    CONFIGURED.lock().map(|configured| configured.clone()).unwrap_or_default()
}

fn of(prior: &Prior) -> impl Iterator<Item = &Tree> {
    [&prior.state].into_iter().chain(&prior.inputs)
}

impl Told {
    /// Says it, in the ways that aren't results.
    #[expect(clippy::panic, reason = "what a crash says is one of the ways to say something")]
    fn said(&self) -> Result<(), Error> {
        let (message, path) = (format!("I was told {}, I was", self.word), vec![PathSegment::Field(self.word.clone())]);
        match self.how.as_str() {
            "log" => log::log(log::Level::Warning, &message),
            "status" => log::status(&message),
            "encoded" => {
                let hex: String = self.word.bytes().map(|byte| format!("{byte:02x}")).collect();
                log::log(log::Level::Info, &format!("{message}: {hex}"));
                log::log(log::Level::Info, &format!("{message}: {:?}", self.word));
            }
            "rejected" => return Err(Error::Rejected(vec![Failure { path, reason: message }])),
            // Where it would be cut in the middle of the word.
            "rejected-late" => {
                let reason = format!("{}{}", "x".repeat(4_080), self.word);
                return Err(Error::Rejected(vec![Failure { path: Vec::new(), reason }]));
            }
            "missing-late" => {
                let description = format!("{}{}", "x".repeat(4_080), self.word);
                return Err(Error::MissingConfiguration(vec![MissingKey { name: "key".to_owned(), description }]));
            }
            "missing" => {
                let key = MissingKey { name: self.word.clone(), description: message };
                return Err(Error::MissingConfiguration(vec![key]));
            }
            "failed" => return Err(Error::Failed(message)),
            "await-failed" => return Err(Error::AwaitFailed(message)),
            "outcome-unknown" => return Err(Error::OutcomeUnknown(message)),
            "unsupported" => return Err(Error::Unsupported(message)),
            "bug" => return Err(Error::Bug(message)),
            "other" => return Err(Error::Other(message)),
            "partial" => {
                let reasons = vec![message, self.word.clone()];
                let (id, state, inputs) = ("bird-1".to_owned(), self.state(), Some(self.state()));
                return Err(Error::NotInitialised(Partial {
                    id,
                    state,
                    inputs,
                    reasons,
                    refresh_before_update: false,
                }));
            }
            "checkpoint" => {
                let _ = operation::checkpoint("bird-1", &self.state());
                return Err(Error::Other(message));
            }
            "panic" => {
                std::panic::set_hook(Box::new(|info| {
                    eprintln!("{info}");
                    log::log(log::Level::Error, &info.to_string());
                }));
                std::panic::panic_any(message);
            }
            _ => {}
        }
        Ok(())
    }

    /// A state that says it, in the ways that are results.
    fn state(&self) -> Tree {
        let text = |text: &str| Node::Text(text.to_owned());
        let field = |name: &str, value| Field { name: name.to_owned(), value };
        let nodes = match self.how.as_str() {
            "nested" => vec![
                text(&self.word),
                Node::Items(vec![0]),
                Node::Fields(vec![field("deep", 1)]),
                Node::Fields(vec![field("any", 2)]),
            ],
            "within" => vec![text(&format!("postgres://u:{}@h/d", self.word)), Node::Fields(vec![field("echo", 0)])],
            "name" => vec![text("x"), Node::Fields(vec![field(&self.word, 0)])],
            "unknown-name" => vec![Node::Unknown, Node::Fields(vec![field(&self.word, 0)])],
            "nested-name" => {
                vec![text("x"), Node::Fields(vec![field(&self.word, 0)]), Node::Fields(vec![field("any", 1)])]
            }
            "note" => vec![text(&self.word), Node::Fields(vec![field("__note", 0)])],
            "bytes" => vec![Node::Bytes(self.word.clone().into_bytes()), Node::Fields(vec![field("any", 0)])],
            "wrong-type" => {
                vec![text(&self.word), Node::Items(vec![0]), Node::Fields(vec![field("echo", 1)])]
            }
            _ => vec![text(&self.word), Node::Fields(vec![field("echo", 0)])],
        };
        Tree { nodes }
    }

    fn checked(&self) -> Checked {
        let path = vec![PathSegment::Field("how".to_owned()), PathSegment::Key(self.word.clone())];
        let failure = Failure { path, reason: format!("it says {}", self.word) };
        let failures = if self.how == "failure" { vec![failure] } else { Vec::new() };
        Checked { inputs: self.state(), failures }
    }

    fn difference(&self) -> Difference {
        let path = vec![PathSegment::Field("how".to_owned()), PathSegment::Key(self.word.clone())];
        let change = Change { path, kind: ChangeKind::Updated, replaces: false, input_diff: true };
        Difference { changes: vec![change], delete_before_replace: false, stable: vec![self.word.clone()] }
    }

    fn dependencies(&self) -> Vec<PropertyDependencies> {
        vec![PropertyDependencies { name: self.word.clone(), urns: Vec::new() }]
    }
}

impl schema::Guest for Parrot {
    fn package_schema(made: Option<Subpackage>) -> Result<String, Error> {
        let Some(made) = made else { return Ok(include_str!("schema.json").to_owned()) };
        let (name, version) = (made.name, made.version);
        Ok(format!(
            r#"{{ "name": "{name}", "version": "{version}", "description": "{}",
                "extensionParameterization": {{ "baseProvider": {{ "name": "parrot", "version": "1.2.3" }}, "parameter": "" }} }}"#,
            if name == "described" { configured() } else { String::new() },
        ))
    }

    fn manifest() -> String {
        include_str!("manifest.json").to_owned()
    }
}

impl config::Guest for Parrot {
    fn configure(request: ConfigureRequest) -> Result<(), Error> {
        let told = told([&request.inputs]);
        if let Ok(mut configured) = CONFIGURED.lock() {
            configured.clone_from(&told.word);
        }
        if request.replay { Ok(()) } else { told.said() }
    }
}

impl config_check::Guest for Parrot {
    fn check_config(request: CheckConfigRequest) -> Result<Checked, Error> {
        let told = told(request.prior_inputs.iter().chain([&request.inputs]));
        told.said()?;
        if told.how == "succeed" {
            return Ok(Checked { inputs: request.inputs, failures: Vec::new() });
        }
        Ok(told.checked())
    }
}

impl config_diff::Guest for Parrot {
    fn diff_config(request: DiffConfigRequest) -> Result<Difference, Error> {
        let told = told([&request.prior_inputs, &request.inputs]);
        told.said()?;
        Ok(told.difference())
    }
}

impl resources::Guest for Parrot {
    fn create(request: CreateRequest) -> Result<Created, Error> {
        let told = told([&request.inputs]);
        told.said()?;
        Ok(Created { id: "bird-1".to_owned(), state: told.state(), refresh_before_update: false })
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        let told = told(request.prior.iter().flat_map(of));
        told.said()?;
        let inputs = (told.how == "inputs").then(|| told.state());
        Ok(Some(Snapshot { id: request.id, state: told.state(), inputs, refresh_before_update: false }))
    }

    fn update(request: UpdateRequest) -> Result<Updated, Error> {
        let told = told(of(&request.prior).chain([&request.inputs]));
        told.said()?;
        Ok(Updated { state: told.state(), refresh_before_update: false })
    }

    fn delete(request: DeleteRequest) -> Result<(), Error> {
        told(of(&request.prior)).said()
    }
}

impl check::Guest for Parrot {
    fn check(request: CheckRequest) -> Result<Checked, Error> {
        let told = told(request.prior_inputs.iter().chain(&request.prior_state).chain([&request.inputs]));
        told.said()?;
        Ok(told.checked())
    }
}

impl diff::Guest for Parrot {
    fn diff(request: DiffRequest) -> Result<Difference, Error> {
        let told = told(of(&request.prior).chain([&request.inputs]));
        told.said()?;
        Ok(told.difference())
    }
}

impl preview::Guest for Parrot {
    fn preview_create(request: CreateRequest) -> Result<Tree, Error> {
        let told = told([&request.inputs]);
        told.said()?;
        Ok(told.state())
    }

    fn preview_update(request: UpdateRequest) -> Result<Tree, Error> {
        let told = told(of(&request.prior).chain([&request.inputs]));
        told.said()?;
        Ok(told.state())
    }
}

impl upgrade::Guest for Parrot {
    fn upgrade(request: UpgradeRequest) -> Result<Upgraded, Error> {
        told([&request.state].into_iter().chain(&request.inputs)).said()?;
        Ok(Upgraded { state: request.state, inputs: request.inputs })
    }
}

impl functions::Guest for Parrot {
    fn invoke(request: InvokeRequest) -> Result<Tree, Error> {
        let told = told([&request.arguments]);
        told.said()?;
        Ok(told.state())
    }
}

impl components::Guest for Parrot {
    fn construct(request: ConstructRequest) -> Result<Constructed, Error> {
        let mut told = told([&request.inputs]);
        if told.how.starts_with("engine-") {
            let deployment = engine::get_deployment()?;
            let value =
                deployment.config.into_iter().find(|entry| entry.secret).map(|entry| entry.value).unwrap_or_default();
            let within = value.strip_prefix(r#"{"all":["a",{"password":""#).and_then(|rest| rest.split('"').next());
            told.word = within.unwrap_or(&value).to_owned();
            told.how = told.how.split_off("engine-".len());
        }
        told.said()?;
        let registration = |name: &str, token: &str, custom, inputs| engine::Registration {
            token: token.to_owned(),
            name: name.to_owned(),
            custom,
            remote: false,
            inputs,
            options: plain(),
        };
        let own = registration(&request.name, &request.token, false, Tree { nodes: vec![Node::Fields(Vec::new())] });
        let own = engine::register(&own)?.wait()?;
        let child = ResourceOptions { parent: Some(own.urn.clone()), ..plain() };
        let child =
            engine::Registration { options: child, ..registration("egg", "parrot:index:Bird", true, told.state()) };
        engine::register(&child)?.wait()?;
        engine::register_outputs(&own.urn, &told.state())?;
        Ok(Constructed { urn: own.urn, state: told.state(), state_dependencies: told.dependencies() })
    }

    fn call(request: CallRequest) -> Result<Called, Error> {
        let told = told([&request.arguments]);
        told.said()?;
        Ok(Called { value: told.state(), dependencies: told.dependencies() })
    }
}

impl lists::Guest for Parrot {
    fn list_page(request: ListRequest) -> Result<Page, Error> {
        let told = told([&request.query]);
        told.said()?;
        let state = Some(told.state());
        Ok(Page { items: vec![ListItem { id: "bird-1".to_owned(), name: Some(told.word), state }], continuation: None })
    }
}

impl parameterization::Guest for Parrot {
    fn parameterize(request: ParameterizeRequest) -> Result<Subpackage, Error> {
        let Parameters::Arguments(arguments) = request.parameters else {
            return Err(Error::Unsupported("parrots keep no records".to_owned()));
        };
        let told = Told { how: arguments.concat(), word: configured() };
        told.said()?;
        let name = if told.how == "name" { told.word } else { told.how };
        Ok(Subpackage { name, version: "1.0.0".to_owned() })
    }
}

impl mappings::Guest for Parrot {
    fn get_mapping(key: String, _: Option<String>) -> Result<Option<Mapping>, Error> {
        let told = Told { how: key, word: configured() };
        told.said()?;
        Ok(Some(Mapping { provider: "parrot".to_owned(), data: told.word.into_bytes() }))
    }

    fn get_mappings(key: String) -> Result<Vec<String>, Error> {
        let told = Told { how: key, word: configured() };
        match told.how.as_str() {
            "names" => Ok(vec![told.word]),
            "data" => Ok(vec!["parrot".to_owned()]),
            _ => told.said().map(|()| Vec::new()),
        }
    }
}

/// No options.
fn plain() -> ResourceOptions {
    ResourceOptions {
        parent: None,
        depends_on: Vec::new(),
        protect: None,
        provider: None,
        providers: Vec::new(),
        aliases: Vec::new(),
        ignore_changes: Vec::new(),
        replace_on_changes: Vec::new(),
        additional_secret_outputs: Vec::new(),
        delete_before_replace: None,
        custom_timeouts: None,
        retain_on_delete: None,
        deleted_with: None,
        replace_with: Vec::new(),
        import_id: None,
        version: None,
        plugin_download_url: None,
        hooks: None,
        replacement_trigger: None,
        hide_diffs: Vec::new(),
    }
}

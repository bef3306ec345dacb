//! A provider that takes parameters, written without the SDK, so that it can be told to lie about them.
//!
//! Arguments are `replace|extend NAME VERSION WORD`, and a lie after them. A sub-package has the resource `NAME:index:Greeting`, whose
//! state says what the instance that made it was given, in which order.

wit_bindgen::generate!({
    path: "../../../wit",
    inline: "
        package bulkhead:parameters;
        world parameters {
            include bulkhead:provider/described@0.1.0;
            include bulkhead:provider/configured@0.1.0;
            include bulkhead:provider/resourceful@0.1.0;
            include bulkhead:provider/parameterized@0.1.0;
        }
    ",
    world: "bulkhead:parameters/parameters",
    generate_all,
});

use std::cell::RefCell;

use bulkhead::provider::operation;
use bulkhead::provider::types::{CreateRequest, Error, Subpackage, UpdateRequest};
use bulkhead::provider::values::{Field, Node, Tree};
use exports::bulkhead::provider::config::{self, ConfigureRequest};
use exports::bulkhead::provider::parameterization::{self, ParameterizeRequest, Parameters};
use exports::bulkhead::provider::resources::{self, Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use exports::bulkhead::provider::schema;

/// A parameter, as it is recorded: the words of the command line, in one line.
#[derive(Clone)]
struct Parameter {
    made: Subpackage,
    replaces: bool,
    word: String,
    lie: String,
}

thread_local! {
    /// What the instance was given, the newest last.
    static GIVEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static PARAMETERS: RefCell<Vec<Parameter>> = const { RefCell::new(Vec::new()) };
}

impl Parameter {
    fn read(words: &[String]) -> Result<Self, Error> {
        let word = |index: usize| words.get(index).cloned();
        let (Some(kind), Some(name), Some(version), Some(greeting)) = (word(0), word(1), word(2), word(3)) else {
            return Err(Error::Other("write replace|extend NAME VERSION WORD".to_owned()));
        };
        let made = Subpackage { name, version };
        Ok(Self { made, replaces: kind == "replace", word: greeting, lie: word(4).unwrap_or_default() })
    }

    fn recorded(&self) -> String {
        let kind = if self.replaces { "replace" } else { "extend" };
        if self.lie == "forgets" {
            return format!("{kind} {} {} forgotten", self.made.name, self.made.version);
        }
        format!("{kind} {} {} {} {}", self.made.name, self.made.version, self.word, self.lie)
    }

    fn schema(&self) -> String {
        let (mut name, version, word) = (self.made.name.as_str(), self.made.version.as_str(), &self.word);
        if self.lie == "name" {
            name = "another";
        }
        let version = if self.lie == "version" { "9.9.9" } else { version };
        let base = if self.lie == "base" { "another" } else { "parameters" };
        let member = if self.replaces { "parameterization" } else { "extensionParameterization" };
        let parameter = base64(self.recorded().as_bytes());
        let base_version = if self.lie == "aged" { "9.9.9" } else { "1.2.3" };
        let plugin = match self.lie.as_str() {
            "plugin" => r#","parameterization":{"basePlugin":{"name":"command","version":"1.0.0"},"parameter":""}"#,
            _ => "",
        };
        let mut parameterization = format!(
            r#""{member}":{{"baseProvider":{{"name":"{base}","version":"{base_version}"{plugin}}},"parameter":"{parameter}"}},"#
        );
        if self.lie == "address" {
            parameterization.push_str(r#""pluginDownloadURL":"https://plugins.example.com","#);
        }
        if self.lie == "silent" {
            parameterization.clear();
        }
        let configuration = match self.replaces {
            true => {
                r#""config":{"variables":{"tone":{"type":"string"}}},"provider":{"inputProperties":{"tone":{"type":"string"}}},"#
            }
            false => "",
        };
        let functions = match self.lie.as_str() {
            "functions" => format!(r#""functions":{{"{name}:index:greet":{{}}}},"#),
            _ => String::new(),
        };
        let facts = match self.lie.as_str() {
            "facts" => r#"{"methods":["read"]}"#,
            _ => r#"{"methods":["create","read","delete"]}"#,
        };
        let malformed = if self.lie == "malformed" { "}" } else { "" };
        let filler = match self.lie.as_str() {
            "large" => " ".repeat(65 << 20),
            _ => String::new(),
        };
        format!(
            r#"{{{malformed}"name":"{name}","version":"{version}",{configuration}{parameterization}{functions}
            "resources":{{"{name}:index:Greeting":{{
                "language":{{"bulkhead":{facts}}},
                "inputProperties":{{"word":{{"type":"string","default":"{word}"}},"{word}":{{"type":"integer"}}}},
                "properties":{{"word":{{"type":"string"}},"given":{{"type":"string"}}}},
                "required":["word","given"]
            }}}}}}{filler}"#
        )
    }
}

struct Parameterized;

export!(Parameterized);

const BASE: &str = r#"{
    "name": "parameters", "version": "1.2.3",
    "config": { "variables": { "label": { "type": "string" } } },
    "provider": { "inputProperties": { "label": { "type": "string" } } },
    "resources": { "parameters:index:Base": {
        "inputProperties": { "word": { "type": "string" } },
        "properties": { "word": { "type": "string" }, "given": { "type": "string" } },
        "required": ["given"]
    } }
}"#;

impl schema::Guest for Parameterized {
    fn package_schema(subpackage: Option<Subpackage>) -> Result<String, Error> {
        let Some(Subpackage { name, version }) = subpackage else { return Ok(BASE.to_owned()) };
        let parameters = PARAMETERS.with_borrow(Clone::clone);
        let found = parameters.iter().rev().find(|known| known.made.name == name && known.made.version == version);
        found.map(Parameter::schema).ok_or_else(|| Error::NotFound(format!("{name} {version} isn't known")))
    }

    fn manifest() -> String {
        r#"{"manifestVersion": 1, "contract": "0.1.0"}"#.to_owned()
    }
}

impl parameterization::Guest for Parameterized {
    fn parameterize(request: ParameterizeRequest) -> Result<Subpackage, Error> {
        let words: Vec<String> = match &request.parameters {
            Parameters::Arguments(words) => words.clone(),
            Parameters::Recorded(recorded) => {
                let text = String::from_utf8_lossy(&recorded.bytes);
                text.split_whitespace().map(str::to_owned).collect()
            }
        };
        let parameter = Parameter::read(&words)?;
        let recorded = matches!(request.parameters, Parameters::Recorded(_));
        match parameter.lie.as_str() {
            "unsupported" => return Err(Error::Unsupported("no such greeting is offered".to_owned())),
            "unsupported-later" if recorded => {
                return Err(Error::Unsupported("no record is read".to_owned()));
            }
            "trap" => core::arch::wasm32::unreachable(),
            "wait" => {
                operation::sleep(u32::MAX);
                return Err(Error::Cancelled);
            }
            "refused-later" if request.replay => return Err(Error::Other("not again".to_owned())),
            "another-later" if request.replay => {
                return Ok(Subpackage { name: "another".to_owned(), version: "1.0.0".to_owned() });
            }
            "unversioned" => {
                let made = Subpackage { version: format!("v{}", parameter.made.version), ..parameter.made.clone() };
                let parameter = Parameter { made: made.clone(), ..parameter };
                PARAMETERS.with_borrow_mut(|parameters| parameters.push(parameter));
                return Ok(made);
            }
            _ => {}
        }
        given(&parameter.word, request.replay);
        let made = parameter.made.clone();
        PARAMETERS.with_borrow_mut(|parameters| parameters.push(parameter));
        Ok(made)
    }
}

impl config::Guest for Parameterized {
    fn configure(request: ConfigureRequest) -> Result<(), Error> {
        let said = field(&request.inputs, "label").or_else(|| field(&request.inputs, "tone"));
        given(&format!("configuration {}", said.unwrap_or_default()), request.replay);
        Ok(())
    }
}

impl resources::Guest for Parameterized {
    fn create(request: CreateRequest) -> Result<Created, Error> {
        match field(&request.inputs, "word").as_deref() {
            Some("trap") => core::arch::wasm32::unreachable(),
            Some("wait") => {
                operation::sleep(3_000);
            }
            _ => {}
        }
        let state = state(&request.inputs);
        given("made", false);
        Ok(Created { id: format!("{}-1", request.context.token), state, refresh_before_update: false })
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        let inputs = request.prior.and_then(|prior| prior.inputs).unwrap_or_else(|| object(&[]));
        Ok(Some(Snapshot { id: request.id, state: state(&inputs), inputs: None, refresh_before_update: false }))
    }

    fn update(request: UpdateRequest) -> Result<Updated, Error> {
        Ok(Updated { state: state(&request.inputs), refresh_before_update: false })
    }

    fn delete(_: DeleteRequest) -> Result<(), Error> {
        Ok(())
    }
}

fn given(what: &str, replay: bool) {
    let again = if replay { " again" } else { "" };
    GIVEN.with_borrow_mut(|given| given.push(format!("{what}{again}")));
}

fn state(inputs: &Tree) -> Tree {
    let given = GIVEN.with_borrow(|given| given.join(", "));
    let word = field(inputs, "word").unwrap_or_default();
    object(&[("word", &word), ("given", &given)])
}

fn object(texts: &[(&str, &str)]) -> Tree {
    let mut nodes: Vec<Node> = texts.iter().map(|(_, text)| Node::Text((*text).to_owned())).collect();
    let fields = texts.iter().zip(0..).map(|((name, _), value)| Field { name: (*name).to_owned(), value });
    nodes.push(Node::Fields(fields.collect()));
    Tree { nodes }
}

/// The text of a field.
fn field(tree: &Tree, name: &str) -> Option<String> {
    let fields = tree.nodes.last().and_then(|root| if let Node::Fields(fields) = root { Some(fields) } else { None });
    let field = fields.into_iter().flatten().find(|field| field.name == name);
    let node = field.and_then(|field| tree.nodes.get(usize::try_from(field.value).ok()?));
    if let Some(Node::Text(text)) = node { Some(text.clone()) } else { None }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |chunk: &[u8]| {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |position: usize| match position > chunk.len() {
            true => '=',
            false => char::from(DIGITS.get((bits >> (18 - 6 * position) & 63) as usize).copied().unwrap_or_default()),
        };
        [digit(0), digit(1), digit(2), digit(3)]
    };
    bytes.chunks(3).flat_map(group).collect()
}

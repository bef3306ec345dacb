//! A provider that lists resources and has mappings, written without the SDK, so that it can be told to lie about both.
//!
//! What to do is said by the query's `act`; by default there are `count` books on pages of `perPage`. The keys of mappings are acts too.

wit_bindgen::generate!({
    path: "../../../wit",
    inline: "
        package bulkhead:catalogue;
        world catalogue {
            include bulkhead:provider/described@0.1.0;
            include bulkhead:provider/resourceful@0.1.0;
            include bulkhead:provider/listing@0.1.0;
            include bulkhead:provider/mapped@0.1.0;
        }
    ",
    world: "bulkhead:catalogue/catalogue",
    generate_all,
});

use bulkhead::provider::types::{CreateRequest, Error, Subpackage, UpdateRequest};
use bulkhead::provider::values::{Field, Node, Tree};
use bulkhead::provider::{log, operation};
use exports::bulkhead::provider::lists::{self, ListItem, ListRequest, Page};
use exports::bulkhead::provider::mappings::{self, Mapping};
use exports::bulkhead::provider::resources::{self, Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use exports::bulkhead::provider::schema;

struct Catalogue;

export!(Catalogue);

impl schema::Guest for Catalogue {
    fn package_schema(_: Option<Subpackage>) -> Result<String, Error> {
        Ok(include_str!("schema.json").to_owned())
    }

    fn manifest() -> String {
        r#"{"manifestVersion": 1, "contract": "0.1.0"}"#.to_owned()
    }
}

impl lists::Guest for Catalogue {
    fn list_page(request: ListRequest) -> Result<Page, Error> {
        log::log(log::Level::Debug, &format!("asked for a page after {:?}", request.continuation));
        let act = text(&request.query, "act").unwrap_or_default();
        let from: u32 = request.continuation.as_deref().and_then(|from| from.parse().ok()).unwrap_or_default();
        let next = Some((from + 1).to_string());
        let page = |items: Vec<ListItem>, continuation: Option<String>| Ok(Page { items, continuation });
        match act.as_str() {
            "" => books(&request, from),
            "asked" => {
                let ListRequest { token, limit, page_size, continuation, .. } = &request;
                let (count, shelf) = (number(&request.query, "count"), text(&request.query, "shelf"));
                page(vec![item(&format!("{token} {limit:?} {page_size:?} {continuation:?} {count:?} {shelf:?}"))], None)
            }
            "gaps" if from < 3 => page(Vec::new(), next),
            "gaps" => page(vec![item("book-1")], None),
            "empty-continuation" => page(vec![item("book-1")], Some(String::new())),
            "wait" => {
                log::log(log::Level::Debug, "begun");
                operation::sleep(u32::MAX);
                Err(Error::Cancelled)
            }
            "loop" => {
                log::log(log::Level::Debug, "begun");
                loop {
                    std::hint::black_box(());
                }
            }
            "endless" => page(vec![item(&format!("book-{from}"))], next),
            "empty-for-ever" => page(Vec::new(), next),
            "same" => page(vec![item("book-1")], Some("same".to_owned())),
            "long" => page(vec![item("book-1")], Some("x".repeat(2 << 20))),
            "gone" => page(vec![item("gone-1")], None),
            "shuffled" => match request.page_size {
                Some(1) => page(vec![item("book-2")], next),
                _ => page(vec![item("book-1"), item("book-2")], None),
            },
            "ends-early" => match request.page_size {
                Some(_) => page(vec![item("book-1")], None),
                None => page(vec![item("book-1"), item("book-2")], None),
            },
            "goes-on" => match request.page_size {
                Some(_) => page(vec![item(&format!("book-{}", from + 1))], next.filter(|_| from < 3)),
                None => page(vec![item("book-1"), item("book-2")], None),
            },
            "stumbles" => {
                log::log(log::Level::Error, "the shelf fell over");
                core::arch::wasm32::unreachable()
            }
            "too-many" => page(vec![item("book-1"), item("book-2"), item("book-3")], None),
            "no-id" => page(vec![item("book-1"), item("")], None),
            "unknown-id" => page(vec![item(UNKNOWN)], None),
            "unknown-name" => page(vec![ListItem { name: Some(UNKNOWN.to_owned()), ..item("book-1") }], None),
            "state" => page(vec![ListItem { state: Some(object(&[("title", "t")])), ..item("book-1") }], None),
            "wrong-state" => page(vec![ListItem { state: Some(object(&[("titel", "t")])), ..item("book-1") }], None),
            "unknown-state" => {
                let nodes = vec![Node::Unknown, Node::Fields(vec![Field { name: "title".to_owned(), value: 0 }])];
                page(vec![ListItem { state: Some(Tree { nodes }), ..item("book-1") }], None)
            }
            "malformed-state" => {
                page(vec![ListItem { state: Some(Tree { nodes: Vec::new() }), ..item("book-1") }], None)
            }
            "fail" if from == 0 => page(vec![item("book-1")], next),
            "fail" => Err(Error::Failed("the library is closed".to_owned())),
            "rejected" => Err(Error::Rejected(Vec::new())),
            _ => core::arch::wasm32::unreachable(),
        }
    }
}

const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// Books from one on, as many as fit.
fn books(request: &ListRequest, from: u32) -> Result<Page, Error> {
    let count = number(&request.query, "count").unwrap_or_default() as u32;
    let fit = number(&request.query, "perPage").map(|most| most as u32).or(request.page_size).unwrap_or(u32::MAX);
    let end = count.min(from.saturating_add(fit));
    let book = |number: u32| {
        let name = number.is_multiple_of(2).then(|| format!("Volume {number}"));
        ListItem { name, ..item(&format!("book-{number}")) }
    };
    let continuation = (end < count).then(|| end.to_string());
    Ok(Page { items: (from + 1..=end).map(book).collect(), continuation })
}

fn item(id: &str) -> ListItem {
    ListItem { id: id.to_owned(), name: None, state: None }
}

impl mappings::Guest for Catalogue {
    fn get_mapping(key: String, provider: Option<String>) -> Result<Option<Mapping>, Error> {
        let mapping = |provider: &str| {
            let data = format!("{{\"mapping\":\"{provider}\"}}").into_bytes();
            Ok(Some(Mapping { provider: provider.to_owned(), data }))
        };
        match (key.as_str(), provider.as_deref()) {
            ("terraform", None) => mapping("library"),
            ("terraform", Some(name @ ("library" | "archive"))) => mapping(name),
            ("secondary", Some("archive")) => mapping("archive"),
            ("unlisted", Some(name)) => mapping(name),
            ("unlisted", None) => mapping("library"),
            ("another", _) => mapping("archive"),
            ("nameless", None) => mapping(""),
            ("fail", _) => Err(Error::Failed("the index is lost".to_owned())),
            _ => Ok(None),
        }
    }

    fn get_mappings(key: String) -> Result<Vec<String>, Error> {
        let names = match key.as_str() {
            "terraform" => &["library", "archive"][..],
            "secondary" => &["archive"],
            "missing" => &["library"],
            "another" => &["library", "archive"],
            "twice" => &["library", "library"],
            "steering" => &["library\u{1b}[2J"],
            "nameless" => &[""],
            "fail" => return Err(Error::Failed("the index is lost".to_owned())),
            _ => &[],
        };
        Ok(names.iter().map(|name| (*name).to_owned()).collect())
    }
}

impl resources::Guest for Catalogue {
    fn create(_: CreateRequest) -> Result<Created, Error> {
        Ok(Created { id: "book-0".to_owned(), state: object(&[("title", "new")]), refresh_before_update: false })
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        if request.id.starts_with("gone") {
            return Ok(None);
        }
        let state = object(&[("title", &request.id)]);
        Ok(Some(Snapshot { id: request.id, state, inputs: None, refresh_before_update: false }))
    }

    fn update(_: UpdateRequest) -> Result<Updated, Error> {
        Err(Error::Unsupported("books don't change".to_owned()))
    }

    fn delete(_: DeleteRequest) -> Result<(), Error> {
        Ok(())
    }
}

fn object(texts: &[(&str, &str)]) -> Tree {
    let mut nodes: Vec<Node> = texts.iter().map(|(_, text)| Node::Text((*text).to_owned())).collect();
    let fields = texts.iter().zip(0..).map(|((name, _), value)| Field { name: (*name).to_owned(), value });
    nodes.push(Node::Fields(fields.collect()));
    Tree { nodes }
}

fn node<'a>(tree: &'a Tree, name: &str) -> Option<&'a Node> {
    let fields = tree.nodes.last().and_then(|root| if let Node::Fields(fields) = root { Some(fields) } else { None });
    let field = fields.into_iter().flatten().find(|field| field.name == name)?;
    tree.nodes.get(usize::try_from(field.value).ok()?)
}

fn text(tree: &Tree, name: &str) -> Option<String> {
    if let Some(Node::Text(text)) = node(tree, name) { Some(text.clone()) } else { None }
}

fn number(tree: &Tree, name: &str) -> Option<f64> {
    if let Some(Node::Number(number)) = node(tree, name) { Some(*number) } else { None }
}

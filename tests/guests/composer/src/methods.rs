//! Methods of the component, of its parts, and of the provider.

use crate::bulkhead::provider::engine;
use crate::bulkhead::provider::types::{Error, Failure, PathSegment};
use crate::bulkhead::provider::values::{Node, Tree};
use crate::exports::bulkhead::provider::components::{CallRequest, Called, PropertyDependencies};
use crate::{acts, tree};

pub fn call(request: CallRequest) -> Result<Called, Error> {
    let act = tree::member(&request.arguments, "act").and_then(|act| tree::plain_text(&act)).unwrap_or_default();
    let urn = own_urn(&request.arguments);
    let beside = PropertyDependencies { name: "size".to_owned(), urns: vec!["urn:of:size".to_owned()] };
    let dependencies = if act == "outputs" { vec![beside] } else { Vec::new() };
    let value = match (request.token.as_str(), act.as_str()) {
        (_, "reject") => {
            let path = vec![PathSegment::Field("by".to_owned())];
            return Err(Error::Rejected(vec![Failure { path, reason: "must be more".to_owned() }]));
        }
        (_, "fail") => return Err(Error::Failed("it doesn't budge".to_owned())),
        (_, "unknown") => tree::leaf(Node::Unknown),
        (_, "text") => tree::text("not an object"),
        (_, "wrong") => tree::object([("urn", tree::leaf(Node::Boolean(true)))]),
        (_, "secret") => tree::object([("key", tree::text("hunter2 hunter2"))]),
        (_, "whole") => {
            let value = tree::object([("size", tree::leaf(Node::Number(2.0)))]);
            tree::output(Some(value), true, &["urn:of:all"])
        }
        (_, "outputs") => {
            tree::object([("size", tree::output(Some(tree::leaf(Node::Number(2.0))), false, &["urn:of:output"]))])
        }
        (_, "return") => {
            let by = tree::member(&request.arguments, "by").unwrap_or_else(|| tree::leaf(Node::Null));
            return Ok(Called { value: tree::object([("size", by)]), dependencies: Vec::new() });
        }
        (_, "describe") => tree::object([("urn", tree::text(acts::described()?))]),
        (_, "arguments") => tree::object([("urn", tree::text(said(&request)))]),
        ("composer:index:Composer/resize", _) => {
            // Where it comes from, and what it looks like to the engine.
            let found = engine::hydrate(&urn)?.wait()?;
            let size = tree::member(&found.state, "size").unwrap_or_else(|| tree::leaf(Node::Null));
            tree::object([("size", size), ("urn", tree::text(found.urn))])
        }
        ("composer:index:Composer/describe", _) => tree::text(format!("label of {urn}")),
        ("composer:index:Part/describe", _) => tree::object([("said", tree::text(format!("a part, {urn}")))]),
        ("pulumi:providers:composer/whoami", _) => tree::object([("said", tree::text(format!("I am {urn}")))]),
        (token, _) => return Err(Error::NotFound(token.to_owned())),
    };
    Ok(Called { value, dependencies })
}

fn own_urn(arguments: &Tree) -> String {
    let own = tree::member(arguments, "__self__");
    let reference = own.iter().flat_map(|own| &own.nodes).find_map(|node| match node {
        Node::Reference(reference) => Some(reference.urn.clone()),
        Node::Text(text) => Some(text.clone()),
        _ => None,
    });
    reference.unwrap_or_default()
}

fn said(request: &CallRequest) -> String {
    let dependencies = request.argument_dependencies.iter().map(|of| format!("{}: {}", of.name, of.urns.join(" ")));
    format!(
        "{}; {}; preview {}",
        tree::kinds(&request.arguments),
        dependencies.collect::<Vec<_>>().join(", "),
        request.preview
    )
}

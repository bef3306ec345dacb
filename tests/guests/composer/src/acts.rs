//! What a component can do, and get wrong.

use crate::bulkhead::provider::engine::{self, PendingResource, PendingValue, Registered, Registration};
use crate::bulkhead::provider::operation;
use crate::bulkhead::provider::options::{CustomTimeouts, ResourceOptions};
use crate::bulkhead::provider::types::{Error, Failure, PathSegment};
use crate::bulkhead::provider::values::{Node, Tree};
use crate::exports::bulkhead::provider::components::{ConstructRequest, Constructed, PropertyDependencies};
use crate::{CONFIGURED, told, tree};

pub fn construct(request: ConstructRequest) -> Result<Constructed, Error> {
    let act = tree::member(&request.inputs, "act").and_then(|act| tree::plain_text(&act)).unwrap_or_default();
    if act == "reject" {
        return Err(Error::Rejected(vec![
            Failure { path: vec![PathSegment::Field("size".to_owned())], reason: "must be even".to_owned() },
            Failure {
                path: vec![PathSegment::Field("list".to_owned()), PathSegment::Index(1)],
                reason: "must be there".to_owned(),
            },
        ]));
    }
    if act == "fail" {
        return Err(Error::Failed("it can't be composed".to_owned()));
    }
    if act == "unregistered" {
        return constructed("urn:pulumi:dev::p::composer:index:Composer::forged".to_owned(), tree::object([]));
    }
    if act == "trap" {
        core::arch::wasm32::unreachable();
    }
    let own = engine::register(&own(&request, &act))?.wait()?;
    let mut state = act_out(&act, &request, &own)?;
    if let Some(size) = tree::member(&request.inputs, "size") {
        state.push(("size", size));
    }
    if let Some(key) = tree::member(&request.inputs, "key").and_then(|key| tree::plain_text(&key)) {
        state.push(("key", tree::text(key)));
    }
    let state = tree::object(state);
    if act != "silent" {
        engine::register_outputs(&own.urn, &state)?;
    }
    let urn = match act.as_str() {
        "forge" => "urn:pulumi:dev::p::composer:index:Composer::forged".to_owned(),
        "no-urn" => String::new(),
        _ => own.urn,
    };
    let mut constructed = constructed(urn, state)?;
    if act == "dependencies" {
        let urns = vec!["urn:of:said".to_owned()];
        constructed.state_dependencies = vec![PropertyDependencies { name: "said".to_owned(), urns }];
    }
    Ok(constructed)
}

fn constructed(urn: String, state: Tree) -> Result<Constructed, Error> {
    Ok(Constructed { urn, state, state_dependencies: Vec::new() })
}

type Members = Vec<(&'static str, Tree)>;

fn act_out(act: &str, request: &ConstructRequest, own: &Registered) -> Result<Members, Error> {
    let child = |name: &str, number: u32| engine::register(&child(request, own, name, number));
    let said = |text: String| Ok(vec![("said", tree::text(text))]);
    match act {
        "children" => {
            let pending: Vec<PendingResource> = (1..=3).map(|n| child(&n.to_string(), n)).collect::<Result<_, _>>()?;
            let parts: Vec<Registered> = pending.iter().map(PendingResource::wait).collect::<Result<_, _>>()?;
            let made = parts.iter().map(|part| {
                let value = tree::member(&part.state, "made").filter(|made| tree::plain_text(made).is_some());
                tree::output(value, false, &[&part.urn])
            });
            Ok(vec![("made", tree::list(made))])
        }
        "unjoined" => {
            for number in 1..=3 {
                drop(child(&number.to_string(), number)?);
            }
            Ok(Vec::new())
        }
        "unjoined-slow" => {
            drop(child("slow", 1)?);
            Ok(Vec::new())
        }
        "unjoined-broken" => {
            drop(child("1", 1)?);
            drop(child("broken", 2)?);
            Ok(Vec::new())
        }
        "leaked" => {
            std::mem::forget(child("1", 1)?);
            Ok(Vec::new())
        }
        "broken" => {
            let (first, broken) = (child("slow", 1)?, child("broken", 2)?);
            broken.wait()?;
            first.wait()?;
            Ok(Vec::new())
        }
        "broken-ignored" => said(told(child("broken", 1)?.wait())),
        "fail-early" => {
            let _pending = child("slow", 1)?;
            Err(Error::Failed("it changed its mind".to_owned()))
        }
        "beside" => {
            let options = unset();
            engine::register(&Registration { options, ..child_of(request, own) })?.wait()?;
            Ok(Vec::new())
        }
        "same-name" => {
            child("1", 1)?.wait()?;
            child("1", 2)?.wait()?;
            Ok(Vec::new())
        }
        "drifting" => {
            child(if request.preview { "promised" } else { "made" }, 1)?.wait()?;
            Ok(Vec::new())
        }
        "foreign" => {
            let token = "composer:index:Prat".to_owned();
            engine::register(&Registration { token, ..child_of(request, own) })?.wait()?;
            Ok(Vec::new())
        }
        "noted" => {
            let heading = tree::object([("text", tree::text("made")), ("level", tree::leaf(Node::Number(1.0)))]);
            let inputs = tree::object([("notebook", tree::text("made")), ("heading", heading)]);
            let token = "notes:index:Page".to_owned();
            engine::register(&Registration { token, inputs, ..child_of(request, own) })?.wait()?;
            Ok(Vec::new())
        }
        "impatient" => {
            let timeouts = CustomTimeouts { create: "30".to_owned(), ..unlimited() };
            let options = ResourceOptions { custom_timeouts: Some(timeouts), ..within(own) };
            said(told(
                engine::register(&Registration { options, ..child_of(request, own) }).and_then(|part| part.wait()),
            ))
        }
        "twice" => {
            let pending = child("1", 1)?;
            let first = told(pending.wait());
            said(format!("{first}, {}", told(pending.wait())))
        }
        "many" => {
            let mut pending = Vec::new();
            loop {
                match child(&pending.len().to_string(), 1) {
                    Ok(one) => pending.push(one),
                    Err(error) => return Err(error),
                }
            }
        }
        "large" => {
            let mut pending = Vec::new();
            loop {
                let size = tree::text("x".repeat(100 << 20));
                let large = Registration { inputs: tree::object([("size", size)]), ..child_of(request, own) };
                match engine::register(&large) {
                    Ok(one) => pending.push(one),
                    Err(error) => return Err(error),
                }
            }
        }
        "much-asked" => {
            let mut pending = Vec::new();
            loop {
                pending.push(much_asked(own)?);
            }
        }
        "much-output" => {
            let _pending = [much_asked(own)?, much_asked(own)?];
            engine::register_outputs(&own.urn, &much())?;
            Ok(Vec::new())
        }
        "malformed" => {
            let inputs = Tree { nodes: vec![Node::Items(vec![7])] };
            said(told(engine::register(&Registration { inputs, ..child_of(request, own) })))
        }
        "anonymous" => said(told(engine::read(&child_of(request, own), ""))),
        "nameless" => said(told(engine::register(&Registration { name: String::new(), ..child_of(request, own) }))),
        "wait" => {
            child("slow", 1)?.wait()?;
            Ok(Vec::new())
        }
        "sleep" => {
            while !operation::sleep(1_000) {}
            Err(Error::Cancelled)
        }
        "trap" => core::arch::wasm32::unreachable(),
        "remote" => {
            let remote = Registration { custom: false, remote: true, ..child_of(request, own) };
            let registered = engine::register(&remote)?.wait()?;
            Ok(vec![("any", registered.state)])
        }
        "refer" => {
            let inputs = tree::object([("size", tree::reference(&own.urn)), ("number", tree::leaf(Node::Number(1.0)))]);
            engine::register(&Registration { inputs, ..child_of(request, own) })?.wait()?;
            Ok(Vec::new())
        }
        "read" => {
            let read = engine::read(&child_of(request, own), "found")?.wait()?;
            said(format!("{} {} {}", read.urn, read.id.unwrap_or_default(), tree::kinds(&read.state)))
        }
        "hydrate" => {
            let found = engine::hydrate(&own.urn)?.wait()?;
            said(format!("{} {} {}", found.urn, found.id.unwrap_or_default(), tree::kinds(&found.state)))
        }
        "invoke" => {
            let arguments = tree::member(&request.inputs, "size").unwrap_or_else(|| tree::leaf(Node::Null));
            let arguments = tree::object([("size", arguments)]);
            Ok(vec![("any", engine::invoke("other:index:ask", &arguments, &within(own))?.wait()?)])
        }
        "call" => {
            let part = child("1", 1)?.wait()?;
            let arguments = tree::object([("__self__", tree::reference(&part.urn))]);
            Ok(vec![("any", engine::call("composer:index:Part/describe", &arguments, &within(own))?.wait()?)])
        }
        "describe" => said(described()?),
        "inputs" => {
            let dependencies =
                request.input_dependencies.iter().map(|of| format!("{}: {}", of.name, of.urns.join(" ")));
            said(format!(
                "{}; {}; preview {}",
                tree::kinds(&request.inputs),
                dependencies.collect::<Vec<_>>().join(", "),
                request.preview
            ))
        }
        "configured" => said(CONFIGURED.get().cloned().unwrap_or_default()),
        "unknown" => Ok(vec![("any", tree::leaf(Node::Unknown))]),
        "wrong" => Ok(vec![("said", tree::leaf(Node::Number(1.0)))]),
        "dependencies" => Ok(vec![
            ("said", tree::text("said")),
            ("any", tree::output(Some(tree::text("any")), false, &["urn:of:any"])),
        ]),
        _ => Ok(Vec::new()),
    }
}

/// What is being deployed, in words.
pub fn described() -> Result<String, Error> {
    let deployment = engine::get_deployment()?;
    let config = deployment.config.iter().map(|entry| {
        let secret = if entry.secret { " (secret)" } else { "" };
        format!("{}={}{secret}", entry.key, entry.value)
    });
    Ok(format!(
        "{}/{}/{}, preview {}, parallel {}, {}",
        deployment.organization,
        deployment.project,
        deployment.stack,
        deployment.preview,
        deployment.parallel,
        config.collect::<Vec<_>>().join(" ")
    ))
}

/// The component itself, with the options that the program gave.
fn own(request: &ConstructRequest, act: &str) -> Registration {
    Registration {
        token: request.token.clone(),
        name: if act == "renamed" { "another".to_owned() } else { request.name.clone() },
        custom: false,
        remote: false,
        inputs: if act == "kept" { request.inputs.clone() } else { tree::object([]) },
        options: request.options.clone(),
    }
}

fn child(request: &ConstructRequest, own: &Registered, name: &str, number: u32) -> Registration {
    let size = tree::member(&request.inputs, "size").unwrap_or_else(|| tree::leaf(Node::Null));
    part(&format!("{}-{name}", request.name), number, size, within(own))
}

fn child_of(request: &ConstructRequest, own: &Registered) -> Registration {
    child(request, own, "1", 1)
}

/// A function that is asked, with much.
fn much_asked(own: &Registered) -> Result<PendingValue, Error> {
    engine::invoke("other:index:ask", &much(), &within(own))
}

fn much() -> Tree {
    tree::object([("size", tree::text("x".repeat(100 << 20)))])
}

fn within(own: &Registered) -> ResourceOptions {
    ResourceOptions { parent: Some(own.urn.clone()), ..unset() }
}

fn unlimited() -> CustomTimeouts {
    CustomTimeouts { create: String::new(), update: String::new(), delete: String::new(), read: String::new() }
}

/// A part.
pub fn part(name: &str, number: u32, size: Tree, options: ResourceOptions) -> Registration {
    Registration {
        token: "composer:index:Part".to_owned(),
        name: name.to_owned(),
        custom: true,
        remote: false,
        inputs: tree::object([("size", size), ("number", tree::leaf(Node::Number(number.into())))]),
        options,
    }
}

/// No options.
pub fn unset() -> ResourceOptions {
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

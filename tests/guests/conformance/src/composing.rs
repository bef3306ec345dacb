//! Components, and methods of components, resources and providers.

use crate::bulkhead::provider::engine::{self, Registered, Registration};
use crate::bulkhead::provider::options::{ProviderChoice, ResourceOptions};
use crate::bulkhead::provider::types::Error;
use crate::bulkhead::provider::values::{Node, Reference, ReferenceId};
use crate::configured;
use crate::exports::bulkhead::provider::components::{
    CallRequest, Called, ConstructRequest, Constructed, PropertyDependencies,
};
use crate::parameters;
use crate::value::Value;

/// Registers a component and its children.
pub(crate) fn construct(request: ConstructRequest) -> Result<Constructed, Error> {
    let inputs = Value::read(&request.inputs)?;
    let member = |name| inputs.get(name).cloned().unwrap_or(Value::Leaf(Node::Null));
    let package = request.token.split(':').next().unwrap_or_default();
    let own = register(
        &request.token,
        &request.name,
        false,
        Value::object([]),
        ResourceOptions {
            parent: request.options.parent.clone(),
            provider: chosen(&request.options.providers, package),
            ..unset()
        },
    )?;
    let child = |token: &str, suffix: &str, version: &str, inputs| {
        let options = ResourceOptions {
            parent: Some(own.urn.clone()),
            provider: token.split(':').next().and_then(|package| chosen(&request.options.providers, package)),
            version: Some(version.to_owned()),
            ..unset()
        };
        register(token, &format!("{}-{suffix}", request.name), true, inputs, options)
    };
    let custom = |value| child("component:index:Custom", "child", "13.3.7", Value::object([("value", value)]));
    let state = match request.token.as_str() {
        "component:index:ComponentCustomRefOutput" => {
            let child = custom(member("value"))?;
            Value::object([("value", state_of(&child, "value")?), ("ref", reference(&child))])
        }
        "component:index:ComponentCustomRefInputOutput" => {
            let input = hydrated(&member("inputRef"))?;
            let child = custom(state_of(&input, "value")?)?;
            Value::object([("inputRef", member("inputRef")), ("outputRef", reference(&child))])
        }
        "component:index:ComponentCallable" => {
            Value::object([("value", state_of(&custom(member("value"))?, "value")?)])
        }
        "component:index:ComponentForeignChild" => {
            let inputs = Value::object([("value", member("value"))]);
            let child = child("simple:index:Resource", "child", "2.0.0", inputs)?;
            Value::object([("value", state_of(&child, "value")?)])
        }
        "component-property-deps:index:Component" => {
            Value::object([("propertyDeps", dependencies(&request.input_dependencies))])
        }
        "configurer:index:Configurer" => {
            let inputs = Value::object([("config", member("providerConfig"))]);
            let provider = child("pulumi:providers:configurer", "inner-provider", "38.0.0", inputs)?;
            Value::object([("providerConfig", member("providerConfig")), ("innerProviderRef", reference(&provider))])
        }
        "plaincomponent:index:Component" => {
            let enabled = member("settings").get("enabled").and_then(Value::as_boolean).unwrap_or_default();
            let label = format!("{}{}", inputs.text_of("name"), if enabled { "" } else { " (disabled)" });
            let inputs = Value::object([("value", Value::text(label.clone()))]);
            child("plaincomponent:index:Custom", "child", "36.0.0", inputs)?;
            Value::object([("label", Value::text(label))])
        }
        token => match parameters::value(package) {
            Some(value) => Value::object([("parameterValue", Value::text(format!("{value}Component")))]),
            None => return Err(Error::NotFound(format!("there is no component `{token}`"))),
        },
    };
    let state = state.write();
    engine::register_outputs(&own.urn, &state)?;
    Ok(Constructed { urn: own.urn, state, state_dependencies: Vec::new() })
}

/// Calls a method.
pub(crate) fn call(request: CallRequest) -> Result<Called, Error> {
    let arguments = Value::read(&request.arguments)?;
    let this = arguments.get("__self__").cloned().unwrap_or(Value::Leaf(Node::Null));
    let result = |text| Value::object([("result", Value::text(text))]);
    let value = match request.token.as_str() {
        "component:index:ComponentCallable/identity" => result(own_text(&this, "value")?),
        "component:index:ComponentCallable/prefixed" => {
            result(format!("{}{}", arguments.text_of("prefix"), own_text(&this, "value")?))
        }
        "component-property-deps:index:Component/refs" => {
            Value::object([("result", dependencies(&request.argument_dependencies))])
        }
        "configurer:index:Configurer/plainValue" => Value::number(42.0),
        "configurer:index:Configurer/plainProvider" => state_of(&hydrated(&this)?, "innerProviderRef")?,
        "configurer:index:Configurer/nestedPlainProvider" => {
            let provider = state_of(&hydrated(&this)?, "innerProviderRef")?;
            Value::object([("provider", provider), ("value", Value::number(42.0))])
        }
        // A provider is called itself, with the configuration that `__self__` refers to.
        "pulumi:providers:call/identity" => result(configuration("value")),
        "pulumi:providers:call/prefixed" => {
            result(format!("{}{}", arguments.text_of("prefix"), configuration("value")))
        }
        "call:index:Custom/providerValue" => result(format!("{}{}", configuration("value"), own_text(&this, "value")?)),
        token if token.ends_with(":Resource/call") => {
            let length = arguments.text_of("input").len() + own_text(&this, "text")?.len();
            let output = f64::from(u32::try_from(length).unwrap_or(u32::MAX));
            Value::object([("output", Value::number(output))])
        }
        token => return Err(Error::NotFound(format!("there is no method `{token}`"))),
    };
    Ok(Called { value: value.write(), dependencies: Vec::new() })
}

fn register(
    token: &str,
    name: &str,
    custom: bool,
    inputs: Value,
    options: ResourceOptions,
) -> Result<Registered, Error> {
    let (token, name) = (token.to_owned(), name.to_owned());
    engine::register(&Registration { token, name, custom, remote: false, inputs: inputs.write(), options })?.wait()
}

/// The provider that the program chose for a package.
fn chosen(providers: &[ProviderChoice], package: &str) -> Option<String> {
    providers.iter().find(|choice| choice.package == package).map(|choice| choice.provider.clone())
}

/// What a reference refers to.
fn hydrated(reference: &Value) -> Result<Registered, Error> {
    let Value::Leaf(Node::Reference(reference)) = reference.plain() else {
        return Err(Error::Bug("what should be a reference isn't one".to_owned()));
    };
    engine::hydrate(&reference.urn)?.wait()
}

fn reference(resource: &Registered) -> Value {
    let id = Some(resource.id.clone().map_or(ReferenceId::Unknown, ReferenceId::Known));
    Value::Leaf(Node::Reference(Reference { urn: resource.urn.clone(), id, package_version: String::new() }))
}

/// A member of a resource's state.
fn state_of(resource: &Registered, name: &str) -> Result<Value, Error> {
    Ok(Value::read(&resource.state)?.get(name).cloned().unwrap_or(Value::Leaf(Node::Unknown)))
}

fn own_text(this: &Value, name: &str) -> Result<String, Error> {
    Ok(state_of(&hydrated(this)?, name)?.as_text().unwrap_or_default().to_owned())
}

fn configuration(name: &str) -> String {
    configured(name).and_then(|value| value.as_text().map(str::to_owned)).unwrap_or_default()
}

/// What depends on what, as a map of lists.
fn dependencies(dependencies: &[PropertyDependencies]) -> Value {
    let urns = |urns: &[String]| Value::Items(urns.iter().map(Value::text).collect());
    Value::Fields(dependencies.iter().map(|of| (of.name.clone(), urns(&of.urns))).collect())
}

/// No options.
fn unset() -> ResourceOptions {
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

//! Everything that is said about wrong use, in one place, so that it is said in one voice.
//!
//! A message says what is wrong in the author's terms; what to do instead follows after a colon or as an example.

use proc_macro2::Span;
use syn::Error;

/// The Levenshtein distance up to which a misspelt name is taken for a known one.
const NEAR: usize = 2;

/// Of a field that is flattened.
pub(crate) const FLATTENED_TWICE: &str =
    "a property of the flattened struct is there already: rename one of the fields";

/// Of a resource or function in `provider!`.
pub(crate) const TOKEN_TWICE: &str = "the token is another's already";

/// Of a method in `provider!`.
pub(crate) const METHOD_OF_NOTHING: &str =
    "the method belongs to a resource that the provider hasn't: add it to `resources` or `components`";

/// Of a method in `provider!`.
pub(crate) const METHOD_TWICE: &str = "the resource has a method of this name already: rename one of them";

/// Of a list in `provider!`.
pub(crate) const LISTED_ALONE: &str = "what is listed is no resource of the provider: say it in `resources` too";

/// Of an override in `provider!`.
pub(crate) const OVERRIDE_NOT_WRITTEN: &str =
    "no resource overrides this: leave it out, so that the component doesn't export it";

pub(crate) fn foreign_token(package: &str) -> String {
    format!("the token belongs to another package than `{package}`")
}

pub(crate) fn override_not_exported(name: &str) -> String {
    format!("`{name}` is overridden: say `overrides: [{name}]` in `provider!`")
}

pub(crate) fn reserved_output(name: &str) -> String {
    format!("a resource has its `{name}` from the engine, so that no property can be called so: rename the field")
}

pub(crate) fn unknown_attribute(span: Span, name: &str, place: &str, known: &[&str]) -> Error {
    let message = format!("`{name}` says nothing about {place}");
    match nearest(name, known) {
        Some(near) => Error::new(span, format!("{message}: did you mean `{near}`?")),
        None => Error::new(span, format!("{message}: known are {}", list(known))),
    }
}

pub(crate) fn misplaced_attribute(span: Span, name: &str, place: &str) -> Error {
    Error::new(span, format!("`{name}` says nothing about {place}"))
}

pub(crate) fn repeated(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` is said twice"))
}

pub(crate) fn missing(span: Span, what: &str, name: &str, example: &str) -> Error {
    Error::new(span, format!("{what} needs `{name}`: write `{example}`"))
}

pub(crate) fn wants_flag(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` takes no value: write `{name}` alone"))
}

pub(crate) fn wants_value(span: Span, name: &str, example: &str) -> Error {
    Error::new(span, format!("`{name}` takes a value: write `{name} = {example}`"))
}

pub(crate) fn wants_text(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` takes a string in quotes"))
}

pub(crate) fn wants_integer(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` takes a whole number from 0 on"))
}

pub(crate) fn wants_names(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` takes one string or a list of them: `{name} = [\"a\", \"b\"]`"))
}

pub(crate) fn wants_list(span: Span, name: &str, example: &str) -> Error {
    Error::new(span, format!("`{name}` takes a list: `{name}: [{example}]`"))
}

pub(crate) fn wants_object(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` takes an object: `{name}: {{ … }}`"))
}

pub(crate) fn wants_json(span: Span) -> Error {
    Error::new(span, "this is no JSON: write a string, a number, `true`, `false`, `null`, `[…]` or `{ key: … }`")
}

pub(crate) fn not_a_struct(span: Span, derive: &str) -> Error {
    Error::new(span, format!("`{derive}` is derived for structs with named fields, which become properties"))
}

pub(crate) fn not_an_enum(span: Span) -> Error {
    Error::new(span, "`Enum` is derived for enums without data, whose variants become strings")
}

pub(crate) fn not_a_union(span: Span) -> Error {
    Error::new(span, "`Union` is derived for enums whose variants hold one value each: `Count(u32)`")
}

pub(crate) fn union_of_itself(span: Span) -> Error {
    Error::new(span, "a union has no name in the schema, and can't hold itself: let it hold an object that holds it")
}

pub(crate) fn variant_with_data(span: Span) -> Error {
    Error::new(
        span,
        "a variant of an enumeration holds no data, since a string stands for it: derive `Union` if values are meant",
    )
}

pub(crate) fn empty_enum(span: Span) -> Error {
    Error::new(span, "an enumeration needs a variant, or no value could ever be given")
}

pub(crate) fn generic(span: Span, derive: &str) -> Error {
    Error::new(
        span,
        format!("`{derive}` is derived for types without parameters, since each is one type in the schema"),
    )
}

pub(crate) fn same_property(span: Span, property: &str, field: &str) -> Error {
    Error::new(span, format!("`{property}` is the property of the field `{field}` already: rename one of them"))
}

pub(crate) fn same_variant(span: Span, value: &str, variant: &str) -> Error {
    Error::new(span, format!("\"{value}\" stands for the variant `{variant}` already: rename one of them"))
}

pub(crate) fn unnamed(span: Span, attribute: &str) -> Error {
    Error::new(span, format!("no name is left: give it one with `#[{attribute}(rename = \"…\")]`"))
}

pub(crate) fn reserved_property(span: Span, property: &str) -> Error {
    Error::new(span, format!("`{property}` belongs to the engine, not to a property: rename it"))
}

pub(crate) fn unknown_field(span: Span, name: &str, known: &[&str]) -> Error {
    match nearest(name, known) {
        Some(near) => Error::new(span, format!("there is no field `{name}`: did you mean `{near}`?")),
        None => Error::new(span, format!("there is no field `{name}` to refer to")),
    }
}

pub(crate) fn refers_to_itself(span: Span) -> Error {
    Error::new(span, "a property can't refer to itself")
}

pub(crate) fn alone(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` stands alone: such a field has no property that more could be said about"))
}

pub(crate) fn excludes(span: Span, name: &str, other: &str) -> Error {
    Error::new(span, format!("`{name}` and `{other}` exclude each other"))
}

pub(crate) fn bad_token(span: Span, token: &str) -> Error {
    Error::new(
        span,
        format!("`{token}` is no token: write `package:module:Name`, e.g. `random:index/randomString:RandomString`"),
    )
}

pub(crate) fn bad_type_name(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` is no type name: letters, digits, `.` and `_`, a letter first"))
}

pub(crate) fn bad_package_name(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` is no package name: letters, digits, `-` and `_`, a letter first"))
}

pub(crate) fn not_a_resource_impl(span: Span) -> Error {
    Error::new(span, "`#[resource]` stands on an `impl Resource for …`")
}

pub(crate) fn create_missing(span: Span) -> Error {
    Error::new(span, "a resource needs `create`: `fn create(request: Create<'_, Self>) -> Result<Created<Self>> { … }`")
}

pub(crate) fn hidden_by_macro(span: Span) -> Error {
    Error::new(
        span,
        "what is written by a macro isn't seen here, and the host must know which methods there are: write them out",
    )
}

pub(crate) fn not_a_component_impl(span: Span) -> Error {
    Error::new(span, "`#[component]` stands on an `impl Component for …`")
}

pub(crate) fn construct_missing(span: Span) -> Error {
    Error::new(
        span,
        "a component needs `construct`: `fn construct(request: Construct<'_, Self>) -> Result<Self> { … }`",
    )
}

pub(crate) fn not_of_a_component(span: Span, name: &str) -> Error {
    Error::new(
        span,
        format!(
            "`{name}` isn't part of a component, which has only `construct`: what can be created and deleted is an \
             `impl Resource`; other functions belong into an `impl` of their own"
        ),
    )
}

pub(crate) fn method_receiver(span: Span) -> Error {
    Error::new(
        span,
        "a method says first what it is called on: `fn url(call: Call<Site>, arguments: UrlArgs) -> Result<Output>`, \
         with `Call<ThisProvider>` for the provider itself",
    )
}

pub(crate) fn lookup_without_read(span: Span) -> Error {
    Error::new(span, "a program looks a resource up by `read`, which isn't written: write it, or leave `lookup` out")
}

pub(crate) fn positions_of_nothing(span: Span) -> Error {
    Error::new(span, "`positional` puts arguments in order, and the function takes none: take some, or leave it out")
}

pub(crate) fn exists_without_read(span: Span) -> Error {
    Error::new(
        span,
        "`exists` is asked before `read`, which isn't written: write `read`, which returns `Ok(None)` itself or is asked after it",
    )
}

pub(crate) fn asynchronous(span: Span) -> Error {
    Error::new(span, "calls aren't `async`: each has an instance of its own, and waiting blocks nobody else")
}

pub(crate) fn function_parameters(span: Span) -> Error {
    Error::new(
        span,
        "a function takes its arguments by value and its configuration by reference, both or either, and before them how it is called if \
         it wants to know: `fn name(invoke: Invoke, arguments: Arguments, config: &Settings) -> Result<Output>`",
    )
}

pub(crate) fn function_result(span: Span) -> Error {
    Error::new(
        span,
        "a function returns `Result<Output>`, where `Output` is a struct with `#[derive(State)]` or a value",
    )
}

pub(crate) fn config_required(span: Span, name: &str) -> Error {
    Error::new(span, format!("`{name}` overrides what the host does with the configuration: say `config: …` too"))
}

/// The known name that is nearest, if any is near.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known.iter().map(|candidate| (distance(name, candidate), *candidate));
    near.filter(|(distance, _)| *distance <= NEAR).min().map(|(_, candidate)| candidate)
}

fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, from) in left.chars().enumerate() {
        let mut next = vec![line + 1];
        for ((to, diagonal), above) in right.iter().zip(&row).zip(row.iter().skip(1)) {
            let before = next.last().copied().unwrap_or_default();
            next.push((before + 1).min(above + 1).min(diagonal + usize::from(from != *to)));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

//! A provider's table, looked over for what can't be meant.
//!
//! Derives and `provider!` refuse what they can see alone: one struct, one attribute. What contradicts something elsewhere shows
//! only when the whole table is there, which is in a test. Nothing of the author's runs here but the descriptions of
//! types; `bulkhead check` looks at much more, once there is a component.

use std::collections::BTreeSet;

use super::mistakes::{Mistake, Mistakes};
use crate::config::Config;
use crate::provider::{Metadata, Provider};
use crate::resource::Declaration;
use crate::schema::{Facts, Literal, ObjectSpec, PropertySet, Side, Types, Validation};

/// Looks a provider over. All that is wrong is told at once.
///
/// ```
/// # use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, provider, resource};
/// # #[derive(Inputs)]
/// # struct Args { text: String }
/// # #[derive(State)]
/// # struct Note { #[bulkhead(flatten)] args: Args }
/// # #[resource(token = "notes:index:Note")]
/// # impl Resource for Note {
/// #     type Inputs = Args;
/// #     fn create(request: Create<Self>) -> Result<Created<Self>> {
/// #         Ok(Created::new("n-1", Note { args: request.inputs }))
/// #     }
/// # }
/// # provider! { name: "notes", resources: [Note] }
/// use bulkhead_sdk::testing::{Mistakes, validate};
///
/// # /*
/// #[test]
/// # */
/// fn the_provider_is_sound() -> Result<(), Mistakes> {
///     validate(&PROVIDER)
/// }
/// # the_provider_is_sound().unwrap();
/// ```
///
/// # Errors
/// Names and tokens that no engine accepts, or that are there twice; facts of a property that contradict each other or name no
/// property; rules that an import can't keep; references to types that aren't there; methods that are missing beside those that
/// need them; requests without a reason.
pub fn validate<C: Config>(provider: &'static Provider<C>) -> Result<(), Mistakes> {
    let mut looking = Looking::default();
    looking.package(&provider.metadata);
    for (kind, requests) in provider.permissions {
        if !requests.iter().all(has_reason) {
            looking.add(format!("permissions.{kind}"), "each request must give its `reason`");
        }
    }
    let declarations = provider.resources.iter().map(|entry| &entry.declaration);
    let declarations = declarations.chain(provider.components.iter().map(|entry| &entry.declaration));
    let functions = provider.functions.iter().map(|entry| entry.declaration.token);
    let tokens = declarations.clone().map(|declaration| declaration.token).chain(functions);
    looking.tokens(provider.metadata.name, tokens);
    let brought = provider.parameter.as_ref();
    // A type may be in both.
    let is_own = |token: &str| provider.resources.iter().any(|own| own.declaration.token == token);
    let others = brought.iter().flat_map(|parameter| parameter.resources.iter().map(|entry| &entry.declaration));
    let all = declarations.chain(others.filter(|declaration| !is_own(declaration.token)));
    looking.aliases(all.clone());

    let mut types = Types::new(provider.metadata.name);
    let mut described =
        |side, describe: fn(&mut PropertySet<'_>)| ObjectSpec::describe(&mut types, side, describe).declared;
    let configuration = described(Side::Input, C::describe);
    looking.properties("the configuration", &configuration, None);
    for entry in provider.resources.iter().chain(brought.iter().flat_map(|parameter| parameter.resources)) {
        let (inputs, state) = (described(Side::Input, entry.inputs), described(Side::Output, entry.state));
        described(Side::Input, entry.lookup);
        looking.properties(entry.declaration.token, &inputs, Some(&state));
        looking.stable(&entry.declaration, &inputs, &state);
        looking.imports(&entry.declaration, &inputs);
        looking.methods(&entry.declaration);
    }
    for entry in provider.lists {
        looking.properties(&format!("the list of {}", entry.token), &described(Side::Input, entry.query), None);
    }
    for entry in provider.components {
        looking.unchecked(entry.declaration.token, &described(Side::Eventual, entry.inputs));
    }
    for entry in provider.methods {
        looking.unchecked(&entry.token(provider.metadata.name), &described(Side::Eventual, entry.inputs));
    }
    for entry in provider.functions.iter().chain(brought.iter().flat_map(|parameter| parameter.functions)) {
        looking.properties(entry.declaration.token, &described(Side::Input, entry.inputs), None);
    }
    for entry in brought.iter().flat_map(|parameter| parameter.functions) {
        (entry.returns)(&mut types);
    }
    for (object, members) in &types.declared {
        looking.members(object, members);
    }
    match provider.schema() {
        Ok(schema) => looking.references(&schema),
        Err(error) => looking.add("the schema".to_owned(), &error.to_string()),
    }
    // The document of what a parameter brings isn't there before the parameter is.
    for token in types.referred.iter().filter(|token| !all.clone().any(|declared| declared.token == **token)) {
        looking.dangles(token, "resources");
    }
    if looking.0.is_empty() { Ok(()) } else { Err(Mistakes(looking.0)) }
}

fn has_reason(request: &Literal) -> bool {
    let Literal::Object(members) = request else { return false };
    members
        .iter()
        .any(|(name, value)| *name == "reason" && matches!(value, Literal::Text(text) if !text.trim().is_empty()))
}

/// What to do in place of a rule that no import can keep.
const REFUSE: &str = "have `create` refuse inputs without it";

/// The mistakes so far.
#[derive(Default)]
struct Looking(Vec<Mistake>);

impl Looking {
    fn add(&mut self, subject: String, message: &str) {
        let mistake = Mistake { subject, message: message.to_owned() };
        if !self.0.contains(&mistake) {
            self.0.push(mistake);
        }
    }

    fn package(&mut self, metadata: &Metadata) {
        if !is_name(metadata.name) {
            let message =
                format!("`{}` is no package name: letters, digits, `-` and `_`, a letter first", metadata.name);
            self.add("name".to_owned(), &message);
        }
        if !is_version(metadata.version) {
            let message = format!("`{}` is no semantic version: write it as 1.2.3", metadata.version);
            self.add("version".to_owned(), &message);
        }
    }

    /// Tokens are of the package, well-formed, and there once.
    fn tokens(&mut self, package: &str, tokens: impl Iterator<Item = &'static str>) {
        let mut seen = BTreeSet::new();
        for token in tokens {
            let parts: Vec<&str> = token.split(':').collect();
            match parts.as_slice() {
                [of, _, name] if !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()) => {
                    if *of != package {
                        self.add(
                            token.to_owned(),
                            &format!("the token is of the package `{of}`, and this is `{package}`"),
                        );
                    }
                }
                _ => self.add(token.to_owned(), "a token is written package:module:Name"),
            }
            if !seen.insert(token) {
                self.add(token.to_owned(), "the token is there twice");
            }
        }
    }

    fn aliases<'d>(&mut self, declarations: impl Iterator<Item = &'d Declaration> + Clone) {
        let mut seen: BTreeSet<&str> = declarations.clone().map(|declaration| declaration.token).collect();
        for declaration in declarations {
            for alias in declaration.aliases.iter().filter(|alias| !seen.insert(alias)) {
                let message = format!("its alias `{alias}` is the token or an alias of another resource, or its own");
                self.add(declaration.token.to_owned(), &message);
            }
        }
    }

    fn methods(&mut self, declaration: &Declaration) {
        let methods = declaration.methods;
        let said = [
            (
                methods.delete && !methods.read,
                "it is deleted and can't be read: without `read` nobody can import it, and a refresh sees nothing",
            ),
            (
                declaration.delete_before_replace && !methods.delete,
                "a replacement should delete the old resource first, and there is no `delete`",
            ),
            (
                methods.upgrade && declaration.schema_version == 0,
                "`upgrade` is never called: no state is older than `schema_version = 0`",
            ),
            (
                declaration.schema_version > 0 && !methods.upgrade,
                "its states have had an older form, and there is no `upgrade`",
            ),
        ];
        for (_, message) in said.into_iter().filter(|(wrong, _)| *wrong) {
            self.add(declaration.token.to_owned(), message);
        }
    }

    /// Facts of what is given, and of the outputs beside it.
    fn properties(&mut self, owner: &str, given: &[(&str, Facts)], returned: Option<&[(&str, Facts)]>) {
        for (name, facts) in given {
            let subject = format!("{owner}.{name}");
            let is_output = returned.is_some_and(|returned| has(returned, name));
            let said = [
                (
                    facts.autoname.is_some() && (facts.default.is_some() || facts.output_default.is_some()),
                    "it is named automatically, so its other default is never used",
                ),
                (
                    facts.output_default.is_some() && !is_output,
                    "`output_default` promises an output, and there is none of this name in the state",
                ),
                (
                    facts.not_echoed && !is_output,
                    "`not_echoed` is about the output of this name, and there is none in the state",
                ),
                (facts.autoname.is_some() && returned.is_none(), "only an input of a resource is named automatically"),
                (
                    facts.autoname.is_some() && longer_names(facts),
                    "longer names are generated than `max_length` allows",
                ),
            ];
            for (_, message) in said.into_iter().filter(|(wrong, _)| *wrong) {
                self.add(subject.clone(), message);
            }
            self.alone(&subject, facts, given);
        }
    }

    /// What is promised to stay can't be changed. Without `update` each change replaces the resource.
    fn stable(&mut self, declaration: &Declaration, given: &[(&str, Facts)], returned: &[(&str, Facts)]) {
        for (name, facts) in returned {
            let changes = given.iter().any(|(input, facts)| input == name && !facts.replace);
            if facts.stable && changes && declaration.methods.update {
                let message = "it is `stable`, and an input that can change without a replacement: say `replace` of it";
                self.add(format!("{}.{name}", declaration.token), message);
            }
        }
    }

    /// What isn't echoed isn't imported either, and engines hold what was imported to the rules of inputs.
    fn imports(&mut self, declaration: &Declaration, given: &[(&str, Facts)]) {
        if !declaration.methods.read {
            return;
        }
        let is =
            |name: &str, what: fn(&Facts) -> bool| given.iter().any(|(input, facts)| *input == name && what(facts));
        let is_unseen = |name: &str| is(name, |facts| facts.not_echoed && !facts.is_filled());
        for (name, facts) in given {
            let Validation { requires, exactly_one_of, .. } = facts.validation;
            for other in requires.iter().filter(|other| !facts.not_echoed && is_unseen(other)) {
                let message =
                    format!("it requires `{other}`, which is `not_echoed`, so that an import lacks it: {REFUSE}");
                self.add(format!("{}.{name}", declaration.token), &message);
            }
            let choice = || exactly_one_of.iter().chain((!exactly_one_of.is_empty()).then_some(name));
            if choice().any(|name| is(name, Facts::is_filled)) {
                continue;
            }
            for other in choice().filter(|other| is_unseen(other)) {
                let message = format!(
                    "it is `not_echoed` and one of an `exactly_one_of`, of which an import has none then: say `conflicts_with`, and {REFUSE}"
                );
                self.add(format!("{}.{other}", declaration.token), &message);
            }
        }
    }

    /// Facts of what a component or a method is given: no host checks, compares or completes that.
    fn unchecked(&mut self, owner: &str, given: &[(&str, Facts)]) {
        self.properties(owner, given, None);
        for (name, facts) in given {
            for fact in unheeded(facts) {
                let message = format!(
                    "nothing comes of `{fact}`: what a component or a method is given, the host neither checks nor completes"
                );
                self.add(format!("{owner}.{name}"), &message);
            }
        }
    }

    /// Facts of an object's members, which are given and returned.
    fn members(&mut self, object: &str, members: &[(&str, Facts)]) {
        for (name, facts) in members {
            self.alone(&format!("{object}.{name}"), facts, members);
        }
    }

    /// Facts of one property, whichever side it is on.
    fn alone(&mut self, subject: &str, facts: &Facts, beside: &[(&str, Facts)]) {
        if facts.default.is_some() && facts.output_default.is_some() {
            self.add(subject.to_owned(), "its `default` is filled in, so its `output_default` is never used");
        }
        for message in crossed(&facts.validation) {
            self.add(subject.to_owned(), message);
        }
        let Validation { conflicts_with, requires, exactly_one_of, .. } = facts.validation;
        for other in conflicts_with.iter().chain(requires).chain(exactly_one_of).filter(|other| !has(beside, other)) {
            self.add(subject.to_owned(), &format!("there is no property `{other}` beside it"));
        }
        for other in requires.iter().filter(|other| conflicts_with.contains(other)) {
            self.add(subject.to_owned(), &format!("it requires `{other}`, and conflicts with it"));
        }
    }

    /// References within the document lead somewhere.
    fn references(&mut self, schema: &str) {
        for section in ["types", "resources"] {
            for rest in schema.split(&format!("\"$ref\":\"#/{section}/")).skip(1) {
                // As in any URI, a slash of a token's module is escaped.
                let token = rest.split('"').next().unwrap_or_default().replace("%2F", "/");
                // Keys of objects stand before a colon, references don't.
                if !schema.contains(&format!("\"{token}\":")) {
                    self.dangles(&token, section);
                }
            }
        }
    }

    fn dangles(&mut self, token: &str, section: &str) {
        let message = format!("the schema refers to `{token}`, and has none under `{section}`");
        self.add("the schema".to_owned(), &message);
    }
}

fn has(properties: &[(&str, Facts)], wanted: &str) -> bool {
    properties.iter().any(|(name, _)| *name == wanted)
}

/// What is said of a property and only means something to the host's check and comparison. Without a default, that is: beside what
/// excludes it, none is taken.
fn unheeded(facts: &Facts) -> impl Iterator<Item = &'static str> {
    let rules = &facts.validation;
    let alone = facts.default.is_none();
    let said = [
        (facts.replace, "replace"),
        (facts.empty_is_absent, "empty_is_absent"),
        (facts.coerces, "coerces"),
        (!facts.environment.is_empty(), "env"),
        (rules.minimum.is_some(), "minimum"),
        (rules.maximum.is_some(), "maximum"),
        (rules.min_length.is_some(), "min_length"),
        (rules.max_length.is_some(), "max_length"),
        (rules.min_items.is_some(), "min_items"),
        (rules.max_items.is_some(), "max_items"),
        (rules.pattern.is_some(), "pattern"),
        (alone && !rules.conflicts_with.is_empty(), "conflicts_with"),
        (!rules.requires.is_empty(), "requires"),
        (alone && !rules.exactly_one_of.is_empty(), "exactly_one_of"),
    ];
    said.into_iter().filter(|(said, _)| *said).map(|(_, fact)| fact)
}

fn longer_names(facts: &Facts) -> bool {
    let generated = facts.autoname.and_then(|autoname| autoname.max_length);
    facts.validation.max_length.is_some_and(|most| generated.is_none_or(|generated| generated > most))
}

/// Bounds of which the lower is above the upper.
fn crossed(rules: &Validation) -> Vec<&'static str> {
    let number = |bound: Option<fn() -> String>| bound.and_then(|bound| bound().parse::<f64>().ok());
    let more = |least: Option<u32>, most: Option<u32>| least.zip(most).is_some_and(|(least, most)| least > most);
    let pairs = [
        (
            number(rules.minimum).zip(number(rules.maximum)).is_some_and(|(least, most)| least > most),
            "nothing is allowed: `minimum` is more than `maximum`",
        ),
        (more(rules.min_length, rules.max_length), "nothing is allowed: `min_length` is more than `max_length`"),
        (more(rules.min_items, rules.max_items), "nothing is allowed: `min_items` is more than `max_items`"),
    ];
    pairs.into_iter().filter(|(crossed, _)| *crossed).map(|(_, message)| message).collect()
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || "-_".contains(character))
}

/// Three numbers, and whatever follows a hyphen or a plus.
fn is_version(version: &str) -> bool {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<&str> = core.split('.').collect();
    let is_number = |part: &&str| {
        !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit()) && (*part == "0" || !part.starts_with('0'))
    };
    numbers.len() == 3 && numbers.iter().all(is_number)
}

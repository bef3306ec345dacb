//! Has its engine use other packages: registers and reads their resources, a provider of theirs, calls their functions and methods, looks one up, asks for their descriptions, and has resources of its own replace theirs. Some provider of that name runs what it is told.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::options::{Alias, AliasParts, ProviderChoice, ResourceOptions};
use hostile::types::Error;
use hostile::{Attack, attack, engine, field, no_options, object, packages, resource, text};

struct Others;

/// A command, for whoever runs commands. Beside its token: where its plugin is to be had, and its version.
fn command(token: &str, name: &str, options: ResourceOptions) -> engine::Registration {
    let inputs = object(&["create"], vec![text("touch /tmp/reached")]);
    engine::Registration { options, ..resource(token, name, inputs) }
}

fn outcome<T>(of: Result<T, Error>) -> String {
    match of {
        Ok(_) => "done".to_owned(),
        Err(Error::Other(reason)) => reason,
        Err(error) => format!("{error:?}"),
    }
}

impl Attack for Others {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let from = field(&request.inputs, "what").filter(|from| from.contains(':'));
        let other = field(&request.inputs, "package").unwrap_or_else(|| "command".to_owned());
        let (other, of) = (other.as_str(), |rest: &str| format!("{other}:local:{rest}"));
        let options = || ResourceOptions { plugin_download_url: from.clone(), ..no_options() };
        let component =
            |token: &str, name: &str| engine::Registration { custom: false, ..command(token, name, no_options()) };
        let urn = engine::register(&component(&request.token, &request.name))?.wait()?.urn;
        let register =
            |registration: engine::Registration| engine::register(&registration).and_then(|made| made.wait());
        let arguments = object(&[], Vec::new());
        let versioned = ResourceOptions { version: Some("99.0.0".to_owned()), ..no_options() };
        let recorded = &format!("urn:pulumi:dev::p::{}::deploy", of("Command"));
        let reference = packages::PackageReference { name: other.to_owned(), version: None };
        let (made, version) = ("made".to_owned(), "1.0.0".to_owned());
        let parameter = packages::PackageParameter { name: made, version, value: Vec::new() };
        let source = packages::PackageSpec { source: other.to_owned(), version: None, parameters: Vec::new() };
        // What an engine has on record under another name it takes for the old state, and whoever is named looks after it.
        let provider = format!("urn:pulumi:dev::p::pulumi:providers:{other}::default::1");
        let own = |name: &str, options| outcome(register(command("hostile:index:Thing", name, options)));
        let parts = AliasParts {
            name: Some("deploy".to_owned()),
            token: Some(of("Command")),
            stack: None,
            project: None,
            parent: None,
        };
        let choice = ProviderChoice { package: "hostile".to_owned(), provider: provider.clone() };
        let outcomes = [
            outcome(register(component("shop", "named"))),
            outcome(register(command("hostile:index:Thing", "own", no_options()))),
            outcome(register(command("hostile:index:Thing", "another", versioned))),
            outcome(register(command(&of("Command"), "run", options()))),
            outcome(register(command(&format!("pulumi:providers:{other}"), "provider", options()))),
            outcome(register(engine::Registration { remote: true, ..component(&of("Group"), "remote") })),
            outcome(
                engine::read(&command("pulumi:pulumi:StackReference", "other", no_options()), "acme/shop/prod")
                    .and_then(|read| read.wait()),
            ),
            outcome(engine::invoke(&of("run"), &arguments, &options()).and_then(|invoked| invoked.wait())),
            outcome(engine::call(&of("Command/run"), &arguments, &options()).and_then(|called| called.wait())),
            outcome(engine::hydrate(recorded).and_then(|found| found.wait())),
            outcome(packages::get_schema(&reference)),
            outcome(packages::get_parameterized_schema(&reference, &parameter)),
            outcome(packages::get_mapping(other, None)),
            outcome(packages::resolve(&source)),
            own("alias", ResourceOptions { aliases: vec![Alias::Urn(recorded.to_owned())], ..no_options() }),
            own("parts", ResourceOptions { aliases: vec![Alias::Parts(parts)], ..no_options() }),
            own("provided", ResourceOptions { provider: Some(provider.clone()), ..no_options() }),
            own("chosen", ResourceOptions { providers: vec![choice.clone()], ..no_options() }),
            // What is on record of it goes with nobody asked.
            outcome(register(component(&of("Command"), "deploy"))),
            // A component's children have the providers that it names.
            outcome(register(engine::Registration {
                options: ResourceOptions { providers: vec![choice.clone()], ..no_options() },
                ..component("hostile:index:Inner", "parent")
            })),
            outcome(register(engine::Registration {
                options: ResourceOptions { provider: Some(provider.clone()), ..no_options() },
                ..component("hostile:index:Inner", "singular")
            })),
            // So has one whose type is only a name for others.
            outcome(register(engine::Registration {
                options: ResourceOptions { providers: vec![choice.clone()], ..no_options() },
                ..component("shop", "plain")
            })),
            // Where a name has a provider look after it, it is a package's.
            outcome(register(command(other, "bare", no_options()))),
            outcome(register(engine::Registration { remote: true, ..component(other, "far") })),
            outcome(engine::read(&command(other, "found", no_options()), "1").and_then(|read| read.wait())),
            own("with", ResourceOptions { deleted_with: Some(recorded.to_owned()), ..no_options() }),
            // Engines run an executable that is called after the package, and of one with a slash they take that for its path.
            outcome(register(command("pulumi:providers:hostile/x", "path", no_options()))),
            own("looked", ResourceOptions { provider: Some(provider.replace(other, "hostile/x")), ..no_options() }),
        ];
        let said = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state: said, state_dependencies: Vec::new() })
    }
}

attack!(Others);

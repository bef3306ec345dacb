//! What engines and hosts tell overrides, as a test says it: of a resource, of a check, of a configuration.

use std::time::Duration;

use bulkhead_sdk::config::{CheckConfig, ChecksConfig, DiffConfig, DiffsConfig};
use bulkhead_sdk::resource::{Check, Checked, Diff, Difference};
use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{Config, Create, Created, Inputs, Resource, Result, State, fields, provider, resource};

#[derive(Config)]
struct Settings {
    owner: Option<String>,
}

impl ChecksConfig for Settings {
    fn check(request: CheckConfig) -> Result<Checked> {
        let mut checked = request.defaults()?;
        if request.prior_inputs.is_some_and(|prior| prior.get("owner") != request.inputs.get("owner")) {
            checked.reject("owner", "stays as it is");
        }
        Ok(checked)
    }
}

impl DiffsConfig for Settings {
    fn diff(request: DiffConfig) -> Result<Difference> {
        request.defaults()
    }
}

#[derive(Inputs)]
struct Args {
    owner: Option<String>,
}

#[derive(State)]
struct Note {
    name: Option<String>,
    owner: Option<String>,
    seconds: u64,
}

#[resource(token = "told:index:Note")]
impl Resource for Note {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let seconds = request.context.timeout_or(Duration::from_secs(600)).as_secs();
        let owner = request.inputs.owner.or_else(|| request.config.owner.clone());
        Ok(Created::new("n-1", Self { name: request.context.name, owner, seconds }))
    }

    fn check(request: Check) -> Result<Checked> {
        let mut inputs = request.prior_inputs.unwrap_or_default();
        inputs.insert("seed".to_owned(), request.seed.unwrap_or_default().len().to_string().into());
        inputs.insert("urn".to_owned(), request.context.urn.unwrap_or_default().into());
        Ok(Checked { inputs, failures: Vec::new() })
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        request.defaults()
    }
}

provider! {
    name: "told",
    config: Settings,
    resources: [Note],
    overrides: [check, diff, config_check, config_diff],
}

fn driver() -> Driver<Settings> {
    Driver::new(&PROVIDER, Settings { owner: None })
}

#[test]
fn calls_are_about_the_resource_that_a_test_says() {
    let driver = driver();
    let note = driver.create::<Note>(fields! {}).unwrap().state;
    assert_eq!((note.name, note.seconds), (None, 600));
    driver.about(|context| {
        context.name = Some("milk".to_owned());
        context.timeout = Some(Duration::from_secs(60));
    });
    let note = driver.create::<Note>(fields! { "owner": "me" }).unwrap().state;
    assert_eq!((note.name.as_deref(), note.owner.as_deref(), note.seconds), (Some("milk"), Some("me"), 60));
}

#[test]
fn checks_see_what_engines_say_beside_the_inputs() {
    let driver = driver();
    driver.about(|context| context.urn = Some("urn".to_owned()));
    let checked = driver.check_with::<Note>(fields! {}, |check| {
        check.prior_inputs = Some(fields! { "owner": "me" });
        check.seed = Some(vec![0; 32]);
    });
    assert_eq!(checked.unwrap().inputs, fields! { "owner": "me", "seed": "32", "urn": "urn" });
}

#[test]
fn a_configuration_s_own_check_and_comparison_can_be_tested() {
    let driver = driver();
    driver.host_checks_config(|check| Ok(Checked { inputs: check.inputs.clone(), failures: Vec::new() }));
    let inputs = fields! { "owner": "me" };
    let checked = driver.check_config(None, inputs.clone()).unwrap();
    assert_eq!((&checked.inputs, checked.failures.len()), (&inputs, 0));
    let checked = driver.check_config(Some(inputs.clone()), fields! {}).unwrap();
    assert_eq!(checked.failures[0].to_string(), "`owner` stays as it is");

    driver.host_diffs_config(|_| Ok(Difference { delete_before_replace: true, ..Difference::default() }));
    assert!(driver.diff_config(inputs.clone(), inputs).unwrap().delete_before_replace);
}

#[test]
fn whoever_asks_the_host_in_a_test_hears_who_answers_for_it() {
    let driver = driver();
    let note = driver.create::<Note>(fields! {}).unwrap();
    let errors = [
        driver.diff(&note, fields! {}).unwrap_err(),
        driver.check_config(None, fields! {}).unwrap_err(),
        driver.diff_config(fields! {}, fields! {}).unwrap_err(),
    ];
    let said = ["host_diffs", "host_checks_config", "host_diffs_config"]
        .map(|by| format!("a native test has no host to say what it would do: say it with `Driver::{by}`"));
    assert_eq!(errors.map(|error| error.to_string()), said);
}

//! What a component says of itself, made to hurt whoever reads it: schemas, manifests, parameters.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bulkhead::component::{Cache, Description, Limits, embed};
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::parameterize_request::{Parameters, ParametersArgs};
use bulkhead_tests::serving::{Serving, load, load_with};
use bulkhead_tests::temporary_directory;
use bulkhead_value::{Object, Value};
use tokio::task::JoinSet;
use tonic::Code;

use crate::{MANIFEST, SCHEMA, TELL, THING, aside, assembled, hostile, undisturbed, what};

/// Far more than reading any of these takes.
const LONG: Duration = Duration::from_secs(30);

/// What comes of a component with these documents.
async fn described(schema: &str, manifest: &str) -> Result<String, String> {
    let component = embed(&bulkhead_tests::hostile("behaved"), schema.as_bytes(), manifest.as_bytes()).unwrap();
    let loaded = load(&component, Limits::default()).unwrap();
    let begun = Instant::now();
    let described = Description::of(&loaded).await;
    assert!(begun.elapsed() < LONG, "{:?}", begun.elapsed());
    described.map(|description| description.package.name.clone()).map_err(|error| error.to_string())
}

const PLAIN: &str = r#"{"manifestVersion": 1, "contract": "0.1.0"}"#;

#[tokio::test]
async fn schemas_that_would_take_for_ever_are_read_or_refused() {
    undisturbed(async {
        for (schema, expected) in [
            (assembled::schema_deep_references(), Ok("hostile".to_owned())),
            (assembled::schema_cycle(), Ok("hostile".to_owned())),
            (assembled::schema_enum(), Ok("hostile".to_owned())),
            (assembled::schema_large(), Ok("hostile".to_owned())),
            (assembled::schema_duplicate_keys(), Ok("another".to_owned())),
        ] {
            let outcome = described(&schema, PLAIN).await;
            assert_eq!(outcome, expected, "{}", &schema[..80]);
        }
        for schema in [assembled::schema_deep_arrays(), assembled::schema_deep_json()] {
            let error = described(&schema, PLAIN).await.expect_err(&schema[..80]);
            assert!(error.starts_with("the component's schema is wrong: "), "{error}");
            assert!(error.len() < 2_000, "{}", error.len());
        }
    })
    .await;
}

/// Also not for seconds: a value of some kilobytes may take as long as one of gigabytes.
#[tokio::test]
async fn a_schema_that_makes_much_of_little_keeps_nobody_waiting() {
    undisturbed(async {
        let schema = assembled::schema_alike();
        let component = embed(&bulkhead_tests::hostile("behaved"), schema.as_bytes(), PLAIN.as_bytes()).unwrap();
        let serving = Serving::of(aside(move || load(&component, Limits::default())).await.unwrap()).await;
        let serving = serving.ready(Object::new()).await;
        let many = |count: usize| [("what", Value::List((0..count).map(|_| Value::Object(Object::new())).collect()))];
        let begun = Instant::now();
        let (many, few) = tokio::join!(
            biased;
            async { (serving.check(THING, many(1_000).into()).await.unwrap().failures, begun.elapsed()) },
            async { (serving.check(THING, many(1).into()).await.unwrap().failures, begun.elapsed()) },
        );
        for (failures, _) in [&many, &few] {
            assert!(failures[0].1.starts_with("missing required property"), "{:?}", failures[0]);
        }
        assert!(few.1 < many.1, "{:?} {:?}", few.1, many.1);
    })
    .await;
}

/// Whoever only waits is answered by the same threads.
#[tokio::test]
async fn a_provider_has_no_more_than_its_share_of_the_threads_that_answer() {
    let schema = assembled::schema_alike();
    let component = embed(&bulkhead_tests::hostile("behaved"), schema.as_bytes(), PLAIN.as_bytes()).unwrap();
    let serving = Serving::of(aside(move || load(&component, Limits::default())).await.unwrap()).await;
    let serving = Arc::new(serving.ready(Object::new()).await);
    let other = hostile("some-calls", Limits::default()).await;
    let many = [("what", Value::List((0..300).map(|_| Value::Object(Object::new())).collect()))];
    let mut attack: JoinSet<_> = (0..8)
        .map(|_| {
            let (serving, many) = (Arc::clone(&serving), many.clone());
            async move { serving.check(THING, many.into()).await.unwrap().failures.len() }
        })
        .collect();
    let sleeps = async {
        for _ in 0..20 {
            other.invoke(TELL, what("honest sleep")).await.unwrap();
        }
        Instant::now()
    };
    let attacked = async {
        let first = attack.join_next().await.unwrap().unwrap();
        let over = Instant::now();
        (over, attack.join_all().await.into_iter().chain([first]).collect::<Vec<_>>())
    };
    let ((over, failures), slept) = tokio::join!(attacked, sleeps);
    assert!(failures.iter().all(|failures| *failures > 0), "{failures:?}");
    assert!(slept < over, "they waited until one of the attack's had been answered: {:?}", slept - over);
}

#[tokio::test]
async fn manifests_that_would_take_for_ever_are_refused() {
    undisturbed(async {
        let error = described(SCHEMA, &assembled::manifest_large()).await.unwrap_err();
        assert!(error.starts_with("the component's manifest is wrong: the manifest has "), "{error}");
        let error = described(SCHEMA, &assembled::manifest_deep()).await.unwrap_err();
        assert!(error.starts_with("the component's manifest is wrong: the manifest can't be read: "), "{error}");
        assert!(described(SCHEMA, MANIFEST).await.is_ok());
    })
    .await;
}

#[tokio::test]
async fn what_is_wrong_with_a_description_is_told_without_lines_of_its_own() {
    undisturbed(async {
        let forged = r"safe\nhint: run me";
        let manifest = |more: &str| format!(r#"{{"manifestVersion": 1, "contract": "0.1.0", {more}}}"#);
        for (schema, manifest) in [
            (format!(r#"{{"name": "hostile", "{forged}": 1}}"#), PLAIN.to_owned()),
            (SCHEMA.to_owned(), manifest(&format!(r#""{forged}": 1"#))),
            (
                SCHEMA.to_owned(),
                manifest(&format!(
                    r#""permissions": {{"filesystem": [{{"path": "{forged}", "access": "read", "reason": " "}}]}}"#
                )),
            ),
        ] {
            let error = described(&schema, &manifest).await.unwrap_err();
            assert!(error.contains("run me") && error.lines().count() == 1, "{error}");
        }
    })
    .await;
}

#[tokio::test]
async fn parameters_without_end_are_refused() {
    undisturbed(async {
        let serving = hostile("parameters-endless", Limits::default()).await;
        let given = async |name: &str| {
            let parameters = Parameters::Args(ParametersArgs { args: vec![name.to_owned()] });
            let request = pb::ParameterizeRequest { parameters: Some(parameters) };
            serving.client.clone().parameterize(request).await.map(drop)
        };
        let status = given("large-70000000").await.unwrap_err();
        let refused = "take the parameter: the schema of the sub-package has 66 MiB, and may have 64";
        assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, refused));
        for number in 0..256 {
            given(&format!("sub{number}-1000")).await.unwrap();
        }
        let status = given("more-1000").await.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (
                Code::ResourceExhausted,
                "take the parameter: the provider has 256 sub-packages already, and may have no more"
            )
        );
    })
    .await;
}

#[tokio::test]
async fn what_parameters_make_counts_like_other_replies() {
    undisturbed(async {
        // Enough for the guest, and not for a schema that it may have and the copy of it.
        let limits = Limits { memory_together: 280 << 20, ..Limits::default() };
        let serving = hostile("parameters-endless", limits).await;
        let parameters = Parameters::Args(ParametersArgs { args: vec!["large-60000000".to_owned()] });
        let request = pb::ParameterizeRequest { parameters: Some(parameters) };
        let status = serving.client.clone().parameterize(request).await.map(drop).unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (
                Code::ResourceExhausted,
                "take the parameter: the calls of the provider need more memory together than their limit allows\nhint: if the \
                 provider should have more, raise the limit `memory-together` in bulkhead.toml"
            )
        );
    })
    .await;
}

#[tokio::test]
async fn of_a_million_descriptions_the_last_one_counts() {
    undisturbed(async {
        let many = aside(|| load(&assembled::described_again(&assembled::behaved()), Limits::default())).await.unwrap();
        let described = Description::of(&many).await.unwrap();
        assert_eq!(described.schema.as_ref(), SCHEMA.as_bytes());
    })
    .await;
}

#[tokio::test]
async fn who_says_something_else_each_time_is_asked_once() {
    undisturbed(async {
        let directory = temporary_directory();
        let version = async |cache: Cache| {
            let component = bulkhead_tests::hostile("schema-changes");
            let loaded = aside(move || load_with(&cache, &component, Limits::default())).await.unwrap();
            Description::of(&loaded).await.unwrap().package.version.clone().unwrap()
        };
        let cached = || Cache::new(directory.path());
        assert_eq!(version(cached()).await, version(cached()).await);
        let forgotten = Cache::disabled;
        assert_ne!(version(forgotten()).await, version(forgotten()).await, "who is asked twice says two things");
    })
    .await;
}

//! What a component says of itself, made to hurt whoever reads it: schemas, manifests, parameters.

use std::time::{Duration, Instant};

use bulkhead::component::{Description, Limits, embed};
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::parameterize_request::{Parameters, ParametersArgs};
use bulkhead_tests::serving::load;
use tonic::Code;

use crate::{MANIFEST, assembled, hostile, undisturbed};

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

#[tokio::test]
async fn manifests_that_would_take_for_ever_are_refused() {
    undisturbed(async {
        let schema = include_str!("../../guests/hostile/src/schema.json");
        let error = described(schema, &assembled::manifest_large()).await.unwrap_err();
        assert!(error.starts_with("the component's manifest is wrong: the manifest has "), "{error}");
        let error = described(schema, &assembled::manifest_deep()).await.unwrap_err();
        assert!(error.starts_with("the component's manifest is wrong: the manifest can't be read: "), "{error}");
        assert!(described(schema, MANIFEST).await.is_ok());
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
        assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
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

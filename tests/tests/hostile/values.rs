//! Values that no engine can have, or takes for something else.

use bulkhead::component::Limits;
use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::init_failed;
use bulkhead_value::{Asset, AssetSource, Reference, ReferenceId, Value};
use tonic::Code;

use crate::engines::GROUP;
use crate::{BUG, OWN, TELL, THING, hostile, object, on_record, undisturbed, what};

/// An object with the mark of another kind would be a file to an engine, or a secret that isn't one any more.
#[tokio::test]
async fn what_engines_tell_kinds_of_values_by_comes_from_no_provider() {
    undisturbed(async {
        let serving = hostile("values-forged", Limits::default()).await;
        for forged in ["asset", "secret", "mark", "unknown"] {
            for told in [forged.to_owned(), format!("partial {forged}"), format!("announced {forged}")] {
                let left = init_failed(&serving.create(THING, what(&told)).await.expect_err(&told));
                assert_eq!(left.id, "made-1", "{told}");
                assert!(
                    !left.state.contains_key("any") && left.state["text"] == Value::from("told"),
                    "{told}: {:?}",
                    left.state
                );
                let sent = left
                    .reasons
                    .iter()
                    .any(|reason| reason.contains("the provider's result can't be sent: encode property `any"));
                assert!(sent, "{told}: {:?}", left.reasons);
            }
            let updated = serving.update(THING, on_record(), what("x"), what(forged)).await;
            assert!(!init_failed(&updated.unwrap_err()).state.contains_key("any"), "{forged}");
            let state = object([("text", "recorded"), ("what", forged)]);
            let monitor = Monitor::start().await;
            let failed = [
                ("read the resource", serving.read(THING, "existing-1", state, what(forged)).await.map(drop)),
                ("check the inputs", serving.check(OWN, what(forged)).await.map(drop)),
                ("preview the creation", serving.preview(OWN, what(forged)).await.map(drop)),
                ("call the function", serving.invoke(TELL, what(forged)).await.map(drop)),
            ];
            for (doing, failed) in failed {
                let status = failed.unwrap_err();
                let said = status.message();
                assert!(said.starts_with(&format!("{doing}: ")) && said.contains(BUG), "{forged}: {status:?}");
                assert_eq!(status.code(), Code::Aborted, "{forged}: {status:?}");
            }
            let status = serving.construct(construction(&monitor, GROUP, what(forged))).await.unwrap_err();
            assert_eq!(status.code(), Code::Aborted, "{forged}: {status:?}");
            assert!(monitor.asked().names().is_empty(), "{forged}: the engine should hear of nothing");
        }
    })
    .await;
}

#[tokio::test]
async fn values_at_the_limits_of_what_there_is_arrive_as_they_are() {
    undisturbed(async {
        let serving = hostile("values-forged", Limits::default()).await;
        let list = |values: Vec<Value>| Value::List(values.into());
        let reference = |urn: &str, id: Option<&str>| {
            let id = id.map(|id| ReferenceId::Known(id.to_owned()));
            Value::from(Reference { urn: urn.to_owned(), id, package_version: "\u{1b}[2J".to_owned() })
        };
        let hashed = |hash: &str, source| Value::from(Asset { hash: Some(hash.to_owned()), source });
        let odd_urn = "urn:pulumi:dev::project::hostile:index:Thing::a\nb\u{1b}[2J";
        for (odd, expected) in [
            ("nan", f64::NAN.into()),
            ("infinite", list(vec![f64::NEG_INFINITY.into()])),
            ("tiny", list(vec![(-0.0).into(), 5e-324.into()])),
            ("secrets", Value::from("deep").secret()),
            ("keys", object([("\0", Value::Null), ("", Value::Null), ("a\0b\u{1b}[2J", Value::Null)]).into()),
            ("no urn", reference("", Some("x"))),
            ("short urn", reference("urn:pulumi:", None)),
            ("odd urn", reference(odd_urn, Some("\0"))),
            ("no hash", hashed("zz\n", AssetSource::Text("x".to_owned()))),
            ("elided", hashed("zz", AssetSource::Elided)),
        ] {
            let created = serving.create(THING, what(odd)).await.expect(odd).state;
            let told = serving.invoke(TELL, what(odd)).await.expect(odd).value;
            for any in [&created["any"], &told["any"]] {
                // As they are printed, numbers that are none are themselves, and so are both zeros.
                assert_eq!(format!("{any:?}"), format!("{expected:?}"), "{odd}");
            }
            serving.update(THING, created, what("x"), what(odd)).await.expect(odd);
        }
        let cases = serving.create(THING, what("cases")).await.unwrap().state;
        assert_eq!(cases["any"].as_object().unwrap().len(), 1 << 16, "of two cases of a letter, both");
    })
    .await;
}

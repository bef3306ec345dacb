//! Guests that compute for ever, wherever they can: none outlives its limit, and none delays anybody.

use bulkhead::component::{Description, Limits, embed};
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation, load};
use bulkhead_value::Object;
use tonic::Code;

use crate::calls::{ALL, Call};
use crate::{COMPUTED, LATE, MADE, TELL, THING, assembled, hostile, seen, short, undisturbed, unready, well, what};

#[tokio::test]
async fn an_endless_loop_in_any_call_ends_with_its_computing_time() {
    undisturbed(async {
        let serving = unready("loop", short()).await;
        serving.handshake(<_>::default()).await;
        let status = serving.configure(Object::new()).await.unwrap_err();
        assert_eq!(seen(&status), (Code::ResourceExhausted, format!("configure the provider: {COMPUTED}").as_str()));
        let serving = hostile("loop", short()).await;
        for (doing, call) in ALL {
            let status = call.make(&serving).await.expect_err(doing);
            assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{doing}: {COMPUTED}").as_str()), "{call:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_endless_loop_ends_at_the_deadline_that_the_engine_names() {
    undisturbed(async {
        let serving = hostile("loop", Limits::default()).await;
        let request = pb::CreateRequest { timeout: 0.3, ..creation(THING, what("x")) };
        let status = serving.create_as(request).await.unwrap_err();
        assert_eq!(seen(&status), (Code::DeadlineExceeded, format!("create the resource: {LATE}{MADE}").as_str()));
    })
    .await;
}

#[tokio::test]
async fn an_endless_loop_of_a_component_that_describes_itself_keeps_it_from_loading() {
    undisturbed(async {
        let loaded = load(&bulkhead_tests::hostile("loop-in-schema"), short()).unwrap();
        let error = Description::of(&loaded).await.unwrap_err();
        let told = format!("{error}\nhint: {}", error.hint().unwrap());
        assert_eq!(told, format!("the component failed to describe itself: {COMPUTED}"));
    })
    .await;
}

#[tokio::test]
async fn an_endless_loop_in_a_start_function_is_the_error_of_the_call_that_starts_it() {
    undisturbed(async {
        for start in [assembled::looping(), assembled::tail_calls()] {
            let looping = assembled::with_start(&embedded("behaved"), start);
            let serving = Serving::of(load(&looping, short()).unwrap()).await;
            serving.handshake(<_>::default()).await;
            let status = serving.configure(well()).await.unwrap_err();
            assert_eq!(
                seen(&status),
                (Code::ResourceExhausted, format!("configure the provider: {COMPUTED}").as_str())
            );
            // What the schema answers needs no instance.
            assert_eq!(serving.check_config(Object::new()).await.unwrap_err().code(), Code::ResourceExhausted);
        }
    })
    .await;
}

#[tokio::test]
async fn computing_in_small_portions_is_counted_too() {
    undisturbed(async {
        let serving = hostile("compute-between-waits", short()).await;
        for call in [Call::Invoke, Call::Create] {
            let status = call.make(&serving).await.unwrap_err();
            assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
        }
    })
    .await;
}

/// Toolchains put a function of the guest's own between it and its host, where it is interrupted. Nobody has to.
#[tokio::test]
async fn what_calls_its_host_again_and_again_is_interrupted_in_between() {
    undisturbed(async {
        // All of them take longer together.
        let soon = std::time::Duration::from_secs(20);
        let limits = Limits { wall: soon, ..short() };
        let loaded = load(&assembled::calls_in_a_row(300, 200_000_000), limits).unwrap();
        let serving = Serving::of(loaded).await.ready(Object::new()).await;
        let begun = std::time::Instant::now();
        let status = serving.invoke(TELL, Object::new()).await.unwrap_err();
        assert_eq!(seen(&status), (Code::ResourceExhausted, format!("call the function: {COMPUTED}").as_str()));
        assert!(begun.elapsed() < soon, "{:?}", begun.elapsed());
    })
    .await;
}

/// A guest with its description beside its code, so that nothing of it runs to be loaded.
fn embedded(name: &str) -> Vec<u8> {
    let (schema, manifest) = (crate::SCHEMA.as_bytes(), crate::MANIFEST.as_bytes());
    embed(&bulkhead_tests::hostile(name), schema, manifest).unwrap()
}

//! Guests that want all memory there is, in all the forms that it comes in.

use bulkhead::component::{Cache, Limits, embed};
use bulkhead_tests::composing::construction;
use bulkhead_tests::serving::{Serving, load, load_with};
use tokio::task::JoinSet;
use tonic::Code;

use crate::calls::Call;
use crate::engines::{GROUP, hanging};
use crate::{MANIFEST, SCHEMA, THING, aside, assembled, hostile, seen, served, undisturbed, well, what};

const MIB: usize = 1 << 20;

fn small() -> Limits {
    Limits { memory: 32 * MIB, ..Limits::default() }
}

const MEMORY: &str = "the provider needs more memory than its limit allows\n\
                      hint: it may have 32.0 MiB; if the provider should have more, raise the limit `memory` in bulkhead.toml";
const MEMORIES: &str = "the provider needs more linear memories than its limit allows\n\
                        hint: 16 are the most, whatever is set; please report it to the provider's author";
const MEMORIES_OF_ALL: &str = "the calls of all providers have more linear memories together than one process can\n\
                               hint: ask for less at once (`pulumi up --parallel`), or run providers in processes of their own";
const TOGETHER: &str = "the calls of the provider need more memory together than their limit allows\n\
                        hint: if the provider should have more, raise the limit `memory-together` in bulkhead.toml";
const INSTANCES: &str = "the provider needs more core instances than its limit allows\n\
                         hint: if the provider should have more, raise the limit `instances` in bulkhead.toml";
const HANDLES: &str = "the provider needs more handles than its limit allows\n\
                       hint: 32768 are the most, whatever is set; please report it to the provider's author";
const TABLES: &str = "the provider needs more table elements than its limit allows\n\
                      hint: if the provider should have more, raise the limit `table-elements` in bulkhead.toml";

#[tokio::test]
async fn memory_ends_at_its_limit_however_it_is_taken() {
    undisturbed(async {
        for guest in ["memory-growth", "memory-allocations"] {
            let serving = hostile(guest, small()).await;
            for (doing, call) in [("create the resource", Call::Create), ("call the function", Call::Invoke)] {
                let status = call.make(&serving).await.unwrap_err();
                assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{doing}: {MEMORY}").as_str()), "{guest}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn memory_that_is_kept_from_call_to_call_goes_with_its_instance() {
    undisturbed(async {
        let serving = hostile("memory-kept", Limits { retire_above: 8 * MIB, ..small() }).await;
        for _ in 0..100 {
            serving.create(THING, what("x")).await.expect("another instance takes over");
        }
    })
    .await;
}

/// What a component wants at its start, and what is said of it.
async fn refused(component: &[u8], limits: Limits) -> (Code, String) {
    let serving = Serving::of(load(component, limits).unwrap()).await;
    serving.handshake(<_>::default()).await;
    let status = serving.configure(crate::well()).await.unwrap_err();
    (status.code(), status.message().replace("configure the provider: ", ""))
}

#[tokio::test]
async fn memory_of_calls_at_once_counts_together() {
    undisturbed(async {
        let limits = Limits { memory_together: 60 * MIB, ..small() };
        let serving = std::sync::Arc::new(hostile("memory-held", limits).await);
        let mut calls: JoinSet<_> = (0..3)
            .map(|_| {
                let serving = std::sync::Arc::clone(&serving);
                async move { Call::Invoke.make(&serving).await.unwrap_err() }
            })
            .collect();
        let status = calls.join_next().await.unwrap().unwrap();
        assert_eq!(seen(&status), (Code::ResourceExhausted, format!("call the function: {TOGETHER}").as_str()));
        serving.cancel().await;
        for status in calls.join_all().await {
            assert_eq!(status.code(), Code::Cancelled, "there was enough for two: {status:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn memories_count_together() {
    undisturbed(async {
        let behaved = assembled::behaved();
        // Each fits by itself.
        let several = assembled::with_start(&behaved, assembled::memories(4, 160));
        assert_eq!(refused(&several, small()).await, (Code::ResourceExhausted, MEMORY.to_owned()));
        let growing = assembled::with_start(&behaved, assembled::growing(4, 160));
        assert_eq!(refused(&growing, small()).await.0, Code::ResourceExhausted);
        // Each takes addresses, of which a process has some for everybody.
        let small_ones = assembled::with_start(&behaved, assembled::memories(16, 0));
        assert_eq!(refused(&small_ones, Limits::default()).await, (Code::ResourceExhausted, MEMORIES.to_owned()));
    })
    .await;
}

#[tokio::test]
async fn memories_of_64_bits_end_where_others_do() {
    undisturbed(async {
        for pages in [0, 1 << 16, 1 << 32, 1 << 48] {
            let component = assembled::with_start(&assembled::behaved(), assembled::memory_of_64_bits(pages));
            assert_eq!(refused(&component, small()).await, (Code::ResourceExhausted, MEMORY.to_owned()), "{pages}");
        }
    })
    .await;
}

#[tokio::test]
async fn tables_count_together() {
    undisturbed(async {
        let behaved = assembled::behaved();
        // wasmtime itself refuses a table of more than ten million elements.
        for elements in [200_000, 9_000_000] {
            let large = assembled::with_start(&behaved, assembled::tables(1, elements));
            assert_eq!(refused(&large, small()).await, (Code::ResourceExhausted, TABLES.to_owned()));
        }
        let several = assembled::with_start(&behaved, assembled::tables(20, 9_000));
        assert_eq!(refused(&several, small()).await, (Code::ResourceExhausted, TABLES.to_owned()));
        for growing in [assembled::growing_table(), assembled::table_that_overflows()] {
            let growing = assembled::with_start(&behaved, growing);
            assert_eq!(refused(&growing, small()).await, (Code::ResourceExhausted, TABLES.to_owned()));
        }
    })
    .await;
}

#[tokio::test]
async fn instances_are_counted() {
    undisturbed(async {
        let many = assembled::with(&assembled::behaved(), &assembled::empty(), 900);
        assert_eq!(refused(&many, small()).await, (Code::ResourceExhausted, INSTANCES.to_owned()));
        let more = Limits { instances: 1_000, ..small() };
        let serving = Serving::of(load(&many, more).unwrap()).await.ready(crate::well()).await;
        serving.create(THING, what("x")).await.expect("an operator may allow them");
    })
    .await;
}

#[tokio::test]
async fn handles_of_its_own_resources_count_as_those_of_the_hosts() {
    undisturbed(async {
        let few = Serving::of(load(&assembled::own_handles(32_000), Limits::default()).unwrap()).await;
        few.ready(well()).await;
        let (code, message) = refused(&assembled::own_handles(33_000), Limits::default()).await;
        assert_eq!((code, message.as_str()), (Code::ResourceExhausted, HANDLES));
    })
    .await;
}

/// A provider that comes when others have what they could get.
async fn latecomer() {
    served(&hostile("behaved", Limits::default()).await).await;
}

#[tokio::test]
async fn linear_memories_are_left_to_others() {
    undisturbed(async {
        let in_vain = assembled::with_start(&assembled::behaved(), assembled::growing_in_vain(10_000));
        let idle = Serving::of(load(&in_vain, Limits::default()).unwrap()).await.ready(well()).await;
        latecomer().await;
        served(&idle).await;

        let each = embed(&bulkhead_tests::hostile("construct-cycle"), SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap();
        let each = assembled::with_start(&each, assembled::memories(14, 0));
        let serving =
            std::sync::Arc::new(Serving::of(load(&each, Limits::default()).unwrap()).await.ready(well()).await);
        let monitor = std::sync::Arc::new(hanging().await);
        let mut calls: JoinSet<_> =
            (0..800)
                .map(|_| {
                    let (serving, monitor) = (std::sync::Arc::clone(&serving), std::sync::Arc::clone(&monitor));
                    async move {
                        serving.construct(construction(&monitor, GROUP, what("itself"))).await.map(drop).unwrap_err()
                    }
                })
                .collect();
        let status = calls.join_next().await.unwrap().unwrap();
        assert_eq!(
            seen(&status),
            (Code::ResourceExhausted, format!("construct the component: {MEMORIES_OF_ALL}").as_str())
        );
        latecomer().await;
        serving.cancel().await;
        for status in calls.join_all().await {
            assert!(matches!(status.code(), Code::Cancelled | Code::ResourceExhausted), "{status:?}");
        }
    })
    .await;
}

/// Each of them takes the host's memory, and next to none of its own.
#[tokio::test]
async fn what_instances_are_put_together_from_counts_together() {
    undisturbed(async {
        let each = embed(&bulkhead_tests::hostile("construct-cycle"), SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap();
        let each = assembled::with_start(&each, assembled::globals(300_000));
        let limits = Limits { memory_together: 140 * MIB, ..Limits::default() };
        let cached = move || {
            let directory = bulkhead_tests::temporary_directory();
            let cache = Cache::new(directory.path());
            load_with(&cache, &each, limits.clone()).unwrap();
            load_with(&cache, &each, limits).unwrap()
        };
        // Nobody counts again what comes from the cache.
        let loaded = aside(cached).await;
        let serving = std::sync::Arc::new(Serving::of(loaded).await.ready(well()).await);
        let monitor = std::sync::Arc::new(hanging().await);
        let mut calls: JoinSet<_> =
            (0..30)
                .map(|_| {
                    let (serving, monitor) = (std::sync::Arc::clone(&serving), std::sync::Arc::clone(&monitor));
                    async move {
                        serving.construct(construction(&monitor, GROUP, what("itself"))).await.map(drop).unwrap_err()
                    }
                })
                .collect();
        // There is room for a dozen.
        for _ in 0..15 {
            let status = calls.join_next().await.unwrap().unwrap();
            let expected = format!("construct the component: {TOGETHER}");
            assert_eq!(seen(&status), (Code::ResourceExhausted, expected.as_str()));
        }
        serving.cancel().await;
        for status in calls.join_all().await {
            assert!(matches!(status.code(), Code::Cancelled | Code::ResourceExhausted), "{status:?}");
        }
    })
    .await;
}

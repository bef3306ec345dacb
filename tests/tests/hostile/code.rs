//! Components that hurt whoever compiles them.

use std::time::{Duration, Instant};

use bulkhead::component::{Cache, Compiler, Limits, LoadError};
use bulkhead_tests::serving::{load, load_with};

use crate::{aside, assembled, bulkhead, undisturbed};

/// Far more than any of these takes.
const LONG: Duration = Duration::from_secs(60);

fn refused(component: &[u8], limits: Limits) -> String {
    let begun = Instant::now();
    let error = load(component, limits).err().expect("such a component should be refused");
    assert!(!error.hint().is_empty());
    assert!(begun.elapsed() < LONG, "{:?}", begun.elapsed());
    error.to_string()
}

#[tokio::test]
async fn a_component_beyond_its_size_is_not_read_further() {
    undisturbed(aside(|| {
        let large = assembled::with_start(&assembled::behaved(), assembled::data(8 << 20));
        let error = refused(&large, Limits { component: 8_000_000, ..Limits::default() });
        assert!(error.starts_with("the component has 8.") && error.ends_with(" MiB, and may have 7.6 MiB"), "{error}");
    }))
    .await;
}

#[tokio::test]
async fn a_function_that_is_too_large_is_not_compiled() {
    undisturbed(aside(|| {
        let huge = assembled::with_start(&assembled::behaved(), assembled::functions(1, 300_000));
        let error = refused(&huge, Limits::default());
        let start = "the component isn't compiled: one of its functions has ";
        assert!(error.starts_with(start) && error.ends_with(" bytes, and 1048576 are the most"), "{error}");
    }))
    .await;
}

#[tokio::test]
async fn compiling_takes_no_longer_than_it_may() {
    undisturbed(aside(|| {
        let many = assembled::with_start(&assembled::behaved(), assembled::functions(20_000, 30));
        let limits = Limits { compile: Duration::from_millis(20), ..Limits::default() };
        assert_eq!(refused(&many, limits), "compiling the component took longer than 0.02 s");
    }))
    .await;
}

#[tokio::test]
async fn a_component_that_unfolds_without_end_is_not_compiled() {
    undisturbed(aside(|| {
        let error = refused(&assembled::nested(30), Limits::default());
        assert_eq!(error, "the component isn't compiled: it is made of more than 1000 instances");
        let error = refused(&assembled::passed(), Limits::default());
        assert_eq!(error, "the component isn't compiled: it passes components or modules to others inside of itself");
    }))
    .await;
}

/// Whoever reads a type calls itself for each that is spelt out in it. These are compiled in this very process.
#[tokio::test]
async fn types_within_types_without_end_are_not_read() {
    undisturbed(aside(|| {
        let error = refused(&assembled::types_deep(100_000), Limits::default());
        assert_eq!(error, "the component isn't compiled: types in it are spelt out more than 5000 deep");
        let error = refused(&assembled::types_deep(4_999), Limits::default());
        assert_eq!(error, "the component isn't a provider: it exports nothing");
    }))
    .await;
}

/// What an instance begins with is written at once, and nobody is asked meanwhile.
#[tokio::test]
async fn data_that_is_written_again_and_again_is_not_written() {
    undisturbed(aside(|| {
        let error = refused(&assembled::data_again(8 << 20, 150), Limits::default());
        let expected = "its instances begin with more than 1024 MiB of data together";
        assert_eq!(error, format!("the component isn't compiled: {expected}"));
    }))
    .await;
}

#[tokio::test]
async fn a_memory_for_several_threads_is_not_known() {
    undisturbed(aside(|| {
        let shared = assembled::with_start(&assembled::behaved(), assembled::memory_shared());
        let error = refused(&shared, Limits::default());
        assert!(error.starts_with("the component can't be compiled: "), "{error}");
    }))
    .await;
}

#[tokio::test]
async fn blocks_within_blocks_are_compiled_within_their_time_or_not() {
    undisturbed(aside(|| {
        let cache = Cache::disabled().compiling_with(Compiler::of(bulkhead().executable()));
        let deep = assembled::with_start(&assembled::behaved(), assembled::blocks_deep(120_000));
        let limits = Limits { compile: Duration::from_millis(500), ..Limits::default() };
        let begun = Instant::now();
        let outcome: Result<_, LoadError> = load_with(&cache, &deep, limits);
        // Of which most are those of a machine that does something else.
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        if let Err(error) = outcome {
            assert_eq!(error.to_string(), "compiling the component took longer than 0.5 s");
        }
    }))
    .await;
}

#[tokio::test]
async fn what_is_no_component_any_more_is_refused() {
    undisturbed(aside(|| {
        let whole = assembled::behaved();
        for at in (8..whole.len()).step_by(whole.len() / 40) {
            let mut damaged = whole.clone();
            damaged[at] = !damaged[at];
            // Some changes make no difference to what it is. None is the host's end.
            let _: Result<_, LoadError> = load(&damaged, Limits::default());
        }
        let mut long = whole.clone();
        long.extend([7, 0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert!(refused(&long, Limits::default()).starts_with("the file is damaged: "));
    }))
    .await;
}

#[tokio::test]
async fn what_is_handed_through_a_component_is_no_export_of_it() {
    undisturbed(aside(|| {
        let error = refused(&assembled::reexported(), Limits::default());
        let expected = "the component can't be compiled: component export `invoke` is a reexport of an imported function which is \
                        not implemented";
        assert_eq!(error, expected);
    }))
    .await;
}

/// Names within components have any letters, and others repeat them.
#[tokio::test]
async fn a_name_within_a_component_passes_for_no_word_of_the_hosts() {
    undisturbed(aside(|| {
        for (component, begins) in [
            (assembled::import_named(), "the component needs imports that this host doesn't offer: "),
            (assembled::module_named(), "the component can't be compiled: "),
        ] {
            let error = refused(&component, Limits::default());
            assert!(error.starts_with(begins) && error.contains("hint: run `bulkhead grant` as root"), "{error}");
            assert!(!error.contains(char::is_control) && error.len() < 2_000, "{} bytes: {error}", error.len());
        }
    }))
    .await;
}

//! Package schemas, and everything that is derived from them.

use bulkhead_schema::{
    CheckRequest, Comparison, Examination, Extent, Package, Sampler, check, diff, lint, preview_create, sample,
};

/// More types than this aren't gone through: a document can name thousands of a type.
const MOST: usize = 8;

/// Reads a schema. It is read whole or refused with problems, and what is read can be looked over, sampled, checked, compared and
/// previewed.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(examination) = Examination::of(bytes) else { return };
    for problem in examination.problems.iter().chain(&examination.notices) {
        assert!(problem.location.starts_with('#'), "{problem} should say where");
    }
    drop(lint(&examination.package, bytes));
    let package = match Package::parse(bytes) {
        Ok(package) => package,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let sampler = Sampler::new(&package, 0);
    for resource in package.resources.values().take(MOST) {
        let sampled = sampler.object(&resource.inputs, Extent::All);
        let request = CheckRequest { seed: Some(b"sample"), ..CheckRequest::of(&resource.inputs, &sampled.inputs) };
        let checked = check(&package, request);
        assert!(checked.failures.is_empty() || !sampled.gaps.is_empty(), "a sample passes its check, or says why not");
        drop(sample::wrong(&package, &resource.inputs, &sampled.inputs));
        drop(preview_create(&package, resource, &checked.inputs));
        let compared = diff(
            &package,
            &Comparison {
                resource,
                old_inputs: Some(&checked.inputs),
                old_state: &checked.inputs,
                new_inputs: &checked.inputs,
                ignore_changes: &[],
                generated: &checked.generated,
            },
        );
        assert!(compared.changes.is_empty(), "inputs don't differ from themselves");
    }
}

//! A resource's whole life: created, read, updated, compared, deleted, and gone.
//!
//! Whatever fails in between, what was created is deleted.

use bulkhead_schema::sample;
use bulkhead_value::{Object, equivalent};

use super::engine::Recorded;
use super::inputs::{Inputs, seed};
use super::run::Trial;
use super::subject::Subject;
use crate::conformance::finding::{Finding, Level, Stage};

const STAGE: Stage = Stage::Lifecycle;

/// Lives through one resource of a type.
pub(super) async fn attempt(trial: &mut Trial<'_>, subject: &Subject<'_>, inputs: &Inputs) {
    let promised = trial.engine.preview_create(&subject.urn, &inputs.checked).await;
    let created = match trial.engine.create(&subject.urn, &inputs.checked).await {
        Ok(created) => created,
        Err(mut refusal) if refusal.left.is_some() => {
            trial.tried.created += 1;
            // Something exists, so it was no mere refusal.
            trial.failed(STAGE, subject.token(), &refusal);
            if let Some(left) = refusal.left.take() {
                removed(trial, subject, &Recorded { inputs: inputs.checked.clone(), ..*left }).await;
            }
            return;
        }
        Err(refusal) => {
            let hint = "the inputs were generated: a real service may know more than the schema says";
            trial.refused(STAGE, subject.token(), &refusal, hint);
            return;
        }
    };
    trial.tried.created += 1;
    if let Ok(promised) = promised {
        kept(trial, subject, &promised, &created.state, "the preview of its creation");
    }
    unchanged(trial, subject, &created, &inputs.checked, "right after it was created").await;
    let refreshed = refreshed(trial, subject, created).await;
    let updated = updated(trial, subject, refreshed, inputs).await;
    removed(trial, subject, &updated).await;
}

/// What a preview promised must come true.
fn kept(trial: &mut Trial<'_>, subject: &Subject<'_>, promised: &Object, state: &Object, what: &str) {
    for (name, value) in promised.iter().filter(|(_, value)| !value.contains_unknown()) {
        let came = match state.get(name) {
            Some(came) => equivalent(came.plain(), value.plain()),
            None => value.plain().is_null(),
        };
        if !came && !name.starts_with("__") {
            let message = format!("{what} promised another value than there is");
            let finding = Finding::new(Level::Error, STAGE, subject.token(), message).at(name.clone());
            trial.findings.add(finding.hint(
                "say `notEchoed` of the input if the provider changes it; take back `outputDefault` or `stable` otherwise",
            ));
        }
    }
}

/// The same inputs are no change.
async fn unchanged(trial: &mut Trial<'_>, subject: &Subject<'_>, prior: &Recorded, inputs: &Object, when: &str) {
    match trial.engine.diff(&subject.urn, prior, inputs).await {
        Ok((changes, _)) => {
            for change in changes {
                let message = format!("it shows a change {when}");
                let finding = Finding::new(Level::Error, STAGE, subject.token(), message).at(change);
                trial.findings.add(finding.hint("return in the state what was given, or say `notEchoed` of the input"));
            }
        }
        Err(refusal) => trial.failed(STAGE, subject.token(), &refusal),
    }
}

/// A refresh shows no drift, as nobody has touched it. The resource as it was read.
async fn refreshed(trial: &mut Trial<'_>, subject: &Subject<'_>, created: Recorded) -> Recorded {
    let read = match trial.engine.read(&subject.urn, &created).await {
        Ok(Some(read)) => read,
        Ok(None) => {
            let message = "it isn't found right after it was created";
            trial.findings.add(Finding::new(Level::Error, STAGE, subject.token(), message));
            return created;
        }
        Err(refusal) => {
            trial.failed(STAGE, subject.token(), &refusal);
            return created;
        }
    };
    if read.id != created.id {
        let message = "it has another id when it is read than when it was created";
        trial.findings.add(Finding::new(Level::Error, STAGE, subject.token(), message));
    }
    unchanged(trial, subject, &read, &created.inputs, "when it is refreshed right after it was created").await;
    for (name, value) in &created.state {
        if !name.starts_with("__") && read.state.get(name).is_none_or(|read| !equivalent(read.plain(), value.plain())) {
            let message = "it has another value when it is read than when it was created";
            let finding = Finding::new(Level::Hint, STAGE, subject.token(), message).at(name.clone());
            trial.findings.add(finding.hint("every refresh shows this: is it part of the resource's state?"));
        }
    }
    // Recorded as an engine does: what it read, and the inputs that the program gave.
    Recorded { inputs: created.inputs, ..read }
}

/// It is updated: to what is given for that, or with one input changed that doesn't replace. The resource as it is afterwards.
async fn updated(trial: &mut Trial<'_>, subject: &Subject<'_>, prior: Recorded, inputs: &Inputs) -> Recorded {
    let seed = seed(trial);
    let given = trial.options.updates.get(subject.token());
    if !subject.resource.facts.methods.update {
        if given.is_some() {
            unsuited(trial, subject, "", "it can't be updated, and inputs are given for that");
        }
        return prior;
    }
    let generated = || {
        let ty = &subject.resource.inputs;
        let varied = sample::variations(subject.package, ty, &inputs.given, trial.options.seed);
        varied.into_iter().map(|(_, varied)| varied).collect()
    };
    let candidates: Vec<Object> = given.map_or_else(generated, |given| vec![given.clone()]);
    let is_given = given.is_some();
    for candidate in candidates {
        let news = match trial.engine.check(&subject.urn, Some(&prior.inputs), &candidate, &seed).await {
            Ok(checked) if checked.failures.is_empty() => checked.inputs,
            Ok(checked) => {
                for (property, reason) in checked.failures.iter().filter(|_| is_given) {
                    let message = format!("the check refuses the inputs that are given for an update: {reason}");
                    unsuited(trial, subject, property, &message);
                }
                continue;
            }
            Err(refusal) => {
                trial.failed(STAGE, subject.token(), &refusal);
                return prior;
            }
        };
        match trial.engine.diff(&subject.urn, &prior, &news).await {
            Ok((changes, replaces)) if !changes.is_empty() && !replaces => {}
            Ok((_, replaces)) => {
                if is_given {
                    let what = if replaces { "replace the resource" } else { "change nothing" };
                    unsuited(trial, subject, "", &format!("the inputs that are given for an update {what}"));
                }
                continue;
            }
            Err(refusal) => {
                trial.failed(STAGE, subject.token(), &refusal);
                return prior;
            }
        }
        let promised = trial.engine.update(&subject.urn, &prior, &news, true).await;
        let state = match trial.engine.update(&subject.urn, &prior, &news, false).await {
            Ok(state) => state,
            Err(refusal) => {
                let generated = "the new inputs were generated: give others in a file for `--updates`";
                trial.turned_down(STAGE, subject.token(), &refusal, if is_given { "" } else { generated });
                return refusal.left.map_or(prior, |left| Recorded { inputs: news, ..*left });
            }
        };
        match promised {
            Ok(promised) => kept(trial, subject, &promised, &state, "the preview of its update"),
            Err(refusal) => trial.failed(Stage::Preview, subject.token(), &refusal),
        }
        let updated = Recorded { state, inputs: news.clone(), ..prior };
        unchanged(trial, subject, &updated, &news, "right after it was updated").await;
        return updated;
    }
    prior
}

/// Tells that inputs which are given for an update bring none about.
fn unsuited(trial: &mut Trial<'_>, subject: &Subject<'_>, property: &str, message: &str) {
    let finding = Finding::new(Level::Skipped, STAGE, subject.token(), message);
    let finding = if property.is_empty() { finding } else { finding.at(property) };
    trial.findings.add(finding.hint("give others in the file for `--updates`"));
}

/// It is deleted, and gone.
async fn removed(trial: &mut Trial<'_>, subject: &Subject<'_>, prior: &Recorded) {
    let ready = if trial.is_interrupted() { trial.resumed().await } else { Ok(()) };
    let deleted = match ready {
        Ok(()) => trial.engine.delete(&subject.urn, prior).await,
        Err(refusal) => Err(refusal),
    };
    if let Err(refusal) = deleted {
        let message = format!("{}; what the trial has created is still there", refusal.message);
        let finding = Finding::new(Level::Error, STAGE, subject.token(), message);
        let more = refusal.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        trial.findings.add(finding.hint(format!("delete it by hand: its id is {:?}{more}", prior.id)));
        return;
    }
    let methods = subject.resource.facts.methods;
    if !(methods.read && methods.delete) {
        return;
    }
    match trial.engine.read(&subject.urn, prior).await {
        Ok(None) => {}
        Ok(Some(_)) => {
            let message = "it is still found after it was deleted";
            trial.findings.add(
                Finding::new(Level::Error, STAGE, subject.token(), message)
                    .hint("`read` returns nothing for what doesn't exist"),
            );
        }
        Err(refusal) => trial.failed(STAGE, subject.token(), &refusal),
    }
}

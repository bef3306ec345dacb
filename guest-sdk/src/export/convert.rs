//! Requests and results to and from the contract's. `wit_…` makes one of the contract's types.

use std::time::Duration;

use crate::bindings::wit::types as wit;
use crate::config::{CheckConfig, DiffConfig};
use crate::error::Result;
use crate::host::views::View;
use crate::resource::{
    Autonaming, AutonamingMode, Change, ChangeKind, Check, Checked, Context, Diff, Difference, Prior, RawPrior,
};
use crate::value::{decode_fields, encode_fields};

pub(crate) fn context(context: wit::Context) -> Context {
    Context {
        token: context.token,
        name: context.name,
        urn: context.urn,
        // What isn't a duration isn't worth failing for.
        timeout: context.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
    }
}

pub(crate) fn wit_context(context: &Context) -> wit::Context {
    wit::Context {
        token: context.token.clone(),
        name: context.name.clone(),
        urn: context.urn.clone(),
        timeout: context.timeout.map(|timeout| timeout.as_secs_f64()),
    }
}

pub(crate) fn prior(prior: wit::Prior) -> Result<RawPrior> {
    let inputs = prior.inputs.map(decode_fields).transpose()?;
    let views = prior.views.into_iter().map(view).collect::<Result<_>>()?;
    Ok(RawPrior { id: prior.id, state: decode_fields(prior.state)?, inputs, views })
}

pub(crate) fn wit_prior(prior: RawPrior) -> wit::Prior {
    wit::Prior {
        id: prior.id,
        state: encode_fields(prior.state),
        inputs: prior.inputs.map(encode_fields),
        // The host's own behaviour knows no views.
        views: Vec::new(),
    }
}

fn view(view: wit::View) -> Result<View> {
    Ok(View {
        token: view.token,
        name: view.name,
        parent: view.parent,
        inputs: decode_fields(view.inputs)?,
        state: decode_fields(view.state)?,
    })
}

pub(crate) fn check(request: wit::CheckRequest) -> Result<Check> {
    let autonaming = request.autonaming.map(|wish| Autonaming {
        mode: match wish.mode {
            wit::AutonamingMode::Propose => AutonamingMode::Propose,
            wit::AutonamingMode::Enforce => AutonamingMode::Enforce,
            wit::AutonamingMode::Disable => AutonamingMode::Disable,
        },
        proposed_name: wish.proposed_name,
    });
    Ok(Check {
        context: context(request.context),
        prior_inputs: request.prior_inputs.map(decode_fields).transpose()?,
        prior_state: request.prior_state.map(decode_fields).transpose()?,
        inputs: decode_fields(request.inputs)?,
        seed: request.seed,
        autonaming,
    })
}

pub(crate) fn wit_check(request: &Check) -> wit::CheckRequest {
    let autonaming = request.autonaming.as_ref().map(|wish| wit::Autonaming {
        mode: match wish.mode {
            AutonamingMode::Propose => wit::AutonamingMode::Propose,
            AutonamingMode::Enforce => wit::AutonamingMode::Enforce,
            AutonamingMode::Disable => wit::AutonamingMode::Disable,
        },
        proposed_name: wish.proposed_name.clone(),
    });
    wit::CheckRequest {
        context: wit_context(&request.context),
        prior_inputs: request.prior_inputs.clone().map(encode_fields),
        prior_state: request.prior_state.clone().map(encode_fields),
        inputs: encode_fields(request.inputs.clone()),
        seed: request.seed.clone(),
        autonaming,
    }
}

pub(crate) fn diff(request: wit::DiffRequest) -> Result<Diff<()>> {
    Ok(Diff {
        context: context(request.context),
        prior: Prior::new(prior(request.prior)?),
        inputs: decode_fields(request.inputs)?,
        ignore_changes: request.ignore_changes.into_iter().map(Into::into).collect(),
    })
}

pub(crate) fn check_config(request: wit::CheckConfigRequest) -> Result<CheckConfig> {
    Ok(CheckConfig {
        prior_inputs: request.prior_inputs.map(decode_fields).transpose()?,
        inputs: decode_fields(request.inputs)?,
    })
}

pub(crate) fn diff_config(request: wit::DiffConfigRequest) -> Result<DiffConfig> {
    Ok(DiffConfig {
        prior_inputs: decode_fields(request.prior_inputs)?,
        inputs: decode_fields(request.inputs)?,
        ignore_changes: request.ignore_changes.into_iter().map(Into::into).collect(),
    })
}

pub(crate) fn checked(checked: wit::Checked) -> Result<Checked> {
    let failures = checked.failures.into_iter().map(Into::into).collect();
    Ok(Checked { inputs: decode_fields(checked.inputs)?, failures })
}

pub(crate) fn wit_checked(checked: Checked) -> wit::Checked {
    let failures = checked.failures.into_iter().map(Into::into).collect();
    wit::Checked { inputs: encode_fields(checked.inputs), failures }
}

pub(crate) fn difference(difference: wit::Difference) -> Difference {
    let change = |change: wit::Change| Change {
        path: change.path.into(),
        kind: match change.kind {
            wit::ChangeKind::Added => ChangeKind::Added,
            wit::ChangeKind::Deleted => ChangeKind::Deleted,
            wit::ChangeKind::Updated => ChangeKind::Updated,
        },
        replaces: change.replaces,
        input_diff: change.input_diff,
    };
    Difference {
        changes: difference.changes.into_iter().map(change).collect(),
        delete_before_replace: difference.delete_before_replace,
        stable: difference.stable,
    }
}

pub(crate) fn wit_change(change: Change) -> wit::Change {
    wit::Change {
        path: change.path.into(),
        kind: match change.kind {
            ChangeKind::Added => wit::ChangeKind::Added,
            ChangeKind::Deleted => wit::ChangeKind::Deleted,
            ChangeKind::Updated => wit::ChangeKind::Updated,
        },
        replaces: change.replaces,
        input_diff: change.input_diff,
    }
}

pub(crate) fn wit_difference(difference: Difference) -> wit::Difference {
    wit::Difference {
        changes: difference.changes.into_iter().map(wit_change).collect(),
        delete_before_replace: difference.delete_before_replace,
        stable: difference.stable,
    }
}

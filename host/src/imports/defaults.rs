//! `defaults`: the host's own check, diff and preview, for overrides that only add to them, as one calls a super method.

use std::sync::Arc;

use bulkhead_schema::{CheckRequest as SchemaCheck, Comparison, Package, Resource};
use bulkhead_value::Object;

use crate::store::State;
use crate::wit::bindings::defaults::Host;
use crate::wit::bindings::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    UpdateRequest,
};
use crate::wit::bindings::values::Tree;
use crate::wit::{
    autonaming_of, checked_answer, difference_answer, object_from_tree, optional_object, paths_of, prior_of, refusal,
    tree_from_object,
};

type Answer<T> = wasmtime::Result<Result<T, Error>>;

impl Host for State {
    fn check(&mut self, request: CheckRequest) -> Answer<Checked> {
        Ok(self.check_inputs(request))
    }

    fn diff(&mut self, request: DiffRequest) -> Answer<Difference> {
        Ok(self.compare(request))
    }

    fn preview_create(&mut self, request: CreateRequest) -> Answer<Tree> {
        Ok(self.predict_create(request))
    }

    fn preview_update(&mut self, request: UpdateRequest) -> Answer<Tree> {
        Ok(self.predict_update(request))
    }

    fn check_config(&mut self, request: CheckConfigRequest) -> Answer<Checked> {
        Ok(self.check_configuration(request))
    }

    fn diff_config(&mut self, request: DiffConfigRequest) -> Answer<Difference> {
        Ok(self.compare_configurations(request))
    }
}

impl State {
    fn check_inputs(&self, request: CheckRequest) -> Result<Checked, Error> {
        let (package, limits) = (self.described()?, self.limits.trees());
        let resource = resource(&package, &request.context.token)?;
        let prior = optional_object(request.prior_inputs, &limits).map_err(refusal)?;
        let inputs = object_from_tree(request.inputs, &limits).map_err(refusal)?;
        let autonaming = request.autonaming.map(autonaming_of);
        Ok(checked_answer(bulkhead_schema::check(
            &package,
            SchemaCheck {
                prior: prior.as_ref(),
                prior_generated: &self.call.generated,
                seed: request.seed.as_deref(),
                name: request.context.name.as_deref(),
                autonaming: autonaming.as_ref(),
                environment: &|name| self.surroundings.variable(name),
                ..SchemaCheck::of(&resource.inputs, &inputs)
            },
        )))
    }

    fn compare(&self, request: DiffRequest) -> Result<Difference, Error> {
        let (package, limits) = (self.described()?, self.limits.trees());
        let resource = resource(&package, &request.context.token)?;
        let prior = prior_of(request.prior, &limits).map_err(refusal)?;
        let inputs = object_from_tree(request.inputs, &limits).map_err(refusal)?;
        Ok(difference_answer(bulkhead_schema::diff(
            &package,
            &Comparison {
                resource,
                old_inputs: prior.inputs.as_ref(),
                old_state: &prior.state,
                new_inputs: &inputs,
                ignore_changes: &paths_of(request.ignore_changes),
                generated: &self.call.generated,
            },
        )))
    }

    fn predict_create(&self, request: CreateRequest) -> Result<Tree, Error> {
        let package = self.described()?;
        let resource = resource(&package, &request.context.token)?;
        Ok(tree_from_object(&bulkhead_schema::preview_create(&package, resource, &self.object(request.inputs)?).state))
    }

    fn predict_update(&self, request: UpdateRequest) -> Result<Tree, Error> {
        let (package, limits) = (self.described()?, self.limits.trees());
        let resource = resource(&package, &request.context.token)?;
        let prior = prior_of(request.prior, &limits).map_err(refusal)?;
        let inputs = object_from_tree(request.inputs, &limits).map_err(refusal)?;
        let preview = bulkhead_schema::preview_update(&package, resource, &prior.state, &inputs);
        Ok(tree_from_object(&preview.state))
    }

    fn check_configuration(&self, request: CheckConfigRequest) -> Result<Checked, Error> {
        let (package, limits) = (self.described()?, self.limits.trees());
        let prior = optional_object(request.prior_inputs, &limits).map_err(refusal)?;
        let inputs = object_from_tree(request.inputs, &limits).map_err(refusal)?;
        Ok(checked_answer(bulkhead_schema::check(
            &package,
            SchemaCheck {
                prior: prior.as_ref(),
                environment: &|name| self.surroundings.variable(name),
                ..SchemaCheck::of(&package.configuration, &inputs)
            },
        )))
    }

    fn compare_configurations(&self, request: DiffConfigRequest) -> Result<Difference, Error> {
        let (package, limits) = (self.described()?, self.limits.trees());
        let prior = object_from_tree(request.prior_inputs, &limits).map_err(refusal)?;
        let inputs = object_from_tree(request.inputs, &limits).map_err(refusal)?;
        let ignore = paths_of(request.ignore_changes);
        Ok(difference_answer(bulkhead_schema::diff_configuration(&package, &prior, &inputs, &ignore)))
    }

    /// The package, which is unknown only while a component is asked to describe it.
    fn described(&self) -> Result<Arc<Package>, Error> {
        self.call
            .package
            .clone()
            .ok_or_else(|| Error::Unsupported("a provider that describes itself has no defaults yet".to_owned()))
    }

    pub(super) fn object(&self, tree: Tree) -> Result<Object, Error> {
        object_from_tree(tree, &self.limits.trees()).map_err(refusal)
    }
}

fn resource<'a>(package: &'a Package, token: &str) -> Result<&'a Resource, Error> {
    package.resource(token).ok_or_else(|| Error::Bug(format!("the package has no resource type `{token}`")))
}

//! The custom resource that components are made of here.

use crate::bulkhead::provider::types::{CreateRequest, Error, UpdateRequest};
use crate::bulkhead::provider::values::Tree;
use crate::exports::bulkhead::provider::resources::{Created, DeleteRequest, Guest, ReadRequest, Snapshot, Updated};
use crate::{Composer, tree};

impl Guest for Composer {
    fn create(request: CreateRequest) -> Result<Created, Error> {
        let name = request.context.name.unwrap_or_default();
        if name.contains("broken") {
            return Err(Error::Failed("the part is broken".to_owned()));
        }
        Ok(Created { id: format!("part-{name}"), state: state(&request.inputs, &name), refresh_before_update: false })
    }

    fn read(_: ReadRequest) -> Result<Option<Snapshot>, Error> {
        Ok(None)
    }

    fn update(request: UpdateRequest) -> Result<Updated, Error> {
        let name = request.context.name.unwrap_or_default();
        Ok(Updated { state: state(&request.inputs, &name), refresh_before_update: false })
    }

    fn delete(_: DeleteRequest) -> Result<(), Error> {
        Ok(())
    }
}

fn state(inputs: &Tree, name: &str) -> Tree {
    let given = ["size", "number"].into_iter().filter_map(|of| Some((of, tree::member(inputs, of)?)));
    tree::object(given.chain([("made", tree::text(format!("made of {name}")))]))
}

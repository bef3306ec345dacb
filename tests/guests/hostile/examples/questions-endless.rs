//! Asks its engine without end for what costs the guest nothing: shows it no views at all while its resource is deleted, has its own package described while it is created.

use hostile::exports::resources::{Created, DeleteRequest};
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, packages, views};

struct Endless;

impl Attack for Endless {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let own = packages::PackageReference { name: "hostile".to_owned(), version: None };
        loop {
            packages::get_schema(&own)?;
        }
    }

    fn delete(&self, _: DeleteRequest) -> Result<(), Error> {
        loop {
            views::publish(&[])?;
        }
    }
}

attack!(Endless);

//! Asks its engine without end for what costs the guest nothing, as the input `what` says: shows it no views at all, or has its own package described.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, field, packages, views};

struct Endless;

impl Attack for Endless {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let own = packages::PackageReference { name: "hostile".to_owned(), version: None };
        let shows = field(&request.inputs, "what").is_some_and(|what| what == "views");
        loop {
            if shows {
                views::publish(&[])?;
            } else {
                packages::get_schema(&own)?;
            }
        }
    }
}

attack!(Endless);

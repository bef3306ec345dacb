//! Says that it registered what somebody else did.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, object, text};

struct Forged;

impl Attack for Forged {
    fn construct(&self, _: ConstructRequest) -> Result<Constructed, Error> {
        let urn = "urn:pulumi:dev::project::a:b:C::victim".to_owned();
        Ok(Constructed { urn, state: object(&["text"], vec![text("forged")]), state_dependencies: Vec::new() })
    }
}

attack!(Forged);

//! GetSchema: the package schema's text, before any configuration.

use bulkhead_proto::provider::{GetSchemaRequest, GetSchemaResponse};
use tonic::Status;

use super::conversation::Offer;

pub(super) fn get_schema(offer: &Offer, request: &GetSchemaRequest) -> Result<GetSchemaResponse, Status> {
    if request.version != 0 {
        return Err(Status::invalid_argument(format!(
            "get the schema: schema format {} isn't known, only 0 is",
            request.version
        )));
    }
    if !request.subpackage_name.is_empty() {
        let name = &request.subpackage_name;
        return Err(Status::invalid_argument(format!("get the schema: there is no sub-package `{name}`")));
    }
    let schema = String::from_utf8_lossy(&offer.schema).into_owned();
    Ok(GetSchemaResponse { schema })
}

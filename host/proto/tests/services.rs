//! What a peer sees of the generated services, over a real connection.

#![expect(clippy::unwrap_used, reason = "a test whose premises don't hold has failed")]

use bulkhead_proto::provider::{
    CheckRequest, CheckResponse, ErrorResourceInitFailed, GetMappingRequest, ListRequest, ResourceProvider,
    ResourceProviderClient, ResourceProviderServer,
};
use bulkhead_proto::raw::Struct;
use bulkhead_proto::status::Any;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request, Response, Status};

const MEBIBYTE: usize = 1024 * 1024;

/// Answers Check with its inputs, and has nothing else.
struct Echo;

#[tonic::async_trait]
impl ResourceProvider for Echo {
    async fn check(&self, request: Request<CheckRequest>) -> Result<Response<CheckResponse>, Status> {
        Ok(Response::new(CheckResponse { inputs: request.into_inner().news, failures: Vec::new() }))
    }
}

async fn connect(limit: usize) -> ResourceProviderClient<Channel> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = ResourceProviderServer::new(Echo).max_decoding_message_size(limit);
    tokio::spawn(Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener)));
    ResourceProviderClient::connect(format!("http://{address}")).await.unwrap().max_decoding_message_size(limit)
}

#[tokio::test]
async fn methods_that_a_server_lacks_are_unimplemented() {
    let mut provider = connect(MEBIBYTE).await;
    let unary = provider.get_mapping(GetMappingRequest::default()).await.unwrap_err();
    let streaming = provider.list(ListRequest::default()).await.unwrap_err();
    assert_eq!([unary.code(), streaming.code()], [Code::Unimplemented; 2]);
}

#[tokio::test]
async fn properties_beyond_tonics_default_limit_pass_once_it_is_raised() {
    let text = prost_types::Value { kind: Some(prost_types::value::Kind::StringValue("x".repeat(6 * MEBIBYTE))) };
    let large = prost_types::Struct { fields: [("text".to_owned(), text)].into() };
    let news = Some(Struct::from_bytes(prost::Message::encode_to_vec(&large)));
    let request = CheckRequest { news: news.clone(), ..CheckRequest::default() };

    let answer = connect(400 * MEBIBYTE).await.check(request.clone()).await.unwrap().into_inner();
    assert!(answer.inputs == news, "the answer differs from what was sent");
    let refused = connect(4 * MEBIBYTE).await.check(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::OutOfRange, "{refused}");
}

#[test]
fn error_details_carry_the_type_url_that_engines_look_for() {
    let detail = Any::from_msg(&ErrorResourceInitFailed { id: "i-1".to_owned(), ..Default::default() }).unwrap();
    assert_eq!(detail.type_url, "type.googleapis.com/pulumirpc.ErrorResourceInitFailed");
    assert_eq!(detail.to_msg::<ErrorResourceInitFailed>().unwrap().id, "i-1");
}

//! Mappings to other ecosystems: announced and answered alike.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::Serving;
use tonic::{Code, Status};

use crate::{behaviours, guest};

const BUG: &str = "; this is a bug in the provider\nhint: please report it to the provider's author";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mappings_are_announced_and_answered_alike() {
    let serving = Serving::start(&guest("catalogue"), Limits::default()).await;
    let get = async |key: &str, provider: &str| {
        let request = pb::GetMappingRequest { key: key.to_owned(), provider: provider.to_owned() };
        let mapping = serving.client.clone().get_mapping(request).await?.into_inner();
        Ok::<_, Status>((mapping.provider, String::from_utf8_lossy(&mapping.data).into_owned()))
    };
    let names = async |key: &str| {
        let request = pb::GetMappingsRequest { key: key.to_owned() };
        serving.client.clone().get_mappings(request).await.map(|names| names.into_inner().providers)
    };
    let mapping = |name: &str| (name.to_owned(), format!("{{\"mapping\":\"{name}\"}}"));
    assert_eq!(names("terraform").await.unwrap(), ["library", "archive"]);
    assert_eq!(get("terraform", "").await.unwrap(), mapping("library"), "the primary one");
    for name in names("terraform").await.unwrap() {
        assert_eq!(get("terraform", &name).await.unwrap(), mapping(&name));
    }
    let none = (String::new(), String::new());
    assert_eq!(get("terraform", "other").await.unwrap(), none, "no mapping is no error");
    assert_eq!(get("secondary", "").await.unwrap(), none, "none of them need be primary");
    assert_eq!((get("arm", "").await.unwrap(), names("arm").await.unwrap()), (none, vec![]));

    let unlike = ", unlike what it announces";
    for (key, provider, message) in [
        ("unlisted", "library", format!("one for `library` of its mappings and returned one for `library`{unlike}")),
        ("unlisted", "", format!("the primary one of its mappings and returned one for `library`{unlike}")),
        ("missing", "library", format!("one for `library` of its mappings and returned none{unlike}")),
        ("another", "library", format!("one for `library` of its mappings and returned one for `archive`{unlike}")),
    ] {
        let status = get(key, provider).await.unwrap_err();
        let expected = format!("get the mapping: the provider was asked for {message}{BUG}");
        assert_eq!((status.code(), status.message()), (Code::Aborted, expected.as_str()));
    }
    for key in ["twice", "nameless"] {
        let status = names(key).await.unwrap_err();
        let expected =
            format!("get the mappings: the provider announced mappings for an empty name, or twice for one{BUG}");
        assert_eq!((status.code(), status.message()), (Code::Aborted, expected.as_str()));
    }
    let status = names("steering").await.unwrap_err();
    let expected =
        format!("get the mappings: the provider announced a mapping for a name with control characters{BUG}");
    assert_eq!((status.code(), status.message()), (Code::Aborted, expected.as_str()));
    assert_eq!(names("fail").await.unwrap_err().message(), "the index is lost");
    let serving = behaviours().await;
    let request = pb::GetMappingRequest { key: "terraform".to_owned(), ..<_>::default() };
    let status = serving.client.clone().get_mapping(request).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::Unimplemented, "get the mapping: the component has no mappings")
    );
    let request = pb::GetMappingsRequest { key: "terraform".to_owned() };
    assert_eq!(serving.client.clone().get_mappings(request).await.unwrap_err().code(), Code::Unimplemented);
}

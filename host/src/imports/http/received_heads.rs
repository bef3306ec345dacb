//! Heads of responses, which the host keeps for a guest: bounded together.
//!
//! Each is bounded by itself, and a guest may keep as many as it has handles, from a server that works with it. What each field
//! takes counts for as long as anybody has its value, in whatever fields that is.

use http::{HeaderMap, HeaderValue, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes};

use super::heads;
use crate::store::{Kept, Refused};

/// What a field takes besides its text, with what counts its value.
const EACH: usize = heads::EACH + 160;

/// A response whose fields count as kept, those after its body too. There may be no room for those: then none come.
///
/// # Errors
/// There is no room for those before it.
pub(super) fn counted<B: Body<Data = Bytes>>(
    response: Response<B>,
    kept: &Kept,
) -> Result<Response<impl Body<Data = Bytes, Error = B::Error> + use<B>>, Refused> {
    let (mut parts, body) = response.into_parts();
    parts.headers = fields(parts.headers, kept)?;
    let kept = kept.clone();
    let body = body.map_frame(move |frame| match frame.into_trailers() {
        Ok(trailers) => hyper::body::Frame::trailers(fields(trailers, &kept).unwrap_or_default()),
        Err(frame) => frame,
    });
    Ok(Response::from_parts(parts, body))
}

fn fields(mut fields: HeaderMap, kept: &Kept) -> Result<HeaderMap, Refused> {
    for (name, value) in &mut fields {
        // Copied, since a part of what was read keeps all of that.
        let text = Bytes::copy_from_slice(value.as_bytes());
        let text = kept.bytes_beside(text, name.as_str().len() + EACH, "headers")?;
        if let Ok(counted) = HeaderValue::from_maybe_shared(text) {
            *value = counted;
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use http_body_util::{Empty, Full};

    use super::*;
    use crate::store::Room;

    fn response(bytes: usize) -> Response<Empty<Bytes>> {
        let value = "x".repeat(bytes);
        let response = Response::builder().header("first", &value).header("first", "other").header("second", "y");
        response.body(Empty::new()).unwrap()
    }

    #[test]
    fn heads_count_for_as_long_as_anybody_has_one_of_their_values() {
        let kept = Kept::default();
        let mut heads = Vec::new();
        let refused = loop {
            match counted(response(1 << 20), &kept) {
                Ok(response) => heads.push(response),
                Err(refused) => break refused,
            }
            assert!(heads.len() < 64, "64 of them have more than 64 MiB");
        };
        assert_eq!(refused, Refused(crate::store::Wanted::Kept("headers")));
        let all = heads.first().unwrap().headers();
        let values: Vec<_> = all.get_all("first").into_iter().map(HeaderValue::len).collect();
        assert_eq!((values, &all["second"]), (vec![1 << 20, 5], &HeaderValue::from_static("y")));

        let last = heads.pop().unwrap().headers()["first"].clone();
        assert!(counted(response(1 << 20), &kept).is_err(), "somebody has the value");
        drop(last);
        assert!(counted(response(1 << 20), &kept).is_ok());
    }

    #[test]
    fn a_field_counts_with_what_counts_its_value() {
        // Two allocations: of the text, and of what has that and its room.
        let counted = size_of::<Bytes>() + size_of::<Room>() + 48;
        assert!(heads::EACH + counted <= EACH, "{counted}");
    }

    #[tokio::test]
    async fn what_follows_a_body_counts_too_and_does_not_come_where_there_is_no_room() {
        let kept = Kept::default();
        let trailed = || {
            let trailers = HeaderMap::from_iter([(http::header::ETAG, HeaderValue::from_static("tag"))]);
            let body = Full::new(Bytes::from("body")).with_trailers(std::future::ready(Some(Ok(trailers))));
            counted(Response::new(body), &kept).unwrap().into_body().collect()
        };
        let came = trailed().await.unwrap();
        assert_eq!(came.trailers().unwrap()["etag"], "tag");
        assert!(kept.room(64 << 20, "bodies").is_err(), "somebody has it");
        drop(came);
        let _all = kept.room(64 << 20, "bodies").unwrap();
        let came = trailed().await.unwrap();
        assert!(came.trailers().is_none_or(HeaderMap::is_empty));
        assert_eq!(came.to_bytes(), "body");
    }
}

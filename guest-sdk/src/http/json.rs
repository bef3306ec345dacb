//! JSON bodies, with the feature `serde`.
//!
//! Errors name places, not values: those may be secret.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::{Request, Response, Unexpected};
use crate::error::{Error, Result};

impl Request {
    /// With a value as its body, as JSON.
    ///
    /// ```
    /// use bulkhead_sdk::http::{Client, Method, Request, Url};
    /// use bulkhead_sdk::{Inputs, Result, Secret};
    ///
    /// #[derive(Inputs, serde::Serialize)]
    /// #[serde(rename_all = "camelCase")]
    /// struct HookArgs {
    ///     target_url: String,
    ///     key: Secret<String>,
    /// }
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Hook {
    ///     id: u64,
    /// }
    ///
    /// /// The id of a new hook. Where the answer makes no sense, nobody knows whether there is one, and so says the error.
    /// fn create(client: &Client, url: Url, args: &HookArgs) -> Result<u64> {
    ///     let made: Hook = client.send(&Request::new(Method::Post, url).json_of(args)?)?.ok()?.json()?;
    ///     Ok(made.id)
    /// }
    /// # use bulkhead_sdk::{ErrorKind, http::Response};
    /// # let args = HookArgs { target_url: "u".into(), key: Secret::new("k".into()) };
    /// # let url = Url::parse("http://a.example")?;
    /// # let client = Client::over(|request: &Request| {
    /// #     assert_eq!(request.content(), br#"{"targetUrl":"u","key":"k"}"#);
    /// #     Ok(Response::new(201, r#"{"id":7,"url":"…"}"#))
    /// # });
    /// # assert_eq!(create(&client, url.clone(), &args)?, 7);
    /// # let client = Client::over(|_: &Request| Ok(Response::new(201, "<html>")));
    /// # assert!(matches!(create(&client, url, &args).unwrap_err().kind(), ErrorKind::OutcomeUnknown(_)));
    /// # Ok::<(), bulkhead_sdk::Error>(())
    /// ```
    pub fn json_of(self, value: &(impl Serialize + ?Sized)) -> Result<Self> {
        let document = serde_json::to_string(value);
        document
            .map(|document| self.json(document))
            .map_err(|error| Error::other(format!("the request can't be written as JSON: {error}")))
    }
}

impl Response {
    /// What the body says, as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Unexpected> {
        serde_json::from_slice(self.body()).map_err(|error| {
            let what = match error.classify() {
                Category::Data => "its JSON isn't what was expected",
                Category::Syntax | Category::Eof | Category::Io => "it isn't JSON",
            };
            self.unreadable(format!("{what} (line {}, column {})", error.line(), error.column()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cant_be_read_is_told_by_its_place_and_not_by_its_value() {
        let told = |body: &str| Response::new(200, body).json::<Vec<u8>>().unwrap_err().to_string();
        let cant = "the server's answer can't be read";
        assert_eq!(told("[1,\"hunter2\"]"), format!("{cant}: its JSON isn't what was expected (line 1, column 12)"));
        assert_eq!(told("<html>"), format!("{cant}: it isn't JSON (line 1, column 1)"));
        assert_eq!(Response::new(200, "[1]").json::<Vec<u8>>().unwrap(), [1]);
    }
}

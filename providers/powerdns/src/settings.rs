//! How to reach the server.

use bulkhead_sdk::{Config, Connection, Result, Secret};

use crate::api::Server;

/// How to reach the server.
#[derive(Config)]
pub struct Settings {
    /// Where the server's API is, such as `http://127.0.0.1:8081`. The network has to be granted for it.
    #[bulkhead(pattern = "^https?://[^/@\\s]+")]
    endpoint: String,
    /// The key of the API: what the server's `api-key` says.
    #[bulkhead(env = "PDNS_API_KEY")]
    api_key: Secret<String>,
    /// The id of the server in its API. Only proxies have others than `localhost`.
    #[bulkhead(default = "localhost", min_length = 1)]
    server_id: String,
    #[bulkhead(skip)]
    server: Connection<Server>,
}

impl Settings {
    /// The server's API.
    pub fn server(&self) -> Result<&Server> {
        self.server.get_or_connect(|| Ok(Server::new(&self.endpoint, &self.api_key, &self.server_id)?))
    }
}

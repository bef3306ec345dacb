//! What a provider may do to its host, one behaviour at a time: each is asked for by name.

mod outside;
mod creating;
mod echo;
mod existing;
mod instance;
mod running;
mod settings;
mod talking;

use bulkhead_sdk::provider;

use settings::{Settings, configuration, password};
use creating::Creating;
use echo::Echo;
use existing::Existing;
use instance::Counter;
use running::{Running, run};
use outside::surroundings;
use talking::{Talking, answer, blob};

provider! {
    name: "behaviours",
    description: "What a provider may do to its host",
    license: "Apache-2.0",
    config: Settings,
    resources: [Creating, Existing, Running, Echo, Counter, Talking],
    functions: [configuration, password, surroundings, answer, blob, run],
}

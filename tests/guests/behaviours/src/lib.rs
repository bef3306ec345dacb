//! What a provider may do to its host, one behaviour at a time: each is asked for by name.

mod creating;
mod echo;
mod existing;
mod instance;
mod naming;
mod outside;
mod running;
mod settings;
mod talking;

use bulkhead_sdk::provider;

use creating::Creating;
use echo::Echo;
use existing::Existing;
use instance::Counter;
use naming::Named;
use outside::surroundings;
use running::{Running, run};
use settings::{Settings, configuration, password};
use talking::{Talking, answer, blob};

provider! {
    name: "behaviours",
    description: "What a provider may do to its host",
    license: "Apache-2.0",
    config: Settings,
    resources: [Creating, Existing, Running, Echo, Counter, Named, Talking],
    functions: [configuration, password, surroundings, answer, blob, run],
}

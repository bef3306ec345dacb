//! The `random` provider: names, keys and numbers that are drawn once and then kept, so that a stack gives the same each
//! time it is deployed. It takes the place of the native provider of the same name and version: tokens, properties, ids,
//! import forms, and seeded results to the last digit. It needs no permission.

pub mod bcrypt_hash;
pub mod characters;
pub mod draw;
pub mod encodings;
pub mod entropy;
pub mod go_rand;
pub mod import;
pub mod order;
pub mod pet;
pub mod plan;
pub mod range;
pub mod resources;
pub mod upgrade;
pub mod uuid;

#[cfg(test)]
mod tests;

use bulkhead_sdk::provider;
use resources::{
    RandomBytes, RandomId, RandomInteger, RandomPassword, RandomPet, RandomShuffle, RandomString, RandomUuid,
    RandomUuid4, RandomUuid7,
};

provider! {
    name: "random",
    display_name: "Random",
    description: "Random strings, passwords, names, numbers and orders that are drawn once and then kept.",
    license: "Apache-2.0",
    keywords: ["random", "password", "uuid", "category/utility"],
    module_format: "(.*)(?:/[^/]*)",
    language: {
        csharp: { namespaces: { random: "Random" }, respectSchemaVersion: true },
        go: { respectSchemaVersion: true },
        nodejs: { respectSchemaVersion: true },
        python: { respectSchemaVersion: true },
    },
    resources: [
        RandomBytes,
        RandomId,
        RandomInteger,
        RandomPassword,
        RandomPet,
        RandomShuffle,
        RandomString,
        RandomUuid,
        RandomUuid4,
        RandomUuid7,
    ],
    overrides: [check, diff, preview, upgrade],
}

//! The resources, one a file. Each is drawn when it is created and then kept: nothing exists outside of the state, so
//! to update, read or delete one touches nothing else, and every change that means something replaces.

mod random_bytes;
mod random_id;
mod random_integer;
mod random_password;
mod random_pet;
mod random_shuffle;
mod random_string;
mod random_uuid;
mod random_uuid4;
mod random_uuid7;

mod checked;
mod coerced;
mod id;
mod keepers;
mod kept;
mod notes;
mod table;
mod text_inputs;

pub use random_bytes::RandomBytes;
pub use random_id::RandomId;
pub use random_integer::RandomInteger;
pub use random_password::RandomPassword;
pub use random_pet::RandomPet;
pub use random_shuffle::RandomShuffle;
pub use random_string::RandomString;
pub use random_uuid::RandomUuid;
pub use random_uuid4::RandomUuid4;
pub use random_uuid7::RandomUuid7;

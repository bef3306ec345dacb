//! Reads all of an archive that it was given, and all of it again, without end.

use hostile::bindings::bulkhead::provider::values::Node;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, assets, attack};

struct Bomb;

fn all(inputs: &hostile::Tree) -> Result<usize, assets::AssetError> {
    let mut bytes = 0_usize;
    for node in &inputs.nodes {
        let Node::Archive(archive) = node else { continue };
        let reader = assets::open_archive(archive)?;
        for name in reader.names()? {
            let blob = reader.open(&name)?;
            loop {
                let read = blob.read(bytes as f64, 1 << 20)?.len();
                if read == 0 {
                    break;
                }
                bytes += read;
            }
        }
    }
    Ok(bytes)
}

impl Attack for Bomb {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        loop {
            if let Err(error) = all(&request.inputs) {
                return Err(Error::Failed(format!("{error}")));
            }
        }
    }
}

attack!(Bomb);

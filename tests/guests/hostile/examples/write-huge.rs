//! Writes 100 MB at once into a file of the directory that it was granted, at the place that the argument `what` says: the host
//! keeps what a disk hasn't taken yet.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};

struct Huge;

impl Attack for Huge {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let place = what.parse().map_err(|_| Error::Failed("the place is no number".to_owned()))?;
        let directories = get_directories();
        let Some((directory, _)) = directories.first() else {
            return Err(Error::Failed("nothing is granted".to_owned()));
        };
        let failed = |error: wasip2::filesystem::types::ErrorCode| Error::Failed(error.name().to_owned());
        let file = directory.open_at(PathFlags::empty(), "one", OpenFlags::CREATE, DescriptorFlags::WRITE);
        let written = file.map_err(failed)?.write(&vec![b'x'; 100_000_000], place).map_err(failed)?;
        Ok(object(&["text"], vec![text(&format!("{written} bytes are written"))]))
    }
}

attack!(Huge);

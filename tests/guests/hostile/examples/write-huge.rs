//! Writes 100 MB at once into a file of the directory that it was granted, at the place that the argument `what` says: the host
//! keeps what a disk hasn't taken yet. Or `again`, for as long as it may.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};

struct Huge;

const HUGE: usize = 100_000_000;

/// What there is room for.
fn again(file: &Descriptor) -> String {
    let mut written = 0;
    loop {
        match file.write(&vec![b'x'; HUGE], 0) {
            Ok(more) => written += more,
            Err(ErrorCode::Quota) => return format!("{written} bytes, and then comes ErrorCode::Quota"),
            Err(error) => return format!("{written} bytes, and then comes {}", error.name()),
        }
    }
}

impl Attack for Huge {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directories = get_directories();
        let Some((directory, _)) = directories.first() else {
            return Err(Error::Failed("nothing is granted".to_owned()));
        };
        let failed = |error: ErrorCode| Error::Failed(error.name().to_owned());
        let file = directory.open_at(PathFlags::empty(), "one", OpenFlags::CREATE, DescriptorFlags::WRITE);
        let file = file.map_err(failed)?;
        if what == "again" {
            return Err(Error::Failed(again(&file)));
        }
        let place = what.parse().map_err(|_| Error::Failed("the place is no number".to_owned()))?;
        let written = file.write(&vec![b'x'; HUGE], place).map_err(failed)?;
        Ok(object(&["text"], vec![text(&format!("{written} bytes are written"))]))
    }
}

attack!(Huge);

//! Writes 100 MB at once into a file of the directory that it was granted, at the place that the argument `what` says: the host
//! keeps what a disk hasn't taken yet. Or `again`, for as long as it may.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, granted, object, text, told};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};

struct Huge;

/// What there is room for.
fn again(file: &Descriptor, huge: &[u8]) -> String {
    let mut written = 0;
    loop {
        match file.write(huge, 0) {
            Ok(more) => written += more,
            Err(error) => return format!("{written} bytes, and then comes {}", told(error)),
        }
    }
}

impl Attack for Huge {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directory = &granted()?;
        let failed = |error: ErrorCode| Error::Failed(error.name().to_owned());
        let file = directory.open_at(PathFlags::empty(), "one", OpenFlags::CREATE, DescriptorFlags::WRITE);
        let (file, huge) = (file.map_err(failed)?, vec![b'x'; 100_000_000]);
        if what == "again" {
            return Err(Error::Failed(again(&file, &huge)));
        }
        let place = what.parse().map_err(|_| Error::Failed("the place is no number".to_owned()))?;
        let written = file.write(&huge, place).map_err(failed)?;
        Ok(object(&["text"], vec![text(&format!("{written} bytes are written"))]))
    }
}

attack!(Huge);

//! Writes 100 MB at once into a file of the directory that it was granted, at the place that the argument `what` says: the host
//! keeps what a disk hasn't taken yet. Or `again`, for as long as it may; or a byte at the end, which it moves on by a block each time
//! (`appended`), or which it asks for anew (`reopened`).

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

/// How often there is room for a byte of its own block at the file's end.
fn appended(file: &Descriptor, anew: bool) -> String {
    let mut stream = None;
    for written in 0_u64.. {
        if anew || stream.is_none() {
            stream = match file.append_via_stream() {
                Ok(stream) => Some(stream),
                Err(error) => return format!("{written} bytes, and then comes {}", told(error)),
            };
        }
        if !anew && let Err(error) = file.set_size((written + 1) * 4_096) {
            return format!("{written} bytes, and then comes {}", told(error));
        }
        if let Some(Err(error)) = stream.as_ref().map(|stream| stream.blocking_write_and_flush(b"x")) {
            return format!("{written} bytes, and then comes {error:?}");
        }
    }
    "there is always room".to_owned()
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
        if let "appended" | "reopened" = &*what {
            return Err(Error::Failed(appended(&file, what == "reopened")));
        }
        let place = what.parse().map_err(|_| Error::Failed("the place is no number".to_owned()))?;
        let written = file.write(&huge, place).map_err(failed)?;
        Ok(object(&["text"], vec![text(&format!("{written} bytes are written"))]))
    }
}

attack!(Huge);

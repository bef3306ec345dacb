//! Lists the directory that it was granted again and again, or begins to read a file in it or to write it, as the argument `what` says,
//! and goes on with none of it: the host keeps the names, what was read ahead, and what is to be written.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, granted};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

struct Keep;

fn opened(directory: &Descriptor, access: DescriptorFlags) -> Descriptor {
    directory.open_at(PathFlags::empty(), "one", OpenFlags::empty(), access).expect("there is a file")
}

impl Attack for Keep {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directory = &granted()?;
        if what == "streams" {
            let (file, mut streams) = (opened(directory, DescriptorFlags::READ), Vec::new());
            for _ in 0..5_000 {
                let stream = file.read_via_stream(0).expect("a file can be read");
                stream.blocking_read(1).expect("there is something in it");
                streams.push(stream);
            }
        } else if what == "writes" {
            let (file, mut streams) = (opened(directory, DescriptorFlags::WRITE), Vec::new());
            for _ in 0..32_000 {
                let stream = file.write_via_stream(0).expect("a file can be written");
                stream.write(b"x").expect("a stream takes something at once");
                streams.push(stream);
            }
        } else {
            let mut listings = Vec::new();
            for _ in 0..5_000 {
                listings.push(directory.read_directory().expect("a directory can be listed"));
            }
        }
        Err(Error::Failed("there is room for all of them".to_owned()))
    }
}

attack!(Keep);

//! Writes and reads by many streams at once in the directory that it was granted, each of them without a wait for the others, and tells what
//! came of it: all is there, and in its place.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, granted, object, text};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};
use wasip2::io::poll::poll;
use wasip2::io::streams::{InputStream, StreamError};

/// As many as may be open, but for the file itself.
const STREAMS: usize = 200;
/// More than a stream reads ahead.
const EACH: usize = 10_000;

struct Many;

/// What the piece of one stream consists of.
fn piece(number: usize) -> Vec<u8> {
    vec![u8::try_from(number % 251).unwrap_or_default(); EACH]
}

fn place(number: usize) -> u64 {
    (number * EACH) as u64
}

/// Reads by all of them, whichever has something, until each has its piece.
fn read(file: &Descriptor) -> Result<Vec<Vec<u8>>, String> {
    let streams = (0..STREAMS).map(|number| file.read_via_stream(place(number)));
    let streams: Vec<InputStream> = streams.collect::<Result<_, _>>().map_err(|error| error.name().to_owned())?;
    let ready: Vec<_> = streams.iter().map(InputStream::subscribe).collect();
    let mut pieces = vec![Vec::new(); STREAMS];
    loop {
        let missing: Vec<usize> = (0..STREAMS).filter(|number| pieces[*number].len() < EACH).collect();
        if missing.is_empty() {
            return Ok(pieces);
        }
        let waited: Vec<_> = missing.iter().map(|number| &ready[*number]).collect();
        for which in poll(&waited) {
            let number = missing[which as usize];
            let rest = (EACH - pieces[number].len()) as u64;
            let read = streams[number].read(rest).map_err(|error| format!("{error:?}"))?;
            pieces[number].extend(read);
        }
    }
}

fn tried(directory: &Descriptor) -> Result<String, String> {
    let open = |how, access| {
        let file = directory.open_at(PathFlags::empty(), "one", how, access);
        file.map_err(|error| error.name().to_owned())
    };
    let file = open(OpenFlags::CREATE, DescriptorFlags::READ | DescriptorFlags::WRITE)?;
    let read_only = open(OpenFlags::empty(), DescriptorFlags::READ)?;
    let streams = (0..STREAMS).map(|number| file.write_via_stream(place(number)));
    let streams: Vec<_> = streams.collect::<Result<_, _>>().map_err(|error| error.name().to_owned())?;
    for (number, stream) in streams.iter().enumerate() {
        stream.write(&piece(number)).map_err(|error| format!("{error:?}"))?;
    }
    let busy = streams.iter().filter(|stream| matches!(stream.check_write(), Ok(0))).count();
    // Whatever isn't written yet is before a stream is gone.
    drop(streams);
    let pieces = read(&read_only)?;
    let right = pieces.iter().enumerate().filter(|(number, read)| **read == piece(*number)).count();
    let after = read_only.read_via_stream(place(STREAMS)).map_err(|error| error.name().to_owned())?;
    let ends = [after.blocking_read(1), after.read(1)].iter().all(|read| matches!(read, Err(StreamError::Closed)));
    let unwritable = read_only.write_via_stream(0).map_err(|error| error.name().to_owned())?;
    let refused = [unwritable.blocking_write_and_flush(b"x"), unwritable.blocking_write_and_flush(b"x")];
    let refused: Vec<_> = refused
        .iter()
        .map(|written| match written {
            Ok(()) => "written",
            Err(StreamError::LastOperationFailed(_)) => "failed",
            Err(StreamError::Closed) => "closed",
        })
        .collect();
    Ok(format!("{} wait, {right} are right, ends: {ends}, {}", busy > 0, refused.join(" and ")))
}

impl Attack for Many {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let told = tried(&granted()?).unwrap_or_else(|error| error);
        Ok(object(&["text"], vec![text(&told)]))
    }
}

attack!(Many);

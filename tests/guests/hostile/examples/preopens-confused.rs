//! Takes the directory that it may only read for the one that it may write to: moves and links things from one to the other, changes
//! times and lengths, opens for writing by other flags, and by such as nobody knows.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, object, text};
use wasip2::clocks::wall_clock::Datetime;
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{Advice, Descriptor, DescriptorFlags, NewTimestamp, OpenFlags, PathFlags};

struct Confused;

/// What of it was done that changes what may only be read, or that its contents leave behind elsewhere.
fn done(read: &Descriptor, write: &Descriptor) -> Vec<String> {
    let mut done = Vec::new();
    let mut tried = |what: &str, outcome: bool| {
        if outcome {
            done.push(what.to_owned());
        }
    };
    let (none, follow) = (PathFlags::empty(), PathFlags::SYMLINK_FOLLOW);
    let time = || NewTimestamp::Timestamp(Datetime { seconds: 1, nanoseconds: 0 });
    tried("moved out", read.rename_at("file", write, "stolen").is_ok());
    tried("linked out", read.link_at(none, "file", write, "linked").is_ok());
    tried("linked out, following", read.link_at(follow, "file", write, "linked").is_ok());
    let _ = write.open_at(none, "mine", OpenFlags::CREATE, DescriptorFlags::WRITE);
    tried("moved in", write.rename_at("mine", read, "file").is_ok());
    tried("linked in", write.link_at(none, "mine", read, "planted").is_ok());
    tried("pointed in", read.symlink_at("../out/mine", "planted").is_ok());
    tried("made", read.create_directory_at("planted").is_ok());
    tried("removed", read.unlink_file_at("file").is_ok());
    tried("removed, a directory", read.remove_directory_at("inner").is_ok());
    tried("dated by path", read.set_times_at(none, "file", time(), time()).is_ok());
    tried("dated", read.set_times(time(), time()).is_ok());
    for (number, how) in [
        OpenFlags::empty(),
        OpenFlags::TRUNCATE,
        OpenFlags::CREATE,
        OpenFlags::CREATE | OpenFlags::EXCLUSIVE,
        OpenFlags::CREATE | OpenFlags::TRUNCATE,
        OpenFlags::DIRECTORY,
        OpenFlags::from_bits_retain(0xff),
    ]
    .into_iter()
    .enumerate()
    {
        for access in [
            DescriptorFlags::empty(),
            DescriptorFlags::READ,
            DescriptorFlags::WRITE,
            DescriptorFlags::MUTATE_DIRECTORY,
            DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
            DescriptorFlags::from_bits_retain(0xff),
        ] {
            for path in ["file", "new", "inner", "inner/deep", "."] {
                let Ok(opened) = read.open_at(follow, path, how, access) else { continue };
                let tried = &mut |what: &str, outcome| tried(&format!("{what} {path} {number} {access:?}"), outcome);
                tried("wrote", opened.write(b"x", 0).is_ok());
                tried("shortened", opened.set_size(0).is_ok());
                tried("dated", opened.set_times(time(), time()).is_ok());
                let streams = [opened.write_via_stream(0), opened.append_via_stream()];
                let written = streams.into_iter().flatten().any(|stream| stream.blocking_write_and_flush(b"x").is_ok());
                tried("streamed", written);
                tried("made within", opened.create_directory_at("planted").is_ok());
                tried("removed within", opened.unlink_file_at("deep").is_ok());
                tried("moved within", opened.rename_at("deep", write, "stolen").is_ok());
                tried("linked within", opened.link_at(none, "deep", write, "stolen").is_ok());
                tried("linked in", write.link_at(none, "mine", &opened, "planted").is_ok());
                let _ = (opened.sync(), opened.sync_data(), opened.advise(u64::MAX, 0, Advice::DontNeed));
            }
        }
    }
    // By way of a link in what may be written.
    let _ = write.symlink_at("../in/file", "way");
    let _ = write.symlink_at("../in", "whole");
    for path in ["way", "whole/file", "whole/../in/file"] {
        let opened = write.open_at(follow, path, OpenFlags::empty(), DescriptorFlags::WRITE);
        tried(path, opened.is_ok_and(|file| file.write(b"x", 0).is_ok()));
        tried("dated by a link", write.set_times_at(follow, path, time(), time()).is_ok());
        tried("moved by a link", write.rename_at(path, write, "stolen").is_ok() && path.starts_with("whole/"));
    }
    done
}

impl Attack for Confused {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let directories = get_directories();
        let named = |name: &str| directories.iter().find(|(_, known)| known == name).map(|(directory, _)| directory);
        let (Some(read), Some(write)) = (named("in"), named("out")) else {
            return Err(Error::Failed("two directories should be granted".to_owned()));
        };
        Ok(object(&["text"], vec![text(&done(read, write).join(", "))]))
    }
}

attack!(Confused);

//! Listings of directories, which are read at once and kept until the guest has seen all of them.
//!
//! The stock implementation keeps every listing whole, however many there are. Here each entry counts while its listing is
//! there, and reading stops where there is no room, so that nobody keeps more than that even for a moment.

use std::fs::File;
use std::sync::Arc;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use wasmtime::StoreContextMut;
use wasmtime::component::{LinkerInstance, Resource, ResourceType};
use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::bindings::filesystem::types::{DescriptorType, DirectoryEntry, DirectoryEntryStream, ErrorCode};

use super::TYPES;
use crate::assets::Progress;
use crate::audit::HostCall;
use crate::imports::handles;
use crate::store::{Kept, Refused, Room, Shortage, State};

pub(super) const READ: &str = "[method]descriptor.read-directory";
pub(super) const NEXT: &str = "[method]directory-entry-stream.read-directory-entry";
pub(super) const STREAM: &str = "directory-entry-stream";

/// Entries of a listing.
const MOST: usize = 100_000;
/// What an entry takes besides its name.
const EACH: usize = 64;
/// So many entries are read before it is said that reading goes on.
const SOME: usize = 256;
/// What is asked for at once: an account is shared with other threads.
const PORTION: usize = 64 << 10;

type Listed = (Result<Resource<DirectoryEntryStream>, ErrorCode>,);
type Next = (Result<Option<DirectoryEntry>, ErrorCode>,);

/// What is left of a listing.
struct Listing {
    entries: std::vec::IntoIter<Result<DirectoryEntry, ErrorCode>>,
    _room: Room,
}

/// Why a directory can't be listed.
enum Unlisted {
    Failed(ErrorCode),
    TooMany,
    NoRoom(Refused),
}

/// Replaces the stock listings.
///
/// # Errors
/// Two definitions of one function.
pub(super) fn add_to_linker(types: &mut LinkerInstance<'_, State>) -> wasmtime::Result<()> {
    types.func_wrap_async(READ, |store: StoreContextMut<'_, State>, (directory,): (Resource<Descriptor>,)| {
        Box::new(read(store, directory))
    })?;
    types.func_wrap(NEXT, |mut store: StoreContextMut<'_, State>, (stream,): (Resource<DirectoryEntryStream>,)| {
        let listing = store.data_mut().table.get_mut(&Resource::<Listing>::new_borrow(stream.rep()))?;
        Ok::<Next, wasmtime::Error>((listing.entries.next().transpose(),))
    })?;
    types.resource(STREAM, ResourceType::host::<DirectoryEntryStream>(), |mut store, place| {
        store.data_mut().table.delete(Resource::<Listing>::new_own(place))?;
        Ok(())
    })
}

async fn read(mut store: StoreContextMut<'_, State>, directory: Resource<Descriptor>) -> wasmtime::Result<Listed> {
    let _call = HostCall::begin(TYPES, READ);
    let state = store.data_mut();
    let Descriptor::Dir(directory) = state.table.get(&directory)? else {
        return Ok((Err(ErrorCode::NotDirectory),));
    };
    let (directory, kept) = (Arc::clone(&directory.dir), state.kept.clone());
    let going = state.call.files.going();
    let progress = Arc::clone(&going);
    let listing = async move { tokio::task::spawn_blocking(move || list(&directory, &kept, MOST, &*progress)).await };
    let listed = Arc::clone(&state.call.terms).in_long_turn(&going, listing).await?;
    match listed {
        Ok(listing) => Ok((Ok(handles::added(&mut state.table, listing)?),)),
        Err(Unlisted::Failed(code)) => Ok((Err(code),)),
        Err(Unlisted::TooMany) => {
            state.call.shortages.met(Shortage::Entries(MOST));
            Ok((Err(ErrorCode::Overflow),))
        }
        Err(Unlisted::NoRoom(refused)) => Err(refused.into()),
    }
}

/// Everything in a directory but itself and the one above.
fn list(directory: &File, kept: &Kept, most: usize, progress: &dyn Progress) -> Result<Listing, Unlisted> {
    // Opened again: this one reads from the beginning, and what was opened by path alone can't be read.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(directory, c".", flags, Mode::empty())?;
    let mut room = kept.room(PORTION, "listings")?;
    let (mut taken, mut entries) = (PORTION, Vec::new());
    let mut bytes = 0_usize;
    for entry in Dir::read_from(&opened)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        if entries.len() >= most {
            return Err(Unlisted::TooMany);
        }
        if entries.len().is_multiple_of(SOME) {
            progress.made();
        }
        bytes = bytes.saturating_add(name.count_bytes() + EACH);
        if bytes > taken {
            room.join(kept.room(PORTION, "listings")?);
            taken = taken.saturating_add(PORTION);
        }
        let kind = match entry.file_type() {
            FileType::Unknown => rustix::fs::statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |found| FileType::from_raw_mode(found.st_mode)),
            kind => kind,
        };
        let named = name.to_str().map_err(|_| ErrorCode::IllegalByteSequence);
        entries.push(named.map(|name| DirectoryEntry { type_: described(kind), name: name.to_owned() }));
    }
    Ok(Listing { entries: entries.into_iter(), _room: room })
}

fn described(kind: FileType) -> DescriptorType {
    match kind {
        FileType::RegularFile => DescriptorType::RegularFile,
        FileType::Directory => DescriptorType::Directory,
        FileType::Symlink => DescriptorType::SymbolicLink,
        FileType::Fifo => DescriptorType::Fifo,
        FileType::Socket => DescriptorType::Socket,
        FileType::CharacterDevice => DescriptorType::CharacterDevice,
        FileType::BlockDevice => DescriptorType::BlockDevice,
        FileType::Unknown => DescriptorType::Unknown,
    }
}

impl From<Refused> for Unlisted {
    fn from(refused: Refused) -> Self {
        Self::NoRoom(refused)
    }
}

impl From<rustix::io::Errno> for Unlisted {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Failed(ErrorCode::from(std::io::Error::from(error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody listens.
    #[derive(Debug)]
    struct Silent;

    impl Progress for Silent {
        fn made(&self) {}
        fn waits(&self) {}
        fn resumes(&self, _: &tokio_util::sync::CancellationToken) {}
    }

    #[test]
    fn a_listing_has_what_is_there_as_far_as_there_is_room() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("below")).unwrap();
        std::fs::write(place.path().join("file"), "x").unwrap();
        std::os::unix::fs::symlink("nowhere", place.path().join("link")).unwrap();
        let (directory, kept) = (File::open(place.path()).unwrap(), Kept::default());
        let Ok(Listing { entries, _room: room }) = list(&directory, &kept, 3, &Silent) else {
            panic!("there are three")
        };
        let mut seen: Vec<_> = entries.map(|entry| entry.map(|entry| (entry.name, entry.type_)).unwrap()).collect();
        seen.sort_by(|(one, _), (other, _)| one.cmp(other));
        let expected = [
            ("below", DescriptorType::Directory),
            ("file", DescriptorType::RegularFile),
            ("link", DescriptorType::SymbolicLink),
        ];
        assert_eq!(seen, expected.map(|(name, kind)| (name.to_owned(), kind)));
        drop(room);
        assert!(matches!(list(&directory, &kept, 2, &Silent), Err(Unlisted::TooMany)));
        let _all = kept.room(64 << 20, "listings").unwrap();
        assert!(matches!(list(&directory, &kept, 3, &Silent), Err(Unlisted::NoRoom(_))));
    }

    #[test]
    fn each_entry_of_a_listing_counts_with_its_name() {
        const ALL: usize = 64 << 20;
        let place = tempfile::tempdir().unwrap();
        for number in 0..1_000 {
            std::fs::write(place.path().join(format!("{number:0200}")), "").unwrap();
        }
        let (directory, kept) = (File::open(place.path()).unwrap(), Kept::default());
        let Ok(listing) = list(&directory, &kept, 1_000, &Silent) else { panic!("there is room") };
        // 264 bytes each.
        assert!(kept.room(ALL - 4 * PORTION, "bodies").is_err(), "they take more than four portions");
        drop(kept.room(ALL - 5 * PORTION, "bodies").unwrap());
        drop(listing);
        assert!(kept.room(ALL, "bodies").is_ok(), "they count for as long as the listing is there");
    }
}

//! Which threads give way to which.
//!
//! One thread answers engines, and has to be woken at once, whatever guests do. A guest that computes takes as much of the processors
//! as there is, and so does a host that works on a huge answer. Their threads give way: where processors are short, they get a third
//! of what others get, and are interrupted for those. Where they aren't, nobody notices. It is a third and not nothing, since most
//! guests that compute for long are honest: a hash of a password, a key.

/// By how much, in the steps of `nice`. Each is worth a fifth of a share.
#[cfg(target_os = "linux")]
const STEPS: i32 = 5;

/// Has the present thread give way to those that don't. Where the system can't, it goes on as it is.
pub(crate) fn give_way() {
    // By Linux, which has a priority for each thread and not for all of a process.
    #[cfg(target_os = "linux")]
    if let Ok(present) = rustix::process::getpriority_process(None) {
        let _ = rustix::process::setpriority_process(None, present.saturating_add(STEPS));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_gives_way_alone() {
        let present = || rustix::process::getpriority_process(None).unwrap();
        let before = present();
        let there = std::thread::spawn(move || {
            give_way();
            present()
        });
        assert_eq!(there.join().unwrap(), (before + STEPS).min(19));
        assert_eq!(present(), before);
    }
}

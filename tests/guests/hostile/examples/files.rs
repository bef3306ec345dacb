//! Looks for files of the machine: by absolute path, above itself, among processes, through links that it makes; and for the one that
//! the argument `what` names.

use std::fs;

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};

struct Files;

impl Attack for Files {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let (mut found, mut tried) = (Vec::new(), 0);
        let paths = [
            "/etc/passwd",
            "/etc/shadow",
            "/proc/self/environ",
            "/proc/self/mem",
            "/proc/self/cmdline",
            "/proc/1/root/etc/passwd",
            "/proc/self/fd/0",
            "/dev/stdin",
            "/dev/fd/0",
            "/sys/kernel/notes",
            "../../../../etc/passwd",
            ".",
            "..",
            "/",
            "",
            "Pulumi.yaml",
            "./bulkhead.toml",
            "//etc//passwd",
            "/etc/./passwd",
            "\\etc\\passwd",
            "C:\\Windows",
            "etc/passwd\0",
            "~/.pulumi/credentials.json",
            &field(&request.arguments, "what").unwrap_or_default(),
        ];
        for path in paths {
            let attempts = [
                ("read", fs::read(path).is_ok()),
                ("list", fs::read_dir(path).is_ok()),
                ("look at", fs::metadata(path).is_ok()),
                ("look at, without following,", fs::symlink_metadata(path).is_ok()),
                ("follow", fs::read_link(path).is_ok()),
                ("write", fs::write(format!("{path}.hostile"), "x").is_ok()),
                ("make a directory in", fs::create_dir(format!("{path}.hostile")).is_ok()),
                ("link to", fs::hard_link(path, "hostile").is_ok() || fs::hard_link(path, "/tmp/hostile").is_ok()),
                ("remove", fs::remove_file(format!("{path}.hostile")).is_ok()),
                ("rename", fs::rename(path, "/tmp/hostile").is_ok()),
            ];
            tried += attempts.len();
            let well = attempts.iter().filter(|(_, well)| *well);
            found.extend(well.map(|(what, _)| format!("{what} {path:?}")));
        }
        let directories = wasip2::filesystem::preopens::get_directories();
        found.extend(directories.into_iter().map(|(_, path)| format!("be given {path:?}")));
        Ok(object(&["text"], vec![text(&format!("of {tried}: {}", found.join(", ")))]))
    }
}

attack!(Files);

//! Who does exactly what a denial says: its command, as a shell takes it, or its lines, as they stand there. Either is enough.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Plugin, Stdin, run, temporary_directory};
use bulkhead_value::{Object, Value};
use tempfile::TempDir;

use crate::{bulkhead, guest, object};

/// A project where no word of a command is as it looks.
struct Project {
    directory: TempDir,
    provider: &'static str,
}

impl Project {
    fn of(provider: &'static str) -> Self {
        let project = Self { directory: temporary_directory(), provider };
        for directory in ["bin", "certs", "out"] {
            fs::create_dir_all(project.path().join(directory)).unwrap();
        }
        fs::write(project.path().join("certs/a.pem"), "certificate").unwrap();
        fs::write(project.path().join("Pulumi.yaml"), "name: followed\nruntime: yaml\n").unwrap();
        guest(provider).bundle(&bulkhead(), &project.path().join("bin"));
        symlink(bulkhead().executable(), project.directory.path().join("bulkhead")).unwrap();
        project
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("it's  a\tproject")
    }

    async fn served(&self) -> (Plugin, Serving) {
        let executable = self.path().join(format!("bin/pulumi-resource-{}", self.provider));
        let plugin = Plugin::start_in(&self.path(), &executable, Stdin::Pipe);
        let serving = Serving::by(&plugin).await.ready(Object::new()).await;
        (plugin, serving)
    }

    /// Runs the first command of a message.
    fn command(&self, message: &str) {
        let command = message.split_once("run `").unwrap().1.split_once('`').unwrap().0;
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("{command} --yes")]).current_dir("/").stdin(Stdio::null());
        shell.env("PATH", format!("{}:/usr/bin:/bin", self.directory.path().display()));
        shell.envs(bulkhead().command([""; 0]).get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(&mut shell).succeeded();
    }

    /// Adds the blocks of a message to the file that it names.
    fn lines(&self, message: &str) {
        const NAME: &str = "bulkhead.toml'";
        for entry in message.split(" add a block ").skip(1) {
            let (block, entry) = entry.split_once(" with ").unwrap();
            let (digest, entry) = entry.split_once(" and ").unwrap();
            let (line, entry) = entry.split_once("] to ").unwrap();
            let place = &entry[..entry.find(NAME).unwrap() + NAME.len()];
            let mut shell = Command::new("bash");
            shell.args(["-c", &format!("cat >> {place}")]).current_dir("/").stdin(Stdio::piped());
            let mut shell = shell.spawn().unwrap();
            shell.stdin.take().unwrap().write_all(format!("{block}\n{digest}\n{line}]\n").as_bytes()).unwrap();
            assert!(shell.wait().unwrap().success(), "{place}");
        }
        assert!(self.path().join("bulkhead.toml").exists(), "{message}");
    }
}

/// Answers whoever asks, at a port of this machine.
fn answering() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        }
    });
    port
}

type Follow = fn(&Project, &str);
const EITHER: [Follow; 2] = [Project::command, Project::lines];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_that_asks_a_server_is_denied_it_once() {
    let port = answering();
    let page = || object([("authority", Value::from(format!("127.0.0.1:{port}")))]);
    for follow in EITHER {
        let project = Project::of("networked");
        let (plugin, serving) = project.served().await;
        // Where what it would be is asked first: nothing is granted for that but by name.
        let denied = serving.check("networked:index:Page", page()).await.unwrap_err();
        // To grant all that is asked for would grant any server, and so not this machine.
        let told = format!("network http://127.0.0.1:{port} (GET) is denied: nothing grants it; run `");
        assert!(denied.message().contains(&told), "{denied}");
        drop((plugin, serving));
        follow(&project, denied.message());
        let (_plugin, serving) = project.served().await;
        serving.check("networked:index:Page", page()).await.unwrap();
        serving.preview("networked:index:Page", page()).await.unwrap();
        let created = serving.create("networked:index:Page", page()).await.unwrap();
        serving.delete("networked:index:Page", created.state).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_lies_around_a_component_is_denied_it_once() {
    let reading = || object([("act", Value::from("read")), ("path", "certs/a.pem".into())]);
    for follow in EITHER {
        let project = Project::of("granted");
        let (plugin, serving) = project.served().await;
        let denied = serving.invoke("granted:index:attempt", reading()).await.unwrap_err();
        assert!(denied.message().contains("filesystem certs (read) is denied: nothing grants it; run `"), "{denied}");
        drop((plugin, serving));
        follow(&project, denied.message());
        let (_plugin, serving) = project.served().await;
        let read = serving.invoke("granted:index:attempt", reading()).await.unwrap();
        assert_eq!(read.value["texts"].as_list().map(|texts| texts.len()), Some(1));
    }
}

/// Where somebody above forbids a directory, the line for their file says which.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_forbids_a_directory_is_told_the_line_that_allows_it() {
    let project = Project::of("granted");
    run(bulkhead().command(["grant", "bin/granted.wasm", "--yes"]).current_dir(project.path()).stdin(Stdio::null()))
        .succeeded();
    let file = project.path().join("bulkhead.toml");
    let text = fs::read_to_string(&file).unwrap();
    let allow = |list: &str| fs::write(&file, format!("[allow]\nfilesystem = [{list}]\n\n{text}")).unwrap();
    allow("");
    let reading = || object([("act", Value::from("read")), ("path", "certs/a.pem".into())]);
    let denied = {
        let (_plugin, serving) = project.served().await;
        serving.invoke("granted:index:attempt", reading()).await.unwrap_err().message().to_owned()
    };
    let line = denied.split_once(" can add ").unwrap().1.split_once(" to `filesystem` under its [allow]").unwrap().0;
    assert!(line.ends_with("/it's \\u0020a\\u0009project/certs\""), "{denied}");
    allow(line);
    let (_plugin, serving) = project.served().await;
    serving.invoke("granted:index:attempt", reading()).await.unwrap();
}

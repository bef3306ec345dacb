//! A guest that has its engine run others: what it names is asked for where an operator grants it and files above allow it, and told
//! where they don't.

use std::path::Path;

use bulkhead::audit::{AuditFile, Auditor};
use bulkhead::component::Limits;
use bulkhead_policy::{Above, Applicant, OperatorFile, PackageRequest, Permissions, Requests};
use bulkhead_tests::composing::construction;
use bulkhead_tests::engine::Engine;
use bulkhead_tests::monitor::{Asked, Monitor};
use bulkhead_tests::serving::{Serving, any_package, load};
use bulkhead_tests::temporary_directory;
use bulkhead_value::{Object, Value};
use serde_json::Value as Json;
use tonic::Code;

use crate::secrets::tells;
use crate::{TELL, hostile, object, seen, undisturbed, unready_with_packages, well, what};

const PLACE: &str = "https://plugins.example.com";
/// Resources of its own that are to replace those of others or go with them, and some whose types have no package but their name.
const OWN: [&str; 8] = ["alias", "parts", "provided", "chosen", "deploy", "parent", "singular", "plain"];

/// Asks for packages, whose plugins come from where engines have them or from somewhere.
fn asks(packages: &[&str], from: Option<&str>) -> Requests {
    let request = |package: &&str| PackageRequest {
        package: (*package).to_owned(),
        from: from.map(str::to_owned),
        reason: "uses it".to_owned(),
    };
    Requests { packages: packages.iter().map(request).collect(), ..Requests::default() }
}

/// A project's file that grants.
fn grants(line: &str) -> String {
    format!("[[providers.hostile.grants]]\ndigest = \"dev\"\n{line}")
}

/// What becomes of each attempt, and what an engine saw of them, by what is asked for, what a project's file says, and what one above
/// allows.
async fn attempted(
    requests: Requests,
    granted: &str,
    allowed: &str,
    from: &str,
) -> (Vec<String>, Asked, usize, Vec<String>) {
    attempted_with(requests, granted, allowed, what(from)).await
}

async fn attempted_with(
    requests: Requests,
    granted: &str,
    allowed: &str,
    inputs: Object,
) -> (Vec<String>, Asked, usize, Vec<String>) {
    let (engine, monitor) = (Engine::start(&[("command", b"{}"), ("postgresql", b"{}")]).await, Monitor::start().await);
    let project = OperatorFile::parse(granted).unwrap();
    let above = OperatorFile::parse(allowed).unwrap();
    let above = above.ceilings("hostile").map(|(table, ceiling)| Above {
        file: "/etc/bulkhead/bulkhead.toml".to_owned(),
        table,
        ceiling: ceiling.clone(),
    });
    let applicant = Applicant { provider: "hostile".to_owned(), development: true, ..Applicant::default() };
    let grants = project.grants("hostile");
    let permissions = Permissions::new(applicant, requests, grants, above.collect(), Path::new("/project"));
    let limits = Limits::default();
    let loaded = load(&bulkhead_tests::hostile("packages-of-others"), limits.clone()).unwrap();
    let serving = Serving::of(loaded.under(limits, permissions)).await;
    serving.handshake(engine.handshake()).await;
    serving.configure(well()).await.unwrap();
    let constructed = serving.construct(construction(&monitor, "hostile:index:Group", inputs)).await.unwrap();
    let outcomes = constructed.state["text"].plain().as_str().unwrap().lines().map(str::to_owned).collect();
    let described = engine.asked().len() + engine.mapped().len() + engine.resolved().len();
    let told = serving.messages().into_iter().map(|message| message.text).collect();
    (outcomes, monitor.asked(), described, told)
}

#[tokio::test]
async fn other_packages_are_used_only_if_they_are_asked_for_and_granted_and_allowed() {
    undisturbed(async {
        let by_name = "by name";
        let (both, granted) = (["command", "pulumi"], &grants("packages = [\"command\", \"pulumi\", \"hostile\"]"));
        let denied = |package: &str, why: &str| format!("packages {package} is denied: {why}");
        let unasked = "the component's manifest doesn't ask for it";
        let above = "[allow] of /etc/bulkhead/bulkhead.toml doesn't allow it";
        let led = "the provider asked for the package `hostile/x`, and components ask engines for packages by their names only";
        let all = asks(&["command", "pulumi", "hostile"], None);
        for (requests, granted, allowed, why, hint) in [
            (asks(&[], None), granted.as_str(), "", unasked, "no grant is wider"),
            (all.clone(), "", "", "nothing grants it", "run `bulkhead grant"),
            (
                all.clone(),
                granted,
                "[allow]\npackages = [\"random\"]",
                above,
                "whoever owns /etc/bulkhead/bulkhead.toml",
            ),
        ] {
            let (outcomes, asked, described, told) = attempted(requests, granted, allowed, by_name).await;
            let command = denied("command", why);
            let first = ["done", "done", &denied("hostile", why), &command, &command, &command, &denied("pulumi", why)];
            assert_eq!(
                outcomes[..7],
                first,
                "a name, its own, another version, a command, a provider, remote, a stack"
            );
            let (others, paths) = outcomes[7..].split_at(19);
            assert!(others.iter().all(|outcome| *outcome == command), "{outcomes:#?}");
            assert!(paths.len() == 2 && paths.iter().all(|outcome| outcome == led), "{outcomes:#?}");
            assert_eq!(asked.names(), ["name", "named", "own"]);
            assert_eq!((asked.reads.len(), asked.invokes.len(), asked.calls.len(), described), (0, 0, 0, 0));
            assert_eq!(
                told.iter().filter(|text| text.starts_with(&format!("{command}; {hint}"))).count(),
                1,
                "{told:#?}"
            );
        }
        let (outcomes, asked, ..) = attempted(all, granted, "", by_name).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.contains("denied")).count(), 0, "{outcomes:#?}");
        assert!(outcomes[26..].iter().all(|outcome| outcome == led), "no grant makes a path a name: {outcomes:#?}");
        assert_eq!(
            asked.names(),
            [&["name", "named", "own", "another", "run", "provider", "remote"][..], &OWN].concat()
        );
        let (outcomes, ..) = attempted(asks(&both, None), granted, "", by_name).await;
        assert_eq!(outcomes[2], denied("hostile", unasked), "its own name, of another version");
    })
    .await;
}

/// Nobody could grant it, so that it is no decision, and no denial that a user reads. Whoever reads the audit learns of it all the same.
#[tokio::test]
async fn what_is_asked_for_of_packages_in_vain_is_written_down_as_denials_are() {
    const SECRET: &str = "Correct-Horse-Battery-Staple";
    let engine = Engine::start(&[("other", b"{}")]).await;
    let written = async |name: &str, permissions: Permissions| {
        let directory = temporary_directory();
        let file = directory.path().join("audit.jsonl");
        let auditor = Auditor::new(vec![AuditFile::new(&file, true)], None, "hostile", "d1");
        let loaded = load(&bulkhead_tests::hostile(name), Limits::default()).unwrap();
        let serving = Serving::audited(loaded.under(Limits::default(), permissions), auditor).await;
        serving.handshake(engine.handshake()).await;
        serving.configure(well()).await.unwrap();
        let told = || object([("key", Value::from(SECRET).secret()), ("what", "by name".into())]);
        let monitor = Monitor::start().await;
        let _ = serving.construct(construction(&monitor, "hostile:index:Group", told())).await;
        let _ = serving.invoke(TELL, told()).await;
        let written = std::fs::read_to_string(&file).unwrap();
        let lines = written.lines().map(|line| serde_json::from_str(line).unwrap());
        let decided = lines.filter(|line: &Json| line["capability"] == "packages").map(|line| {
            ["rpc", "subject", "verdict", "why"].map(|member| line[member].as_str().unwrap_or_default().to_owned())
        });
        (decided.collect::<Vec<_>>(), written)
    };
    let denied = |rpc: &str, subject: &str, why: &str| [rpc, subject, "denied", why].map(str::to_owned);
    undisturbed(async {
        let (decided, _) = written("packages-of-others", any_package()).await;
        let led = denied("Construct", "hostile/x", "engines are asked for packages by their names only");
        assert_eq!(decided.iter().filter(|line| **line == led).count(), 2, "{decided:#?}");

        let (decided, _) = written("question-huge", any_package()).await;
        assert_eq!(decided, [denied("Invoke", "hostile", "engines are asked about packages in 65536 bytes at most")]);

        let (decided, written_down) = written("secret-in-options", any_package()).await;
        for (rpc, subject) in [
            ("Construct", "[secret].evil.example"),
            ("Construct", "other"),
            ("Invoke", "[secret].evil.example"),
            ("Invoke", "other"),
        ] {
            let line = denied(rpc, subject, "what the engine would be told of it repeats a secret");
            assert!(decided.contains(&line), "{line:?} in {decided:#?}");
        }
        let allowed: Vec<_> = decided
            .iter()
            .filter(|[_, subject, verdict, _]| subject.contains("[secret]") && verdict == "allowed")
            .collect();
        assert!(allowed.is_empty(), "{allowed:#?}");
        assert!(!written_down.lines().any(|line| tells(line, SECRET)), "{written_down}");

        let (decided, _) = written("plugin-forged", rests_on_the_key()).await;
        let configured =
            denied("Construct", "hostile", "permissions rest on its `key`, which the component would configure");
        assert!(decided.contains(&configured), "{decided:#?}");
    })
    .await;
}

/// Permissions that rest on what a user configured.
fn rests_on_the_key() -> Permissions {
    let requests = r#"{"network":[{"endpoint":"https://${config.key}","reason":"r"}]}"#;
    let grants = OperatorFile::parse(&grants("network = [\"https://${config.key}\"]")).unwrap();
    let applicant = Applicant { provider: "hostile".to_owned(), development: true, ..Applicant::default() };
    let requests = serde_json::from_str(requests).unwrap();
    Permissions::new(applicant, requests, grants.grants("hostile"), Vec::new(), Path::new("/project"))
}

/// A name that an operator grants or a manifest asks for was written down before anything was secret: it is nobody's secret spelt, and it
/// doesn't take looking for as many as there are. Any other may be.
#[tokio::test]
async fn a_package_that_is_granted_or_asked_for_by_its_name_is_used_whatever_is_secret() {
    undisturbed(async {
        let told = |secret: &str| {
            let package = ("package", "postgresql".into());
            object([("what", "by name".into()), package, ("key", Value::from(secret).secret())])
        };
        let (short, many) = ("postgres", "secret! ".repeat(200_000));
        let named = ["postgresql", "pulumi", "hostile"];
        let (by_name, any) =
            (grants("packages = [\"postgresql\", \"pulumi\", \"hostile\"]"), grants("packages = [\"*\"]"));
        for secret in [short, &many] {
            let (known, _, described, _) = attempted_with(asks(&named, None), &by_name, "", told("none")).await;
            for (asked_for, granted) in [(&named[..], &by_name), (&named, &any), (&["*"], &by_name)] {
                let (outcomes, _, asked, _) = attempted_with(asks(asked_for, None), granted, "", told(secret)).await;
                assert_eq!((&outcomes, asked), (&known, described), "{asked_for:?} {granted}");
            }
        }
        // What only a pattern allows the guest may have made up.
        let masked = "the provider named a package by what repeats a secret";
        let lost = "the request holds more secrets than can be looked for in the name of a package; \
                    hint: to use it all the same, grant it by its name";
        for (secret, said) in [(short, format!("Error::Bug({masked:?})")), (&many, lost.to_owned())] {
            let (outcomes, asked, described, _) = attempted_with(asks(&["*"], None), &any, "", told(secret)).await;
            // What looks for nothing: a component's name, its own resources, what is on record, and what is done to those.
            let looked_for = [3, 4, 5, 7, 8, 10, 11, 12, 13, 22, 23, 24];
            for (attempt, outcome) in outcomes.iter().enumerate().take(26) {
                assert_eq!(*outcome == said, looked_for.contains(&attempt), "{attempt}: {outcome}");
            }
            let package = |token: &str| token.contains("postgresql");
            assert!(!asked.registrations.iter().any(|one| one.custom && package(&one.r#type)), "{:?}", asked.names());
            let invoked: Vec<&str> = asked.invokes.iter().map(|one| one.tok.as_str()).collect();
            let looked_up = ["pulumi:pulumi:getResource"; 2];
            assert_eq!(invoked, looked_up, "what is on record, and what something is to be deleted with");
            assert_eq!((asked.reads.len(), asked.calls.len(), described), (1, 0, 0));
        }
    })
    .await;
}

/// Engines send a method to whoever looks after what it is called on, and look at its token only where that is nobody.
#[tokio::test]
async fn methods_are_called_only_on_what_is_its_own_or_granted() {
    undisturbed(async {
        let called = async |serving: Serving| {
            let monitor = Monitor::start().await;
            let request = construction(&monitor, "hostile:index:Group", what("x"));
            let told = serving.construct(request).await.unwrap().state;
            let outcomes: Vec<String> = told["text"].as_str().unwrap().lines().map(str::to_owned).collect();
            (outcomes, monitor.asked().calls.len())
        };
        let (outcomes, calls) = called(hostile("methods-of-others", Limits::default()).await).await;
        assert_eq!(outcomes[..2], ["done", "done"], "its own, and what is only a name for others");
        for outcome in &outcomes[2..5] {
            assert!(outcome.starts_with("packages command is denied"), "{outcome}");
        }
        assert_eq!(outcomes[5..7], ["done", "done"], "its own provider, whatever its id");
        let half = |outcomes: &[String]| {
            let all = &outcomes[7..];
            assert!(all.len() == 6 && all.iter().all(|outcome| outcome.contains("less than a whole URN")), "{all:#?}");
        };
        half(&outcomes);
        assert_eq!(calls, 4);
        let granted = unready_with_packages("methods-of-others").await.ready(well()).await;
        let (outcomes, calls) = called(granted).await;
        assert!(outcomes[..7].iter().all(|outcome| outcome == "done") && calls == 7, "{outcomes:#?}");
        half(&outcomes);
    })
    .await;
}

#[tokio::test]
async fn no_plugin_is_fetched_from_where_only_a_component_says() {
    undisturbed(async {
        let line = format!("packages = [{{ package = \"command\", from = \"{PLACE}\" }}]");
        let asked_for = || asks(&["command"], Some(PLACE));
        let (outcomes, asked, _, told) = attempted(asked_for(), &grants("packages = [\"command\"]"), "", PLACE).await;
        let denied = format!("packages command from {PLACE} is denied: nothing grants it");
        for attempt in [3, 4, 7, 8] {
            assert_eq!(outcomes[attempt], denied);
        }
        assert_eq!(asked.names(), [&["name", "named", "own", "remote"][..], &OWN].concat());
        assert!(asked.registrations.iter().all(|registration| registration.plugin_download_url.is_empty()));
        assert!(told.iter().any(|text| text.starts_with(&denied) && text.contains(&line)), "{told:#?}");

        let (outcomes, ..) = attempted(asks(&["command"], None), &grants(&line), "", PLACE).await;
        assert!(outcomes[3].ends_with("the component's manifest doesn't ask for it"), "{outcomes:#?}");
        let (_, asked, ..) = attempted(asked_for(), &grants(&line), "", PLACE).await;
        assert_eq!(asked.registration("run").plugin_download_url, PLACE);
        let (outcomes, asked, ..) =
            attempted(asked_for(), &grants(&line), "[allow]\npackages = [\"command\"]", PLACE).await;
        assert!(outcomes[3].ends_with("/etc/bulkhead/bulkhead.toml doesn't allow it"), "{outcomes:#?}");
        assert_eq!(asked.names(), [&["name", "named", "own", "remote"][..], &OWN].concat());
    })
    .await;
}

/// Engines write down what a provider is configured with, and read there which plugin to run the next time.
#[tokio::test]
async fn engines_hear_of_no_other_plugin_and_no_other_configuration() {
    undisturbed(async {
        let loaded = load(&bulkhead_tests::hostile("plugin-forged"), Limits::default()).unwrap();
        let serving = Serving::of(loaded.under(Limits::default(), rests_on_the_key())).await;
        serving.handshake(<_>::default()).await;
        let checked = serving.check_config(well()).await.unwrap();
        assert_eq!(checked.value.keys().collect::<Vec<_>>(), ["key"], "{checked:?}");
        let given = object([("key", "well"), ("version", "1.2.3"), ("name", "mine")]);
        let checked = serving.check_config(given.clone()).await.unwrap();
        let plain = |name: &str| checked.value[name].plain().clone();
        assert_eq!(["version", "name"].map(plain), ["1.2.3".into(), "mine".into()]);
        assert_eq!(checked.value.len(), 3, "{checked:?}");
        serving.configure(well()).await.unwrap();
        let monitor = Monitor::start().await;
        let constructed = serving.construct(construction(&monitor, "hostile:index:Group", what("x"))).await.unwrap();
        let outcomes: Vec<_> = constructed.state["text"].as_str().unwrap().lines().collect();
        assert_eq!(outcomes[..2], ["done", "done"], "its own, and its own version");
        for (outcome, key) in outcomes[2..5].iter().zip(["__internal", "parameterization", "pluginChecksums"]) {
            assert!(outcome.contains(&format!("with `{key}`, which engines alone write")), "{outcome}");
        }
        assert!(outcomes[5].starts_with(&format!("packages hostile from {PLACE} is denied")), "{outcomes:#?}");
        assert!(outcomes[6].starts_with("packages hostile is denied"), "{outcomes:#?}");
        assert!(outcomes[7].starts_with("packages command is denied"), "{outcomes:#?}");
        assert!(outcomes[8].contains("with a `name` that isn't plain text"), "{outcomes:#?}");
        assert!(outcomes[9].contains("would configure `key` of its own provider"), "{outcomes:#?}");
        assert!(outcomes[10].contains("with `envVarMappings`, which engines alone write"), "{outcomes:#?}");
        assert_eq!(monitor.asked().names(), ["name", "own", "own"]);
    })
    .await;
}

#[tokio::test]
async fn what_an_engine_is_asked_about_packages_is_short() {
    undisturbed(async {
        let engine = Engine::start(&[("hostile", b"{}")]).await;
        let serving = hostile("question-huge", Limits::default()).await;
        serving.handshake(engine.handshake()).await;
        serving.configure(well()).await.unwrap();
        let status = serving.invoke(TELL, what("x")).await.unwrap_err();
        let expected = "the provider asked the engine about packages in more than 65536 bytes";
        assert_eq!(seen(&status), (Code::Aborted, expected));
        assert!(engine.resolved().is_empty());
    })
    .await;
}

/// A decision copies them, and so does whoever tells of it.
#[tokio::test]
async fn names_longer_than_anybodys_are_decided_on_by_nobody() {
    undisturbed(async {
        let directory = temporary_directory();
        let file = directory.path().join("audit.jsonl");
        let auditor = Auditor::new(vec![AuditFile::new(&file, true)], None, "hostile", "d1");
        let loaded = load(&bulkhead_tests::hostile("names-huge"), Limits::default()).unwrap();
        let serving = Serving::audited(loaded, auditor).await.ready(well()).await;
        let monitor = Monitor::start().await;
        let constructed = serving.construct(construction(&monitor, "hostile:index:Group", what("x"))).await.unwrap();
        let outcomes: Vec<&str> = constructed.state["text"].as_str().unwrap().lines().collect();
        assert_eq!(outcomes.len(), 14, "{outcomes:?}");
        for outcome in outcomes {
            let length = outcome.strip_prefix("the provider asked the engine for something by a name of 20000");
            assert!(length.is_some_and(|rest| rest.ends_with(" bytes, and 65536 are the most")), "{outcome}");
        }
        let asked = monitor.asked();
        assert_eq!(asked.names(), ["name"]);
        assert!(asked.invokes.is_empty() && asked.calls.is_empty(), "nobody is asked");
        let audited = std::fs::read_to_string(&file).unwrap();
        assert!(!audited.contains("xxxxxxxx"), "none of it is written down");
    })
    .await;
}

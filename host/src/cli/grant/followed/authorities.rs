//! Whom a server's authorities are believed for once somebody has done what a denial says.

use std::path::Path;

use bulkhead_policy::Phase;

use super::{Case, DIGEST, to, with_the_line};

/// Else the denial is gone, and nothing can be said over TLS.
#[test]
fn who_does_what_a_denial_says_of_a_server_believes_the_same_authorities() {
    let (asked, configured) = (r#""endpoint":"${config.endpoint}""#, Some("https://mine.example"));
    for granted in [
        r#"{ endpoint = "https://mine.example", methods = ["GET"] }"#,
        r#"{ endpoint = "https://*.example", phases = ["read"] }"#,
        r#"{ endpoint = "${config.endpoint}", methods = ["GET"] }"#,
    ] {
        // It is one of a block's members that follow it.
        let granted = format!("{granted}]\ncertificates = [\"corp.pem\"");
        let case = Case { asked, granted: granted.leak(), configured };
        let post = to("POST https://mine.example");
        let denial = case.permissions(&case.file()).destination(Phase::Create, &post).unwrap_err();
        let hint = denial.hint().unwrap();
        for file in [case.after_the_command(&hint), case.after_the_line(&hint)] {
            let file = file.unwrap();
            let reach = case.permissions(&file).destination(Phase::Create, &post).unwrap();
            assert_eq!(reach.certificates().collect::<Vec<_>>(), [Path::new("/p/corp.pem")], "{file}");
        }
    }
}

/// An authority of what is developed vouches for nothing that is deployed, and the command does as much as the block.
#[test]
fn who_is_denied_more_of_what_is_developed_grants_it_to_whom_the_authorities_were_named_for() {
    let case = Case { asked: r#""endpoint":"https://*""#, granted: "", configured: None };
    let post = to("POST https://b.example");
    let block = |digest: &str, network: &str, more: &str| {
        format!("[[providers.dns.grants]]\ndigest = \"{digest}\"\nnetwork = [{network}]\n{more}\n")
    };
    let read = r#"{ endpoint = "https://b.example", methods = ["GET"] }"#;
    let below = r#"{ endpoint = "https://*.example", methods = ["GET"] }"#;
    let (own, dev) = (format!("sha256:{DIGEST}"), "dev".to_owned());
    let (of_dev, of_own) = (r#"certificates = ["dev.pem"]"#, r#"certificates = ["own.pem"]"#);
    let second = r#"certificates = ["second.pem"]"#;
    for (blocks, to_whom, developed, deployed) in [
        (vec![(&dev, read, of_dev)], &dev, vec!["dev.pem"], None),
        (vec![(&dev, read, of_dev), (&dev, below, second)], &dev, vec!["dev.pem", "second.pem"], None),
        (vec![(&own, below, ""), (&dev, read, of_dev)], &dev, vec!["dev.pem"], None),
        (vec![(&dev, read, of_dev), (&own, below, of_own)], &own, vec!["own.pem"], Some(vec!["own.pem"])),
        (vec![(&dev, read, "")], &own, vec![], Some(vec![])),
    ] {
        let before: String = blocks.iter().map(|(digest, network, more)| block(digest, network, more)).collect();
        let denial = case.permissions_where(true, &before).destination(Phase::Create, &post).unwrap_err();
        let hint = denial.hint().unwrap();
        assert!(hint.contains(&format!("digest = \"{to_whom}\"")), "{hint}");
        assert!(hint.matches("--dev").count() == 1, "{hint}");
        for file in [case.with_the_command(&before, &hint), with_the_line(&before, &hint)] {
            let file = file.unwrap();
            let believed = |development: bool| {
                let reach = case.permissions_where(development, &file).destination(Phase::Create, &post).ok()?;
                Some(reach.certificates().collect::<Vec<_>>())
            };
            let expected = |files: &[&str]| files.iter().map(|file| Path::new("/p").join(file)).collect::<Vec<_>>();
            assert_eq!(believed(true), Some(expected(&developed)), "{file}");
            assert_eq!(believed(false), deployed.as_deref().map(expected), "{file}");
        }
    }
}

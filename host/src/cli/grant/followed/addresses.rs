//! What becomes of who is told that a name stands for an address, and does what that denial says.

use bulkhead_policy::Phase;

use super::{Case, to, told};

#[test]
fn who_does_what_a_denial_says_of_an_address_is_denied_it_no_more() {
    let get = r#""endpoint":"https://api.corp","methods":["GET"]"#;
    let both = "\"endpoint\":\"https://api.corp\",\"methods\":[\"GET\"]\n\"endpoint\":\"https://*.corp\"";
    let early = "\"endpoint\":\"https://api.corp\",\"phases\":[\"preview\"]\n\"endpoint\":\"https://*.corp\"";
    let methods = r#"{ endpoint = "https://api.corp", methods = ["GET", "POST"] }"#;
    for (asked, granted, phase, destination) in [
        (both, r#""https://*.corp""#, Phase::Create, "POST https://api.corp"),
        (both, r#""https://*.corp""#, Phase::Create, "GET https://api.corp"),
        (early, r#""https://*.corp""#, Phase::Create, "POST https://api.corp"),
        // It was granted to a build that asked for more.
        (get, methods, Phase::Create, "GET https://api.corp"),
        (
            r#""endpoint":"https://api.corp","phases":["read"]"#,
            r#"{ endpoint = "https://api.corp", phases = ["create", "read"] }"#,
            Phase::Read,
            "GET https://api.corp",
        ),
        (
            r#""endpoint":"https://api.corp","phases":["check"]"#,
            r#"{ endpoint = "https://api.corp", phases = ["configure", "check", "diff", "preview", "create", "read",
                "update", "delete", "invoke", "construct", "call", "list"] }"#,
            Phase::Check,
            "GET https://api.corp",
        ),
    ] {
        let case = Case { asked, granted, configured: None };
        let (destination, private) = (to(destination), "10.0.0.5".parse().unwrap());
        let reach = |file: &str| case.permissions(file).destination(phase, &destination).unwrap();
        let denial = reach(&case.file()).address(private).unwrap_err();
        let hint = denial.hint().unwrap();
        for file in [case.after_the_command(&hint), case.after_the_line(&hint)] {
            let reach = reach(&file.unwrap());
            assert_eq!(reach.address(private), Ok(()), "{}", told(&denial));
            assert!(reach.address("10.0.0.6".parse().unwrap()).is_err(), "{}", told(&denial));
        }
    }
}

use proptest::prelude::*;

use super::{Urn, UrnError};

#[test]
fn the_parts_are_told_apart() {
    for (text, stack, project, qualified, token, name) in [
        ("urn:pulumi:s::p::a:b:C::n", "s", "p", "a:b:C", "a:b:C", "n"),
        ("urn:pulumi:s::p::a:b:C$d:e:F$g:h:I::n", "s", "p", "a:b:C$d:e:F$g:h:I", "g:h:I", "n"),
        ("urn:pulumi:s::p::a:b:C::x::y", "s", "p", "a:b:C", "a:b:C", "x::y"),
        (
            "urn:pulumi:a b::my/proj::aws:s3/bucket:Bucket::a:b",
            "a b",
            "my/proj",
            "aws:s3/bucket:Bucket",
            "aws:s3/bucket:Bucket",
            "a:b",
        ),
        ("urn:pulumi:s::p::aws:Bucket::é/🦀 \"q\"", "s", "p", "aws:Bucket", "aws:Bucket", "é/🦀 \"q\""),
        (
            "urn:pulumi:s::p::pulumi:providers:aws::default_6_0",
            "s",
            "p",
            "pulumi:providers:aws",
            "pulumi:providers:aws",
            "default_6_0",
        ),
        ("urn:pulumi:s::p::t::", "s", "p", "t", "t", ""),
        ("urn:pulumi:::::t:::n", "", "", "t", "t", ":n"),
    ] {
        let urn = Urn::parse(text).unwrap();
        assert_eq!(
            (urn.stack(), urn.project(), urn.qualified_type(), urn.token(), urn.name(), urn.to_string().as_str()),
            (stack, project, qualified, token, name, text)
        );
    }
}

#[test]
fn a_type_token_has_a_package_maybe_a_module_and_a_name() {
    for (token, package, module, name) in [
        ("aws:s3/bucket:Bucket", "aws", Some("s3/bucket"), "Bucket"),
        ("aws:Bucket", "aws", None, "Bucket"),
        ("pulumi:providers:aws", "pulumi", Some("providers"), "aws"),
        ("my-pkg:a.b-c:Thing", "my-pkg", Some("a.b-c"), "Thing"),
        ("plain", "plain", None, "plain"),
    ] {
        let urn = Urn::new("s", "p", None, token, "n").unwrap();
        assert_eq!((urn.package(), urn.module(), urn.type_name()), (package, module, name));
    }
}

#[test]
fn malformed_texts_are_errors_that_say_what_is_missing() {
    for (text, error, message) in [
        ("", UrnError::Empty, "parse a URN: it is empty"),
        ("urn:other:s::p::t::n", UrnError::Prefix, "parse a URN: it doesn't start with `urn:pulumi:`"),
        ("URN:pulumi:s::p::t::n", UrnError::Prefix, "parse a URN: it doesn't start with `urn:pulumi:`"),
        (
            "urn:pulumi:s::p::t",
            UrnError::Parts { found: 3 },
            "parse a URN: it has 3 of the four parts; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`",
        ),
        (
            "urn:pulumi:",
            UrnError::Parts { found: 1 },
            "parse a URN: it has 1 of the four parts; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`",
        ),
        (
            "urn:pulumi:s::p::::n",
            UrnError::Type,
            "parse a URN: it has no type; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`",
        ),
        (
            "urn:pulumi:s::p::a:b:C$::n",
            UrnError::Type,
            "parse a URN: it has no type; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`",
        ),
    ] {
        let found = text.parse::<Urn>().unwrap_err();
        assert_eq!((found.to_string().as_str(), found), (message, error), "{text}");
    }
}

#[test]
fn a_urn_is_put_together_from_its_parts() {
    let child = Urn::new("dev", "shop", Some("a:b:C$d:e:F"), "g:h:I", "n").unwrap();
    assert_eq!(child.as_str(), "urn:pulumi:dev::shop::a:b:C$d:e:F$g:h:I::n");
    assert_eq!(child.parent_types().collect::<Vec<_>>(), ["a:b:C", "d:e:F"]);

    let top = Urn::new("dev", "shop", Some("pulumi:pulumi:Stack"), "g:h:I", "n").unwrap();
    assert_eq!(top.as_str(), "urn:pulumi:dev::shop::g:h:I::n");
    assert_eq!(top.parent_types().count(), 0);

    let bad = Urn::new("dev:", "shop", None, "t", "n").unwrap_err();
    assert_eq!(bad.to_string(), "build a URN: the stack holds `::` or ends with `:`, which would end it early");
    assert_eq!(Urn::new("dev", "a::b", None, "t", "n"), Err(UrnError::Delimiter { part: "project" }));
    assert_eq!(Urn::new("dev", "shop", None, "t:", "n"), Err(UrnError::Delimiter { part: "type" }));
    assert_eq!(Urn::new("dev", "shop", None, "", "n"), Err(UrnError::Type));
}

proptest! {
    #[test]
    fn what_is_put_together_is_taken_apart_again(
        stack in "[a:$ é🦀/]{0,6}", project in "[a:$ é]{0,6}", parent in "[a:$]{0,4}", token in "[ab:/.-]{0,6}", name in "[a:$ \"🦀]{0,8}",
    ) {
        match Urn::new(&stack, &project, Some(&parent), &token, &name) {
            Ok(urn) => {
                prop_assert_eq!((urn.stack(), urn.project(), urn.token(), urn.name()), (&*stack, &*project, &*token, &*name));
                prop_assert_eq!(Urn::parse(urn.as_str()), Ok(urn));
            }
            Err(UrnError::Delimiter { .. }) => {
                let qualified = format!("{parent}${token}");
                let parts = [&stack, &project, &qualified, &token];
                prop_assert!(parts.iter().any(|part| part.contains("::") || part.ends_with(':')));
            }
            Err(error) => prop_assert!(error == UrnError::Type && token.is_empty(), "{}", error),
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "(urn:pulumi:)?[a:$é]{0,24}") {
        if let Ok(urn) = Urn::parse(&text) {
            prop_assert_eq!(urn.as_str(), &text);
            let parts = format!("urn:pulumi:{}::{}::{}::{}", urn.stack(), urn.project(), urn.qualified_type(), urn.name());
            prop_assert_eq!(parts, text);
        }
    }
}

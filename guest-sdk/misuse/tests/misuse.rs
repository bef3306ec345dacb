//! Wrong use is a compile error that points at the author's own line and says what to write instead.

#[test]
fn wrong_use_is_explained_where_it_stands() {
    trybuild::TestCases::new().compile_fail("tests/misuse/*.rs");
}

//! What `bulkhead check` says of the provider.

use crate::bulkhead;

use super::powerdns;

#[test]
fn nothing_is_wrong_with_the_provider() {
    let component = powerdns().component;
    let checked = bulkhead().run(["check".as_ref(), component.as_os_str()]).succeeded();
    insta::assert_snapshot!(checked.stdout, @"");
}

//! A component registers itself and its children with the monitor that the request names.

use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::{Monitor, urn};
use bulkhead_value::{Object, Output, Value};

use super::{COMPOSER, PART, act, composer};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_registers_itself_and_its_children_and_then_its_outputs() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let request = construction(&monitor, COMPOSER, act("children", [("size", 3.0.into())]));
    let constructed = serving.construct(request).await.unwrap();

    let own = urn("", COMPOSER, "name");
    assert_eq!(constructed.urn, own);
    let asked = monitor.asked();
    let mut names = asked.names();
    assert_eq!(names.remove(0), "name");
    names.sort_unstable();
    assert_eq!(names, ["name-1", "name-2", "name-3"]);
    let component = asked.registration("name");
    assert_eq!((component.r#type.as_str(), component.custom, component.remote), (COMPOSER, false, false));
    let child = asked.registration("name-2");
    assert_eq!((child.r#type.as_str(), child.custom, child.parent.as_str()), (PART, true, own.as_str()));
    assert_eq!(asked.inputs("name-2"), [("size", 3.0), ("number", 2.0)].into_iter().collect::<Object>());

    let part = |n: u32| {
        Value::Output(Output {
            value: Some(Box::new(format!("made of name-{n}").into())),
            secret: false,
            dependencies: vec![format!("urn:pulumi:dev::project::{COMPOSER}${PART}::name-{n}")],
        })
    };
    let made = Value::List((1..=3).map(part).collect());
    assert_eq!(constructed.state["made"], made, "each output says what it depends on");
    assert_eq!(asked.outputs.keys().collect::<Vec<_>>(), [&own]);
    let plain = (1..=3).map(|n| Value::from(format!("made of name-{n}"))).collect();
    assert_eq!(asked.outputs[&own]["made"], Value::List(plain), "the engine itself takes no outputs here");
}

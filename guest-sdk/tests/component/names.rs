//! Names of an author's that the generated code might have wanted for itself.

use bulkhead_sdk::output::all;
use bulkhead_sdk::testing::{Driver, known};
use bulkhead_sdk::{
    Call, Component, Construct, Inputs, Object, Output, Result, State, component, fields, function, method, provider,
};

#[derive(Object, Clone)]
struct ShopSlots {
    first: u32,
}

#[derive(Object, Clone)]
struct ArgsOutputs {
    count: u32,
}

#[derive(Inputs)]
struct Args {
    slots: Output<ShopSlots>,
    outputs: Output<ArgsOutputs>,
}

#[derive(Object, Clone)]
struct ShopOutputs {
    sum: u32,
}

#[derive(State)]
struct Shop {
    outputs: Output<ShopOutputs>,
}

#[component(token = "names:index:Shop")]
impl Component for Shop {
    type Inputs = Args;

    fn construct(request: Construct<Self>) -> Result<Self> {
        let Args { slots, outputs } = request.inputs;
        let both = all((slots, outputs));
        Ok(Self { outputs: both.map(|(slots, outputs)| ShopOutputs { sum: slots.first + outputs.count }) })
    }
}

#[derive(Inputs)]
struct Asked {
    number: u32,
}

#[function(token = "names:index:invoke")]
fn invoke(asked: Asked) -> Result<u32> {
    Ok(asked.number)
}

#[function(token = "names:index:arguments")]
fn arguments(asked: Asked) -> Result<u32> {
    Ok(asked.number + 1)
}

#[method]
fn call(_: Call<Shop>, asked: Asked) -> Result<u32> {
    Ok(asked.number + 2)
}

#[method]
fn config(_: Call<Shop>, asked: Asked, _: &()) -> Result<u32> {
    Ok(asked.number + 3)
}

provider! {
    name: "names",
    components: [Shop],
    functions: [invoke, arguments],
    methods: [call, config],
}

#[test]
fn whatever_an_author_calls_types_functions_and_methods_is_theirs() {
    let driver = Driver::new(&PROVIDER, ());
    let inputs = fields! { "slots": fields! { "first": 1 }, "outputs": fields! { "count": 2 } };
    let shop = driver.construct::<Shop>("shop", inputs).unwrap();
    let sum = known(&shop.outputs.outputs).unwrap().value.map(|outputs| outputs.sum);
    assert_eq!(sum, Some(3));
    let asked = || fields! { "number": 1 };
    assert_eq!(driver.invoke::<invoke>(asked()).unwrap(), 1.into());
    assert_eq!(driver.invoke::<arguments>(asked()).unwrap(), 2.into());
    assert_eq!(driver.call::<call>(&shop.urn, asked()).unwrap(), 3.into());
    assert_eq!(driver.call::<config>(&shop.urn, asked()).unwrap(), 4.into());
}

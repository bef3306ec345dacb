use bulkhead_sdk::*;

#[derive(Inputs)]
struct SiteArgs {
    text: Output<String>,
}

#[derive(State)]
struct Site {
    url: Output<String>,
}

#[component(token = "web:index:Site")]
impl Component for Site {
    type Inputs = SiteArgs;

    fn construct(request: Construct<Self>) -> Result<Self> {
        Ok(Self { url: request.inputs.text.clone() })
    }

    fn delete() {}
}

fn main() {}

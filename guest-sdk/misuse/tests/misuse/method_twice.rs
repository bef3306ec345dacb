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
}

#[bulkhead_sdk::method]
fn link(call: Call<Site>) -> Result<Output<String>> {
    Ok(call.this.url.clone())
}

#[bulkhead_sdk::method(rename = "link")]
fn other(call: Call<Site>) -> Result<Output<String>> {
    Ok(call.this.url.clone())
}

bulkhead_sdk::provider! {
    name: "web",
    components: [Site],
    methods: [link, other],
}

fn main() {}

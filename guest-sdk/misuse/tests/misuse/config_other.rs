use bulkhead_sdk::{Config, Create, Created, Resource, Result, State, provider, resource};

#[derive(Config)]
struct Settings {
    endpoint: String,
}

#[derive(Config)]
struct OtherSettings {
    endpoint: String,
}

#[derive(State)]
struct Zone {}

#[resource(token = "dns:index:Zone")]
impl Resource for Zone {
    type Inputs = ();
    type Config = OtherSettings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new(request.config.endpoint.clone(), Self {}))
    }
}

provider! {
    name: "dns",
    config: Settings,
    resources: [Zone],
}

fn main() {}

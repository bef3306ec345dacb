//! Where a provider of a language host works: one process serves programs of several directories, and runs in none of them.

use std::fs;

use bulkhead_proto::language::RunPluginRequest;
use bulkhead_tests::serving::{Serving, creation};
use bulkhead_value::{Asset, AssetSource, Object, Value};

use super::{plugin, port, project, request, started};
use crate::guest;

/// VAL-14.
#[tokio::test]
async fn relative_paths_start_from_where_the_engine_has_a_provider_work() {
    let project = project();
    let plugin = plugin(&project, &guest("reading"));
    let (_host, mut client) = started(&project).await;
    let asset = Value::from(Asset { hash: None, source: AssetSource::Path("words/file.txt".into()) });
    let inputs: Object = [("asset", asset)].into();
    let mut served = Vec::new();
    for name in ["one", "another"] {
        let directory = project.temporary().join(name);
        fs::create_dir_all(directory.join("words")).unwrap();
        fs::write(directory.join("words/file.txt"), format!("in {name}")).unwrap();
        let pwd = directory.to_str().unwrap().to_owned();
        let asked = RunPluginRequest { pwd, ..request(&plugin, "resource") };
        let mut stream = client.run_plugin(asked).await.unwrap().into_inner();
        let serving = Serving::at(&port(&mut stream).await).await.ready(Object::new()).await;
        served.push((name, serving, stream));
    }
    for (name, serving, _stream) in &served {
        let created = serving.create_as(creation("reading:index:Contents", inputs.clone())).await.unwrap();
        assert_eq!(created.state["found"], vec![Value::from(format!("in {name}"))].into());
    }
}

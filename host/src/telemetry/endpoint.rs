//! Where spans go, as engines and operators say it: by the environment.

/// Given to plugins by engines that trace: `localhost:PORT`, plain gRPC.
const ENGINE: &str = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";
/// Those of OpenTelemetry itself, the more special first.
const COMMON: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
/// Which protocol is spoken there.
const PROTOCOLS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];

/// The collector's address, if there is one that is spoken to in plain gRPC.
pub(super) fn endpoint(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let named = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(engine) = named(ENGINE) {
        return plain(&engine);
    }
    let protocol = PROTOCOLS.into_iter().find_map(named);
    if protocol.is_some_and(|protocol| protocol != "grpc") {
        return None;
    }
    plain(&COMMON.into_iter().find_map(named)?)
}

fn plain(address: &str) -> Option<String> {
    match address.split_once("://") {
        None => Some(format!("http://{address}")),
        Some(("http" | "grpc", rest)) => Some(format!("http://{rest}")),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<String> {
        endpoint(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_engine_comes_first() {
        let (engine, common) = ((ENGINE, "localhost:1"), (COMMON[1], "http://collector:4317"));
        assert_eq!(found(&[engine, common]).as_deref(), Some("http://localhost:1"));
        assert_eq!(found(&[common]).as_deref(), Some("http://collector:4317"));
        assert_eq!(found(&[(COMMON[0], "http://traces:1"), common]).as_deref(), Some("http://traces:1"));
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[(ENGINE, "")]), None);
    }

    #[test]
    fn what_is_not_plain_grpc_is_left_alone() {
        let common = (COMMON[1], "http://collector:4318");
        assert_eq!(found(&[common, (PROTOCOLS[1], "http/protobuf")]), None);
        assert!(found(&[common, (PROTOCOLS[0], "grpc"), (PROTOCOLS[1], "http/json")]).is_some());
        assert_eq!(found(&[(COMMON[1], "https://collector:4317")]), None);
    }
}

//! GetPluginInfo: the package's version, before any configuration.

use bulkhead_proto::plugin::PluginInfo;

use super::conversation::Offer;

pub(super) fn get_plugin_info(offer: &Offer) -> PluginInfo {
    PluginInfo { version: offer.package.version.as_ref().map(ToString::to_string).unwrap_or_default() }
}

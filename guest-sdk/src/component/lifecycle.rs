//! [`Component`].

use super::construct::Construct;
use crate::engine::Lifted;
use crate::error::Result;
use crate::record::{Inputs, State};
use crate::resource::Declared;

/// A component resource. `Self` is its outputs, most of them [`Output`](crate::Output)s.
///
/// A component is a logical container: it has children, inputs and outputs, and nothing of its own that could be created or deleted.
///
/// ```
/// # use bulkhead_sdk::{Create, Created, Resource, resource};
/// use bulkhead_sdk::{Component, Construct, Inputs, Output, Result, State, component, fields, inputs};
///
/// # #[derive(Inputs)]
/// # struct PageArgs { path: String, text: String }
/// # #[derive(State)]
/// # struct Page { #[bulkhead(flatten)] args: PageArgs, url: String }
/// # #[resource(token = "web:index:Page")]
/// # impl Resource for Page {
/// #     type Inputs = PageArgs;
/// #     fn create(request: Create<Self>) -> Result<Created<Self>> {
/// #         Ok(Created::new("page", Page { args: request.inputs, url: String::new() }))
/// #     }
/// # }
/// #[derive(Inputs)]
/// struct SiteArgs {
///     /// What the front page says.
///     text: Output<String>,
/// }
///
/// /// A site of one page, with a name.
/// #[derive(State)]
/// struct Site {
///     /// Where it is.
///     url: Output<String>,
/// }
///
/// #[component(token = "web:index:Site")]
/// impl Component for Site {
///     type Inputs = SiteArgs;
///
///     fn construct(request: Construct<Self>) -> Result<Self> {
///         let text = request.inputs.text.clone();
///         let page = request.child("page").register::<Page>(inputs!(PageArgs { path: "/", text: text }))?;
///         request.child("name").resource("dns:index:Record", fields! { "target": &page.url });
///         Ok(Site { url: page.url.clone() })
///     }
/// }
/// ```
///
/// # What isn't checked
///
/// Engines don't check the inputs of components. Their types are, defaults are filled in, and the rest is the component's to say, with
/// [`Error::rejected`](crate::Error::rejected) and the place.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a component",
    label = "not a component",
    note = "write `impl bulkhead_sdk::Component for {Self}`; a custom resource stands in `resources: […]`"
)]
pub trait Component: State + Lifted + Declared + 'static {
    /// What a program gives. What is an [`Output`](crate::Output) may be given as one; all else is plain and known, also in previews.
    type Inputs: Inputs + 'static;
    /// The provider's configuration, or `()`, which is also what an `impl` without it means.
    type Config: 'static;

    /// Registers the children, and says what the outputs are. Previews call it too.
    fn construct(request: Construct<'_, Self>) -> Result<Self>;
}

//! A provider of web sites: pages, and a component that makes several of them and a name for them.

use std::collections::BTreeMap;
use std::time::Duration;

use bulkhead_sdk::engine::{Alias, Timeouts};
use bulkhead_sdk::output::all;
use bulkhead_sdk::{
    Call, Component, Config, Construct, Create, Created, Error, Inputs, Object, Options, Output, Path, Ref, Resource,
    Result, State, ThisProvider, Value, component, fields, function, inputs, method, provider, resource,
};

/// How to reach the service.
#[derive(Config)]
pub(crate) struct Settings {
    /// Where sites are.
    #[bulkhead(default = "web.example")]
    pub domain: String,
}

#[derive(Inputs)]
pub(crate) struct PageArgs {
    /// Where in the site it is.
    pub path: String,
    /// What it says.
    pub text: String,
    /// How long it may be cached, in seconds.
    pub max_age: Option<u32>,
    /// What else is said.
    pub tags: Option<Vec<String>>,
}

/// A page.
#[derive(State)]
pub(crate) struct Page {
    #[bulkhead(flatten)]
    pub args: PageArgs,
    /// Where it is.
    pub url: String,
    /// Who saw it.
    pub visitors: Option<Vec<String>>,
}

#[resource(token = "web:index:Page")]
impl Resource for Page {
    type Inputs = PageArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        Ok(Created::new("page", Page { url: format!("https://web.example{}", args.path), args, visitors: None }))
    }
}

/// How a site looks.
#[derive(Object, Clone, Debug, PartialEq)]
pub(crate) struct Theme {
    /// Its colour.
    pub colour: String,
}

#[derive(Inputs)]
pub(crate) struct SiteArgs {
    /// What the front page says.
    pub text: Output<String>,
    /// How many pages there are beside the front page.
    #[bulkhead(default = 0)]
    pub pages: u32,
    /// Labels, of pages by their number.
    pub labels: Option<Vec<Output<String>>>,
    /// How it looks.
    pub theme: Option<Output<Theme>>,
    /// A page to link to.
    pub link: Option<Output<Ref<Page>>>,
    /// Names that it has, without outputs in between.
    pub aliases: Option<Vec<String>>,
}

/// A site of several pages, with a name.
#[derive(State)]
pub(crate) struct Site {
    /// Where it is.
    pub url: Output<String>,
    /// Where its pages are.
    pub pages: Vec<Output<String>>,
    /// The front page.
    pub front: Output<Ref<Page>>,
    /// What it links to.
    pub linked: Output<Option<String>>,
}

#[component(token = "web:index:Site", aliases = ["web:old:Site"])]
impl Component for Site {
    type Inputs = SiteArgs;
    type Config = Settings;

    fn construct(request: Construct<Self>) -> Result<Self> {
        let args = &request.inputs;
        if args.pages > 9 {
            return Err(Error::rejected("pages", "must be 9 at most"));
        }
        let labels = args.labels.clone().unwrap_or_default();
        if let Some(surplus) = labels.get(args.pages as usize) {
            let _: &Output<String> = surplus;
            return Err(Error::rejected(Path::from("labels").index(args.pages), "labels a page that there isn't"));
        }
        let front =
            request.child("front").register::<Page>(inputs!(PageArgs { path: "/", text: &args.text, max_age: 60 }))?;
        let mut pages = Vec::new();
        for number in 0..args.pages {
            let text = match labels.get(number as usize) {
                Some(label) => label.clone(),
                None => Output::from(format!("page {number}")),
            };
            let page = inputs!(PageArgs { path: format!("/{number}"), text: text });
            pages.push(request.child(format!("page{number}")).register::<Page>(page)?.url.clone());
        }
        let url = all((front.url.clone(), args.text.clone())).map(|(url, _)| url.clone());
        request
            .child("name")
            .resource("dns:index:Record", fields! { "target": &front.url, "domain": request.config.domain.as_str() });
        let linked = match &args.link {
            Some(link) => request.hydrate::<Page>(link).url.map(|url| Some(url.clone())),
            None => Output::from(None),
        };
        Ok(Site { url, pages, front: front.reference(), linked })
    }
}

#[derive(Inputs)]
pub(crate) struct EverythingArgs {
    /// What to do.
    pub what: String,
}

/// A component that does what it is told to.
#[derive(State)]
pub(crate) struct Everything {
    /// What came of it.
    pub result: Output<Value>,
}

#[component(token = "web:index:Everything")]
impl Component for Everything {
    type Inputs = EverythingArgs;

    fn construct(request: Construct<Self>) -> Result<Self> {
        let first = request.child("first").resource("other:index:First", fields! { "size": 1 });
        let result = match request.inputs.what.as_str() {
            "options" => {
                let second = request.child_named("second").resource("other:index:Second", fields! {});
                let careful = Options::new().protect(false).version("2.0.0");
                let third = request
                    .child("third")
                    .options(&careful)
                    .parent(&first)
                    .depends_on(&second)
                    .alias(Alias::name("old"))
                    .alias(Alias::Urn("urn:pulumi:stack::project::other:index:Third::older".to_owned()))
                    .ignore_changes("tags.owner")
                    .replace_on_changes("*")
                    .additional_secret_output("token")
                    .delete_before_replace(true)
                    .timeouts(Timeouts { create: Some(Duration::from_secs(5400)), ..Timeouts::default() })
                    .retain_on_delete(false)
                    .deleted_with(&first)
                    .replace_with(&second)
                    .import("imported")
                    .plugin_download_url("https://other.example")
                    .replacement_trigger(second.id())
                    .hide_diffs("noise")
                    .resource("other:index:Third", fields! {});
                third.outputs()
            }
            "providers" => {
                let own = request.child("eu").provider_instance("other", fields! { "region": "eu" });
                request.child("a").provider(&own).resource("other:index:Thing", fields! {});
                request.child("b").resource("other:index:Thing", fields! {});
                request.child("c").resource("foreign:index:Thing", fields! {});
                request.child("d").provider_of_children(&own).component("other:index:Group", fields! {});
                request.function("other:index:lookup").provider(&own).invoke(fields! { "name": "a" })
            }
            "group" => {
                let group = request.child("group").group("web:index:Group");
                request.child("inside").parent(&group).resource("other:index:Thing", fields! {}).outputs()
            }
            "functions" => {
                let name = first.output::<u32>("size").secret();
                let found: Output<Value> = request.function("other:index:lookup").invoke(fields! { "size": name });
                let called: Output<Value> =
                    request.function("other:index:First/describe").call(&first, fields! { "deep": true });
                all((found, called)).map(|(found, called)| Value::from(vec![found.clone(), called.clone()]))
            }
            "read" => {
                let page = request.child("known").read::<Page>("page-7");
                let other = request.child("other").read_resource("other:index:Thing", page.id(), fields! { "a": 1 });
                other.outputs()
            }
            "deployment" => {
                let deployment = request.deployment()?;
                let config = deployment.config("project");
                let (size, token) = (config.require::<u32>("size")?, config.require::<String>("token")?);
                let stack = deployment.stack.clone();
                all((size, token)).map(move |(size, token)| Value::from(format!("{stack} {size} {token}")))
            }
            "computed" => first.id().map(|_| -> Value { unreachable!("a preview doesn't know the id") }),
            "failing" => {
                // Nobody looks at it.
                _ = first.id().try_map(|_| -> Result<u32> { Err(Error::failed("the computation failed")) });
                Output::from(Value::Null)
            }
            "swallowed" => {
                let failing = request.child("failing").resource("other:index:Failing", fields! {});
                // A child that needs what failed can't be registered.
                let after = request.child("after").resource("other:index:Thing", fields! { "a": failing.id() });
                after.outputs()
            }
            "nested" => {
                let site = request.child("site").register::<Site>(inputs!(SiteArgs { text: "nested", pages: 1 }))?;
                site.url.map(|url| Value::from(url.as_str()))
            }
            "twins" => {
                let twins = ["twin", "twin"].map(|name| request.child(name).resource("other:index:Thing", fields! {}));
                all(twins.map(|twin| twin.outputs()).to_vec()).map(|twins| Value::from(twins.clone()))
            }
            "late" => {
                let pages: Vec<_> = ["a", "b"]
                    .into_iter()
                    .map(|name| {
                        let text = first.output::<u32>("size").map(move |size| format!("{name} {size}"));
                        request.child(name).register::<Page>(inputs!(PageArgs { path: "/", text: text }))
                    })
                    .collect::<Result<_>>()?;
                all(pages.iter().map(|page| page.url.clone()).collect::<Vec<_>>()).map(|urls| Value::from(urls.clone()))
            }
            other => return Err(Error::rejected("what", format!("isn't known: {}", other.len()))),
        };
        Ok(Everything { result })
    }
}

#[derive(Inputs)]
pub(crate) struct LinkArgs {
    /// The page's path.
    pub path: Output<String>,
    /// Whether it is safe.
    #[bulkhead(default = true)]
    pub safe: bool,
}

#[derive(State)]
pub(crate) struct Link {
    /// Where the page is.
    pub url: Output<String>,
    /// Where the site is kept.
    pub domain: String,
}

/// Where a page of the site is.
#[method]
pub(crate) fn link(call: Call<Site>, arguments: LinkArgs, config: &Settings) -> Result<Link> {
    let scheme = if arguments.safe { "https" } else { "http" };
    let url = all((call.this.url.clone(), arguments.path)).map(move |(url, path)| format!("{scheme}:{url}{path}"));
    Ok(Link { url, domain: config.domain.clone() })
}

/// How long the page's text is.
#[method(rename = "length", deprecated = "count yourself")]
pub(crate) fn text_length(call: Call<Page>) -> Result<Output<u32>> {
    Ok(call.this.args.text.map(|text| text.len() as u32))
}

/// Which domain the provider is for.
#[method]
pub(crate) fn domain(_: Call<ThisProvider>, config: &Settings) -> Result<String> {
    Ok(config.domain.clone())
}

/// Where sites are.
#[function(token = "web:index:where")]
pub(crate) fn place(config: &Settings) -> Result<BTreeMap<String, String>> {
    Ok(BTreeMap::from([("domain".to_owned(), config.domain.clone())]))
}

provider! {
    name: "web",
    version: "1.2.3",
    config: Settings,
    resources: [Page],
    components: [Site, Everything],
    methods: [link, text_length, domain],
    functions: [place],
}

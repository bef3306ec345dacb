//! A component written with the SDK: a site of several pages with a name, and methods of all that can have some.

use bulkhead_sdk::output::all;
use bulkhead_sdk::{
    Call, Component, Config, Construct, Create, Created, Error, Inputs, Output, Ref, Resource, Result, State,
    ThisProvider, Update, Updated, Value, component, fields, inputs, method, provider, resource,
};

/// Where sites are.
#[derive(Config)]
struct Settings {
    /// The domain.
    #[bulkhead(default = "web.example")]
    domain: String,
}

#[derive(Inputs)]
struct PageArgs {
    /// Where in the site it is.
    #[bulkhead(replace)]
    path: String,
    /// What it says.
    text: String,
}

/// A page.
#[derive(State)]
struct Page {
    #[bulkhead(flatten)]
    args: PageArgs,
    /// Where it is.
    #[bulkhead(stable)]
    url: String,
}

#[resource(token = "site:index:Page")]
impl Resource for Page {
    type Inputs = PageArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        if args.text == "unprintable" {
            return Err(Error::failed("the page can't be printed"));
        }
        let url = format!("https://{}{}", request.config.domain, args.path);
        Ok(Created::new(url.clone(), Page { args, url }))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let url = request.prior.id.clone();
        Ok(Updated::new(Page { args: request.inputs, url }))
    }
}

#[derive(Inputs)]
struct SiteArgs {
    /// What the front page says.
    text: Output<String>,
    /// How many pages there are beside the front page.
    #[bulkhead(default = 0)]
    pages: u32,
    /// What finds the site by where it is: a function of that name, if it is `site:index:find`.
    finder: Option<String>,
}

/// A site of several pages.
#[derive(State)]
struct Site {
    /// Where it is.
    url: Output<String>,
    /// Where its pages are.
    pages: Vec<Output<String>>,
    /// The front page.
    front: Output<Ref<Page>>,
    /// How long the front page's text is.
    length: Output<u32>,
}

#[component(token = "site:index:Site", aliases = ["site:index:Homepage"])]
impl Component for Site {
    type Inputs = SiteArgs;
    type Config = Settings;

    fn construct(request: Construct<Self>) -> Result<Self> {
        let SiteArgs { text, pages, finder } = &request.inputs;
        if *pages > 9 {
            return Err(Error::rejected("pages", "must be 9 at most"));
        }
        let front = request.child("front").register::<Page>(inputs!(PageArgs { path: "/", text: text }))?;
        let mut urls = Vec::new();
        for number in 0..*pages {
            let text = all((front.url.clone(), text.clone())).map(move |(url, _)| format!("page {number} of {url}"));
            let page = inputs!(PageArgs { path: format!("/{number}"), text: text });
            urls.push(request.child(format!("page{number}")).register::<Page>(page)?.url.clone());
        }
        let mut url = front.url.clone();
        if let Some(finder) = finder.as_ref().filter(|finder| *finder == "site:index:find") {
            let found: Output<Value> = request.function(finder).invoke(fields! { "url": url.clone() });
            url = all((url, found)).map(|(url, _)| url.clone());
        }
        Ok(Site { url, pages: urls, front: front.reference(), length: text.map(|text| text.chars().count() as u32) })
    }
}

#[derive(Inputs)]
struct LinkArgs {
    /// The page's path.
    path: Output<String>,
}

#[derive(State)]
struct Link {
    /// Where the page is.
    url: Output<String>,
}

/// Where a page of the site is.
#[method]
fn link(call: Call<Site>, arguments: LinkArgs) -> Result<Link> {
    let url = all((call.this.url.clone(), arguments.path)).map(|(url, path)| format!("{url}{path}"));
    Ok(Link { url })
}

/// How long the page's text is.
#[method]
fn length(call: Call<Page>) -> Result<Output<u32>> {
    Ok(call.this.args.text.map(|text| text.chars().count() as u32))
}

/// Which domain the provider is for.
#[method]
fn domain(_: Call<ThisProvider>, config: &Settings) -> Result<String> {
    Ok(config.domain.clone())
}

provider! {
    name: "site",
    config: Settings,
    resources: [Page],
    components: [Site],
    methods: [link, length, domain],
}

//! Composite properties of every form, written with the SDK: tuples, unions, and objects of outputs; a function that knows whether a
//! preview asks and takes its arguments one by one; methods whose results are plain; a look-up by more than an id.

use std::collections::BTreeMap;

use bulkhead_sdk::{
    Call, Component, Construct, Create, Created, Error, Input, Inputs, Invoke, Object, Output, Read, Resource, Result,
    Snapshot, State, Union, Update, Updated, component, function, inputs, method, provider, resource,
};

/// Something that is written at a place.
#[derive(Object)]
struct Mark {
    /// What it says.
    text: String,
    /// Where it is.
    at: (f64, f64),
}

/// What stands beside a polygon.
#[derive(Union)]
enum Label {
    Text(String),
    Mark(Mark),
}

#[derive(Inputs)]
struct PolygonArgs {
    /// Where its corners are.
    #[bulkhead(min_items = 3)]
    corners: Vec<(f64, f64)>,
    /// The colour of its line, and how wide that is.
    #[bulkhead(replace)]
    line: (String, u32),
    /// What stands beside it.
    label: Option<Label>,
    /// Further places.
    places: Option<BTreeMap<String, (f64, f64)>>,
}

/// A polygon.
#[derive(State)]
struct Polygon {
    #[bulkhead(flatten)]
    args: PolygonArgs,
    /// The least rectangle around it: the first corner and the last.
    bounds: ((f64, f64), (f64, f64)),
    /// Its colour, how many corners it has, and whether it has a label.
    summary: (String, u32, bool),
}

impl Polygon {
    fn new(args: PolygonArgs) -> Self {
        let summary = (args.line.0.clone(), args.corners.len() as u32, args.label.is_some());
        Self { bounds: bounds(&args.corners), summary, args }
    }
}

fn bounds(corners: &[(f64, f64)]) -> ((f64, f64), (f64, f64)) {
    let of = |number: fn(f64, f64) -> f64, start: f64| {
        corners.iter().fold((start, start), |(x, y), corner| (number(x, corner.0), number(y, corner.1)))
    };
    (of(f64::min, f64::MAX), of(f64::max, f64::MIN))
}

#[derive(Inputs)]
struct PolygonLookup {
    /// The colour of its line.
    colour: Option<String>,
}

#[resource(token = "shapes:index:Polygon", lookup = PolygonLookup)]
impl Resource for Polygon {
    type Inputs = PolygonArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("polygon", Self::new(request.inputs)))
    }

    /// One that others drew is a triangle, in the colour that it is looked up by.
    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let colour = match &request.prior {
            Some(prior) => match prior.state() {
                Ok(state) => return Ok(Some(Snapshot::new(request.id, state))),
                Err(_) => prior.lookup()?.colour,
            },
            None => None,
        };
        let line = (colour.unwrap_or_else(|| "black".to_owned()), 1);
        let args = PolygonArgs { corners: vec![(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], line, label: None, places: None };
        Ok(Some(Snapshot::new(request.id, Self::new(args))))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        Ok(Updated::new(Self::new(request.inputs)))
    }
}

#[derive(Inputs)]
struct DrawingArgs {
    /// How large it is.
    size: Output<f64>,
    /// The colour of its lines, and how wide they are.
    line: (Output<String>, u32),
}

/// A triangle, and another one in its bounds.
#[derive(State)]
struct Drawing {
    /// Where it ends.
    end: (Output<f64>, Output<f64>),
    /// What is said of the triangle.
    summary: Output<(String, u32, bool)>,
    /// What is said of both, by their names.
    all: BTreeMap<String, Output<(String, u32, bool)>>,
}

fn place(x: impl Into<Input<f64>>, y: impl Into<Input<f64>>) -> (Input<f64>, Input<f64>) {
    (x.into(), y.into())
}

#[component(token = "shapes:index:Drawing")]
impl Component for Drawing {
    type Inputs = DrawingArgs;

    fn construct(request: Construct<Self>) -> Result<Self> {
        let DrawingArgs { size, line: (colour, width) } = &request.inputs;
        let triangle = request.child("triangle").register::<Polygon>(inputs!(PolygonArgs {
            corners: vec![place(0.0, 0.0), place(size, 0.0), place(0.0, size)],
            line: (colour, *width),
            label: Some(inputs!(Mark { text: colour, at: (size, 0.0) })),
            places: BTreeMap::from([("end".to_owned(), (size, size))]),
        }))?;
        let (_, end) = triangle.bounds.parts();
        let (right, bottom) = end.parts();
        let within = request.child("within").register::<Polygon>(inputs!(PolygonArgs {
            corners: vec![place(&right, 0.0), place(0.0, &bottom), place(&right, &bottom)],
            line: (triangle.summary.parts().0, 1),
            label: Some("within"),
        }))?;
        let all = [("triangle", &triangle.summary), ("within", &within.summary)];
        let all = all.map(|(name, summary)| (name.to_owned(), summary.clone()));
        Ok(Drawing { end: (right, bottom), summary: triangle.summary.clone(), all: all.into() })
    }
}

/// What is said of one of the triangles.
#[method]
fn told(call: Call<Drawing>, arguments: NamedArgs) -> Result<Output<(String, u32, bool)>> {
    let name = arguments.name;
    let told = call.this.all.get(name.as_str());
    Ok(told
        .try_map(move |told| told.clone().ok_or_else(|| Error::rejected("name", format!("is of no triangle: {name}")))))
}

#[derive(Inputs)]
struct NamedArgs {
    /// The triangle's name.
    name: String,
}

/// How many corners there are, and what they are called.
#[method(plain)]
fn corners(_: Call<Drawing>, arguments: NamedArgs) -> Result<(u32, String)> {
    Ok((3, format!("corners of {}", arguments.name)))
}

/// The colour, which a preview may not know.
#[method(plain)]
fn colour(call: Call<Drawing>) -> Result<Colour> {
    Ok(Colour { colour: call.this.summary.parts().0 })
}

#[derive(State)]
struct Colour {
    /// The colour.
    colour: Output<String>,
}

#[derive(Inputs)]
struct MeasureArgs {
    /// How many times as large they are.
    scale: Option<f64>,
    /// Where corners are.
    corners: Vec<(f64, f64)>,
}

#[derive(State)]
struct Measured {
    /// The least rectangle around them: the first corner and the last.
    bounds: ((f64, f64), (f64, f64)),
    /// Whether a preview asked.
    preview: bool,
}

/// Measures corners, and says who asked.
#[function(token = "shapes:index:measure", positional)]
fn measure(invoke: Invoke, arguments: MeasureArgs) -> Result<Measured> {
    let scale = arguments.scale.unwrap_or(1.0);
    let corners: Vec<_> = arguments.corners.iter().map(|(x, y)| (x * scale, y * scale)).collect();
    Ok(Measured { bounds: bounds(&corners), preview: invoke.is_preview() })
}

/// Whether a preview asks.
#[function(token = "shapes:index:whetherAPreviewAsks")]
fn whether_a_preview_asks(invoke: Invoke) -> Result<(String, bool)> {
    Ok(("a preview".to_owned(), invoke.is_preview()))
}

provider! {
    name: "shapes",
    resources: [Polygon],
    components: [Drawing],
    methods: [told, corners, colour],
    functions: [measure, whether_a_preview_asks],
}

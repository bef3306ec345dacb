//! Visiting places in order.

use bulkhead_value::{PropertyPath, Segment, Value};

/// One step into a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step<'a> {
    /// A property that the schema declares.
    Field(&'a str),
    /// A key of a map, or of anything else whose names the schema doesn't know.
    Key(&'a str),
    /// An element of a list.
    Index(usize),
}

impl Step<'_> {
    pub(crate) fn segment(self) -> Segment {
        match self {
            Self::Field(name) => Segment::Field(name.to_owned()),
            Self::Key(name) => Segment::Key(name.to_owned()),
            Self::Index(index) => Segment::Index(index),
        }
    }

    /// Whether this is the step that a segment says, or one of those that it stands for.
    fn is(self, segment: &Segment) -> bool {
        match (segment, self) {
            (Segment::Wildcard, _) => true,
            (Segment::Field(said) | Segment::Key(said), Self::Field(name) | Self::Key(name)) => said == name,
            (Segment::Index(said), Self::Index(index)) => *said == index,
            _ => false,
        }
    }
}

/// A visit of places, parents first and children in the order in which they were added, that knows where it is.
///
/// Only the way to the present place is kept, and it is spelt out only when somebody asks.
pub(crate) struct Walk<'a, T> {
    open: Vec<Open<'a, T>>,
    way: Vec<Taken<'a>>,
    /// Where the children of the present place start in `open`.
    children: usize,
    concealed: bool,
    visit: usize,
}

struct Open<'a, T> {
    depth: usize,
    taken: Taken<'a>,
    place: T,
}

#[derive(Clone, Copy)]
struct Taken<'a> {
    step: Step<'a>,
    /// Whether the step is made inside a secret.
    concealed: bool,
    /// The number of the place that the step leads to.
    visit: usize,
}

impl<'a, T> Walk<'a, T> {
    /// A visit that stands at the root.
    pub(crate) fn new() -> Self {
        Self { open: Vec::new(), way: Vec::new(), children: 0, concealed: false, visit: 0 }
    }

    /// Adds a place below the present one.
    pub(crate) fn push(&mut self, step: Step<'a>, place: T) {
        let taken = Taken { step, concealed: self.concealed, visit: 0 };
        self.open.push(Open { depth: self.way.len(), taken, place });
    }

    /// Goes to the next place.
    pub(crate) fn next(&mut self) -> Option<T> {
        // The last one added is taken first, so those added at one place are turned around once.
        if let Some(children) = self.open.get_mut(self.children..) {
            children.reverse();
        }
        let Open { depth, taken, place } = self.open.pop()?;
        self.visit = self.visit.wrapping_add(1);
        self.way.truncate(depth);
        self.way.push(Taken { visit: self.visit, ..taken });
        self.concealed = taken.concealed;
        self.children = self.open.len();
        Some(place)
    }

    /// What a place holds below its secrets and outputs. If it is secret, so are the names below it that the schema
    /// doesn't know.
    pub(crate) fn open(&mut self, value: &'a Value) -> &'a Value {
        self.concealed |= is_marked(value);
        value.plain()
    }

    /// Whether the present place is secret.
    pub(crate) fn is_concealed(&self) -> bool {
        self.concealed
    }

    /// How many steps it is to the present place.
    pub(crate) fn depth(&self) -> usize {
        self.way.len()
    }

    /// The number of the place after one step more than these on the way to the present one.
    pub(crate) fn visit_at(&self, depth: usize) -> Option<usize> {
        self.way.get(depth).map(|taken| taken.visit)
    }

    /// The way to the present place: the number of each place on it, and the step that leads there.
    pub(crate) fn visits(&self) -> impl Iterator<Item = (usize, Step<'a>)> {
        self.way.iter().map(|taken| (taken.visit, taken.step))
    }

    /// The first step of the way to the present place, or to the one a step further where the visit stands at the root.
    pub(crate) fn top(&self, step: Option<Step<'a>>) -> Option<Step<'a>> {
        self.way.first().map(|taken| taken.step).or(step)
    }

    /// Whether the present place, or the one a step further, is the one of a path or inside it.
    pub(crate) fn is_within(&self, path: &PropertyPath, step: Option<Step<'_>>) -> bool {
        let mut way = self.way.iter().map(|taken| taken.step).chain(step);
        path.segments().iter().all(|segment| way.next().is_some_and(|step| step.is(segment)))
    }

    /// Where the visit stands, to be shown: the way ends where a name would be part of a secret, or has no spelling.
    pub(crate) fn path(&self) -> PropertyPath {
        shown(self.way.iter().copied())
    }

    /// A place one step further, to be shown.
    pub(crate) fn path_to(&self, step: Step<'_>) -> PropertyPath {
        shown(self.way.iter().copied().chain([Taken { step, concealed: self.concealed, visit: 0 }]))
    }

    /// Where the visit stands, in full.
    pub(crate) fn place(&self) -> PropertyPath {
        self.way.iter().map(|taken| taken.step.segment()).collect()
    }

    /// A place one step further, in full.
    pub(crate) fn place_of(&self, step: Step<'_>) -> PropertyPath {
        self.place().child(step.segment())
    }
}

/// What it takes to keep a path, in segments: a long name counts as several.
pub(crate) fn weight(path: &PropertyPath) -> usize {
    let names = path.segments().iter().filter_map(Segment::name).map(str::len).fold(0, usize::saturating_add);
    path.segments().len().saturating_add(names / SEGMENT)
}

/// A path to be read: one that nobody could read ends above where it leads.
pub(crate) fn readable(path: PropertyPath) -> PropertyPath {
    if weight(&path) <= READABLE {
        return path;
    }
    let mut left = READABLE;
    let segments = path.segments().iter().take_while(|segment| {
        let taken = segment.name().map_or(0, str::len) / SEGMENT;
        let enough = left.checked_sub(taken.saturating_add(1));
        left = enough.unwrap_or_default();
        enough.is_some()
    });
    segments.cloned().collect()
}

/// The weight of the longest path that is shown to somebody: deeper than any value on the wire.
const READABLE: usize = 4_096;

/// How many bytes a segment takes, without its name.
const SEGMENT: usize = 32;

/// A way as far as it may be shown and can be written: an engine that can't read a path gives up. What is at the top has no
/// place above it to stand for it.
fn shown<'s>(way: impl Iterator<Item = Taken<'s>>) -> PropertyPath {
    way.take_while(|taken| !(taken.concealed && matches!(taken.step, Step::Key(_))))
        .map(|taken| taken.step.segment())
        .enumerate()
        .take_while(|(position, segment)| *position == 0 || segment.can_be_written())
        .map(|(_, segment)| segment)
        .collect()
}

/// Whether a value is secret itself, or the output that it is in.
fn is_marked(value: &Value) -> bool {
    let mut value = value;
    loop {
        value = match value {
            Value::Secret(_) => return true,
            Value::Output(output) if output.secret => return true,
            Value::Output(output) => match &output.value {
                Some(inner) => inner,
                None => return false,
            },
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, Walk};
    use bulkhead_value::{Output, Value};

    #[test]
    fn places_are_visited_parents_first_and_in_order() {
        let mut walk = Walk::new();
        walk.push(Step::Field("a"), 2);
        walk.push(Step::Field("b"), 0);
        let mut seen = Vec::new();
        while let Some(children) = walk.next() {
            seen.push(walk.path().to_string());
            for index in 0..children {
                walk.push(Step::Index(index), 0);
            }
        }
        assert_eq!(seen, ["a", "a[0]", "a[1]", "b"]);
    }

    #[test]
    fn a_place_is_within_the_paths_that_lead_there() {
        let mut walk = Walk::new();
        for step in [Step::Field("rules"), Step::Index(3), Step::Field("port")] {
            walk.push(step, ());
            walk.next();
        }
        for (path, expected) in [
            ("rules", true),
            ("rules[*]", true),
            ("rules[3].port", true),
            ("rules[*].port.from", true),
            ("rules[*].port.to", false),
            ("rules[2]", false),
            ("rules.port", false),
            ("rules[3].port.from.x", false),
        ] {
            let path = bulkhead_value::PropertyPath::parse(path).unwrap();
            let step = Step::Key("from");
            assert_eq!(walk.is_within(&path, Some(step)), expected, "{path}");
            assert_eq!(path.contains(&walk.place_of(step)), expected, "{path}");
        }
    }

    #[test]
    fn keys_inside_a_secret_are_part_of_it() {
        let output = |value: Value, secret| {
            Value::from(Output { value: Some(Box::new(value)), secret, dependencies: Vec::new() })
        };
        for (value, shown) in [
            (Value::Null.secret(), "a"),
            (output(Value::Null, true), "a"),
            (output(Value::Null.secret(), false), "a"),
            (output(Value::Null, false), "a.k"),
        ] {
            let mut walk = Walk::new();
            walk.push(Step::Field("a"), Some(Step::Key("k")));
            while let Some(below) = walk.next() {
                walk.open(&value);
                if let Some(step) = below {
                    walk.push(step, None);
                }
            }
            assert_eq!((walk.path().to_string(), walk.place().to_string()), (shown.to_owned(), "a.k".to_owned()));
        }
    }
}

//! The type functions of Pulumi's type system, as this SDK has them: what fits a property at every depth, what an output has of its
//! parts, and what types are without outputs. One table each, with a row for each composite and each of its forms.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};

use bulkhead_sdk::engine::Fits;
use bulkhead_sdk::output::{Dependencies, all, gather};
use bulkhead_sdk::testing::{Known, known};
use bulkhead_sdk::value::{Output as Eventual, Property};
use bulkhead_sdk::{Enum, Input, Inputs, Object, Output, Secret, Union, Value, fields, inputs};

#[derive(Enum, Clone, Copy, Debug, PartialEq)]
enum Colour {
    Red,
}

#[derive(Object, Clone, Debug, PartialEq)]
struct Mark {
    text: String,
    at: Option<(u32, u32)>,
}

#[derive(Object, Clone, Debug, PartialEq)]
struct Board {
    colour: Colour,
    marks: Vec<Mark>,
    size: (u32, u32),
}

/// What takes anything.
#[derive(Object, Clone, Debug, PartialEq)]
struct Open {
    text: String,
    any: Option<Value>,
}

#[derive(Union, Clone, Debug, PartialEq)]
enum Container {
    Open(Open),
    Number(u32),
}

/// What no output hides in once it is plain.
#[derive(Object)]
struct Mixed {
    text: Output<String>,
    sizes: (Output<u32>, u32),
}

#[derive(Object, Clone, Debug, PartialEq)]
struct Gathered {
    text: String,
    sizes: (u32, u32),
}

#[derive(Union, Clone, Debug, PartialEq)]
enum Place {
    Named(String),
    At((u32, u32)),
    Among(Vec<String>),
    By(BTreeMap<String, u32>),
    Marked(Mark),
}

/// What the form alone doesn't tell apart.
#[derive(Union, Clone, Debug, PartialEq)]
enum Alike {
    Names(Vec<String>),
    Numbers(Vec<u32>),
    ByName(BTreeMap<String, String>),
    Marks(BTreeMap<String, Mark>),
    Left((String, u32)),
    Right((u32, String)),
    Alone((u32, u32, u32)),
}

fn text() -> Output<String> {
    Output::from("o".to_owned())
}

fn number() -> Output<u32> {
    Output::from(7)
}

fn unknown<T>() -> Output<T> {
    Output::unknown()
}

fn dependent() -> Output<String> {
    text().depends_on(Dependencies::from_iter(["urn:a"]))
}

/// What `dependent` is on the wire.
fn depends() -> Value {
    Value::Output(Eventual { value: Some(Box::new("o".into())), secret: false, dependencies: vec!["urn:a".to_owned()] })
}

fn secret() -> Value {
    Value::from("o").secret()
}

fn items<const N: usize>(items: [Value; N]) -> Value {
    Value::Items(items.into())
}

fn map<V>(value: V) -> BTreeMap<String, V> {
    BTreeMap::from([("a".to_owned(), value)])
}

/// What is sent if this is given for a property of the type `T`.
fn given<T: Property>(value: impl Fits<T::Plain>) -> Value {
    value.give().to_value().unwrap()
}

/// TYP-06: `inputShape`. A value fits, an output of it, and whatever has its form and parts that fit.
#[test]
fn what_fits_a_type_fits_it_at_every_depth() {
    let (o, unknown_value) = (|| Value::from("o"), Value::Unknown);
    let red = || fields! { "colour": "red", "marks": Vec::<Value>::new(), "size": (1, 2) };
    let board = || Board { colour: Colour::Red, marks: Vec::new(), size: (1, 2) };
    let mark = |text: Value| Value::from(fields! { "text": text });
    for (form, sent, expected) in [
        ("a value", given::<String>("s"), "s".into()),
        ("an output", given::<String>(dependent()), depends()),
        ("a reference to an output", given::<String>(&text().secret()), secret()),
        ("an input", given::<String>(Input::<String>::from(text())), o()),
        ("an enum", given::<Colour>(Colour::Red), "red".into()),
        ("an output of an enum", given::<Colour>(unknown::<Colour>()), Value::Unknown),
        ("what is left out", given::<Option<u32>>(None::<u32>), Value::Null),
        ("what may be left out", given::<Option<u32>>(7), 7.into()),
        ("an output of that", given::<Option<u32>>(unknown::<u32>()), Value::Unknown),
        ("an output that may be left out", given::<Option<u32>>(Some(number())), 7.into()),
        ("an output of what may be left out", given::<Option<u32>>(Output::from(Some(7))), 7.into()),
        ("a property that is an output", given::<Output<String>>("s"), "s".into()),
        ("the same, and an output", given::<Output<String>>(text()), o()),
        ("outputs in a property", given::<Vec<Output<String>>>(vec!["s"]), items(["s".into()])),
        ("a list", given::<Vec<String>>(vec!["s", "t"]), items(["s".into(), "t".into()])),
        ("a list of outputs", given::<Vec<String>>(vec![unknown(), dependent()]), items([Value::Unknown, depends()])),
        ("an array of references", given::<Vec<String>>([&text(), &text().secret()]), items([o(), secret()])),
        (
            "a list of inputs",
            given::<Vec<String>>(vec![Input::<String>::from("s"), Input::from(unknown())]),
            items(["s".into(), Value::Unknown]),
        ),
        ("an output of a list", given::<Vec<String>>(Output::from(vec!["s".to_owned()])), items(["s".into()])),
        (
            "an output of a list of outputs",
            given::<Vec<String>>(Output::from(vec![unknown(), text()])),
            items([Value::Unknown, o()]),
        ),
        (
            "a list of lists",
            given::<Vec<Vec<String>>>(vec![vec![text()], vec![unknown()]]),
            items([items([o()]), items([Value::Unknown])]),
        ),
        ("a map", given::<BTreeMap<String, String>>(map(dependent())), fields! { "a": depends() }.into()),
        (
            "a map of any order",
            given::<HashMap<String, u32>>(HashMap::from([("a".to_owned(), number())])),
            fields! { "a": 7 }.into(),
        ),
        (
            "a map of lists",
            given::<BTreeMap<String, Vec<u32>>>(map(vec![number(), unknown()])),
            fields! { "a": items([7.into(), Value::Unknown]) }.into(),
        ),
        ("a tuple", given::<(String, u32)>(("s", 7)), items(["s".into(), 7.into()])),
        (
            "a tuple of outputs",
            given::<(String, u32)>((dependent(), unknown::<u32>())),
            items([depends(), Value::Unknown]),
        ),
        (
            "a tuple of composites",
            given::<(Vec<String>, (u32, Colour))>((vec![text()], (unknown::<u32>(), Colour::Red))),
            items([items([o()]), items([Value::Unknown, "red".into()])]),
        ),
        ("an output of a tuple", given::<(u32, u32)>(Output::from((1, 2))), items([1.into(), 2.into()])),
        (
            "an output of a tuple of outputs",
            given::<(u32, u32)>(Output::from((1, number()))),
            items([1.into(), 7.into()]),
        ),
        ("an object", given::<Board>(board()), red().into()),
        ("an output of an object", given::<Board>(Output::from(board()).secret()), Value::from(red()).secret()),
        (
            "an object of outputs",
            given::<Board>(inputs!(Board {
                colour: unknown::<Colour>(),
                marks: vec![inputs!(Mark { text: dependent(), at: (1, number()) })],
                size: Output::from((1, 2)),
            })),
            fields! {
                "colour": Value::Unknown,
                "marks": items([fields! { "text": depends(), "at": (1, 7) }.into()]),
                "size": (1, 2),
            }
            .into(),
        ),
        ("an object that may be left out", given::<Option<Mark>>(inputs!(Mark { text: "s" })), mark("s".into())),
        ("a boxed object", given::<Box<Mark>>(Box::new(inputs!(Mark { text: "s" }))), mark("s".into())),
        ("a union", given::<Place>(Place::Named("s".to_owned())), "s".into()),
        ("an output of a union", given::<Place>(unknown::<Place>()), unknown_value),
        ("one of its types", given::<Place>("s"), "s".into()),
        ("an output of one of its types", given::<Place>(dependent()), depends()),
        ("its tuple of outputs", given::<Place>((1, number())), items([1.into(), 7.into()])),
        ("its list of outputs", given::<Place>(vec![text()]), items([o()])),
        ("its map of outputs", given::<Place>(map(number())), fields! { "a": 7 }.into()),
        ("its object of outputs", given::<Place>(inputs!(Mark { text: text() })), mark(o())),
        ("a list of one of its lists", given::<Alike>(vec!["s".to_owned()]), items(["s".into()])),
        ("a list of another", given::<Alike>(vec![7_u32]), items([7.into()])),
        ("an output of one of its lists", given::<Alike>(Output::from(vec![7_u32])), items([7.into()])),
        ("one of its maps", given::<Alike>(map("s".to_owned())), fields! { "a": "s" }.into()),
        ("one of its tuples", given::<Alike>((7_u32, "s".to_owned())), items([7.into(), "s".into()])),
        ("its tuple that is like no other", given::<Alike>((1, number(), 1)), items([1.into(), 7.into(), 1.into()])),
        ("a list of unions", given::<Vec<Place>>(vec![text()]), items([o()])),
        ("a union that may be left out", given::<Option<Place>>(Some(text())), o()),
        ("a secret", given::<Secret<String>>(Secret::new("o")), secret()),
        ("a secret of an output", given::<Secret<String>>(Secret::new(text())), secret()),
        ("a secret of outputs", given::<Secret<Vec<String>>>(Secret::new(vec![text()])), items([o()]).secret()),
    ] {
        assert_eq!(sent, expected, "{form}");
    }
}

/// An output of a `T` that came with this.
fn came<T: Property>(value: impl Into<Value>) -> Output<T> {
    Output::from_value(value.into()).unwrap()
}

fn unknown_part() -> Known<u32> {
    Known { value: None, secret: false, dependencies: Vec::new() }
}

fn known_part<T>(value: T) -> Known<T> {
    Known { value: Some(value), secret: false, dependencies: Vec::new() }
}

/// TYP-07: `outputShape`. Each part of a composite is an output, at every depth, and known where it alone is.
#[test]
fn every_part_of_an_output_is_one() {
    let (unknown, seven) = (unknown_part, || known_part(7));
    let part = |output: Output<u32>| known(&output).unwrap();

    let list = came::<Vec<Vec<u32>>>(vec![vec![Value::from(7), Value::Unknown]]);
    assert_eq!((part(list.index(0).index(0)), part(list.index(0).index(1))), (seven(), unknown()));

    let map = came::<BTreeMap<String, u32>>(fields! { "a": 7, "b": Value::Unknown });
    let of_map = |key: &str| known(&map.get(key)).unwrap();
    assert_eq!((of_map("a"), of_map("b").value), (known_part(Some(7)), None));
    assert_eq!(of_map("c"), known_part(None));

    let tuple = came::<(u32, (u32, Vec<u32>))>((Value::Unknown, (7, vec![7])));
    let (first, second): (Output<u32>, Output<(u32, Vec<u32>)>) = tuple.parts();
    let (third, fourth): (Output<u32>, Output<Vec<u32>>) = second.parts();
    assert_eq!((part(first), part(third), part(fourth.index(0))), (unknown(), seven(), seven()));

    let marks = vec![fields! { "text": "o", "at": (7, Value::Unknown) }, fields! { "text": Value::Unknown }];
    let board = came::<Board>(fields! { "colour": "red", "marks": marks, "size": (Value::Unknown, 7) });
    assert_eq!(known(&board).unwrap().value, None);
    let parts = board.parts();
    assert_eq!((part(parts.size.parts().0), part(parts.size.parts().1)), (unknown(), seven()));
    assert_eq!(known(&parts.colour).unwrap(), known_part(Colour::Red));
    let mark: Output<Mark> = parts.marks.index(0);
    assert_eq!(known(&mark.parts().text).unwrap(), known_part("o".to_owned()));
    assert_eq!(known(&parts.marks.index(1).parts().at).unwrap(), known_part(None));
    assert_eq!(part(mark.field::<(u32, u32)>("at").parts().0), seven(), "an object by names");

    // Which of its types a union has, only its value says. Of the object that it may be, parts can be had before.
    let place = came::<Place>(fields! { "text": Value::Unknown, "at": (7, 7) });
    assert_eq!(known(&place).unwrap().value, None);
    assert_eq!(part(place.field::<(u32, u32)>("at").parts().1), seven());
    let named =
        came::<Place>("o").map(|place| if let Place::Named(name) = place { name.clone() } else { String::new() });
    assert_eq!(known(&named).unwrap(), known_part("o".to_owned()));

    // What is said of the whole is said of each part, beside what is said of it.
    let (_, second) =
        came::<(String, u32)>((Value::Unknown, 7)).secret().depends_on(Dependencies::from_iter(["urn:a"])).parts();
    let said = Known { value: Some(7), secret: true, dependencies: vec!["urn:a".to_owned()] };
    assert_eq!(part(second), said);

    // An output of an output is one.
    let (text, number): (Output<String>, Output<u32>) = came::<(Output<String>, u32)>((secret(), 7)).parts();
    assert_eq!((known(&text).unwrap().secret, part(number)), (true, seven()));
    let _: (Output<u32>, Output<u32>) = came::<Mixed>(fields! { "text": "o", "sizes": (7, 7) }).parts().sizes.parts();
}

/// TYP-05: nothing is computed with what isn't known, though it fits a member that takes anything.
#[test]
fn what_takes_anything_is_unknown_where_a_part_of_it_is() {
    fn computed<T: Property>(value: impl Into<Value>) -> Option<String> {
        known(&came::<T>(value).map(|_| "computed".to_owned())).unwrap().value
    }
    let with = |any: Value| fields! { "text": "o", "any": any };
    let within = || Value::from(fields! { "deep": vec![Value::Unknown] });
    for unknown in [Value::Unknown, within(), within().secret()] {
        assert_eq!(computed::<Open>(with(unknown.clone())), None);
        assert_eq!(computed::<Vec<Open>>(vec![with(unknown.clone())]), None);
        assert_eq!(computed::<Container>(with(unknown.clone())), None);
        assert_eq!(computed::<Value>(unknown), None);
    }
    assert_eq!(computed::<Open>(with(Value::Null)).as_deref(), Some("computed"));
    // What the type doesn't have, nobody computes with.
    let more = fields! { "text": "o", "more": Value::Unknown };
    assert_eq!(computed::<Open>(more).as_deref(), Some("computed"));
    let open = came::<Open>(with(Value::Unknown));
    assert_eq!(known(&open.parts().text).unwrap(), known_part("o".to_owned()));
}

/// TYP-07: `plainShape`. No output is left at any depth.
#[test]
fn plain_types_hold_no_outputs() {
    fn plain<T: Property, Expected: 'static>() -> bool {
        TypeId::of::<T::Plain>() == TypeId::of::<Expected>()
    }
    type Deep = Output<(Output<String>, Vec<Option<BTreeMap<String, Output<u32>>>>)>;
    for (form, holds) in [
        ("a value", plain::<u32, u32>()),
        ("an output", plain::<Output<u32>, u32>()),
        ("an output of an output", plain::<Output<Output<u32>>, u32>()),
        ("an option", plain::<Option<Output<u32>>, Option<u32>>()),
        ("a list", plain::<Vec<Output<u32>>, Vec<u32>>()),
        ("an output of a list", plain::<Output<Vec<Output<u32>>>, Vec<u32>>()),
        ("a map", plain::<BTreeMap<String, Output<u32>>, BTreeMap<String, u32>>()),
        ("a map of any order", plain::<HashMap<String, Output<u32>>, HashMap<String, u32>>()),
        ("a tuple", plain::<(Output<String>, u32), (String, u32)>()),
        ("a box", plain::<Box<Output<u32>>, Box<u32>>()),
        ("a secret", plain::<Secret<Output<u32>>, Secret<u32>>()),
        ("an object", plain::<Output<Board>, Board>()),
        ("a union", plain::<Vec<Output<Place>>, Vec<Place>>()),
        ("all of it", plain::<Deep, (String, Vec<Option<BTreeMap<String, u32>>>)>()),
    ] {
        assert!(holds, "{form}");
    }
}

/// TYP-07, TYP-10: what is made of outputs together is plain, also where they are in composites of composites.
#[test]
fn outputs_together_are_plain() {
    let composites = || (text(), vec![(number(), Some(text()))], map(vec![number().secret()]));
    type Plain = (String, Vec<(u32, Option<String>)>, BTreeMap<String, Vec<u32>>);
    let together: Output<Plain> = all(composites());
    let expected = ("o".to_owned(), vec![(7, Some("o".to_owned()))], map(vec![7]));
    assert_eq!(known(&together).unwrap(), Known { value: Some(expected), secret: true, dependencies: Vec::new() });
    let (text, list, _) = composites();
    let partly: Output<Plain> = all((text, list, map(vec![unknown()])));
    assert_eq!(known(&partly).unwrap().value, None);

    let mixed = Mixed { text: dependent(), sizes: (number(), 8) };
    let gathered = known(&gather::<Gathered>(&mixed).unwrap()).unwrap();
    assert_eq!(gathered.value, Some(Gathered { text: "o".to_owned(), sizes: (7, 8) }));
    assert_eq!(gathered.dependencies, ["urn:a"]);
}

#[derive(Inputs)]
struct BoardArgs {
    text: Text,
    sizes: BTreeMap<String, (Output<u32>, u32)>,
}

/// Where the derives can't see that there is an output.
type Text = Output<String>;

/// What is eventual in a component's own inputs is given as any other.
#[test]
fn inputs_that_hold_outputs_are_given_alike() {
    use bulkhead_sdk::engine::Arguments;

    let given = inputs!(BoardArgs { text: "s", sizes: map((7, number())) });
    assert!(Arguments::<BoardArgs>::into_pairs(given).is_ok());
    let whole = BoardArgs { text: text(), sizes: map((number(), 7)) };
    assert!(Arguments::<BoardArgs>::into_pairs(whole).is_ok());
}

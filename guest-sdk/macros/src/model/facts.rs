//! What is said about a property in `#[bulkhead(…)]`.

use proc_macro2::Span;
use syn::{Expr, LitStr};

use super::Kind;
use crate::diag;
use crate::parse::setting::Setting;

/// What is said about a property.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) deprecated: Option<String>,
    pub(crate) replace: bool,
    pub(crate) secret: bool,
    pub(crate) default: Option<Expr>,
    pub(crate) constant: Option<Expr>,
    pub(crate) output_default: Option<OutputDefault>,
    pub(crate) environment: Vec<LitStr>,
    pub(crate) stable: bool,
    pub(crate) not_echoed: bool,
    pub(crate) empty_is_absent: bool,
    pub(crate) coerces: bool,
    pub(crate) autoname: Option<Autoname>,
    pub(crate) minimum: Option<Expr>,
    pub(crate) maximum: Option<Expr>,
    pub(crate) min_length: Option<u32>,
    pub(crate) max_length: Option<u32>,
    pub(crate) min_items: Option<u32>,
    pub(crate) max_items: Option<u32>,
    pub(crate) pattern: Option<LitStr>,
    /// Names of fields, here and in the next two.
    pub(crate) conflicts_with: Vec<LitStr>,
    pub(crate) requires: Vec<LitStr>,
    pub(crate) exactly_one_of: Vec<LitStr>,
}

/// What the output is where the input is left out.
pub(crate) enum OutputDefault {
    /// Absent too.
    Absent,
    /// This.
    Value(Expr),
}

/// How a name is generated.
#[derive(Default)]
pub(crate) struct Autoname {
    pub(crate) max_length: Option<u32>,
    pub(crate) separator: Option<String>,
    pub(crate) hex_digits: Option<u32>,
    pub(crate) charset: Option<String>,
}

/// What may be said about a property, and on which sides: inputs, state, configuration, objects.
const SETTINGS: &[(&str, &[Kind])] = &[
    ("rename", Kind::ALL),
    ("secret", Kind::ALL),
    ("deprecated", Kind::ALL),
    ("flatten", Kind::ALL),
    ("skip", &[Kind::Config]),
    ("replace", Kind::GIVEN),
    ("default", Kind::GIVEN),
    ("constant", Kind::ALL),
    ("output_default", &[Kind::Inputs, Kind::Object]),
    ("env", Kind::GIVEN),
    ("stable", &[Kind::State, Kind::Object]),
    ("not_echoed", &[Kind::Inputs, Kind::Object]),
    ("empty_is_absent", Kind::GIVEN),
    ("coerces", Kind::GIVEN),
    ("autoname", &[Kind::Inputs]),
    ("minimum", Kind::GIVEN),
    ("maximum", Kind::GIVEN),
    ("min_length", Kind::GIVEN),
    ("max_length", Kind::GIVEN),
    ("min_items", Kind::GIVEN),
    ("max_items", Kind::GIVEN),
    ("pattern", Kind::GIVEN),
    ("conflicts_with", Kind::GIVEN),
    ("requires", Kind::GIVEN),
    ("exactly_one_of", Kind::GIVEN),
];

impl Facts {
    /// Reads the settings that are facts; `rename`, `flatten` and `skip` are read elsewhere.
    pub(crate) fn read(settings: &[Setting], kind: Kind) -> syn::Result<Self> {
        let mut facts = Self::default();
        for setting in settings {
            let name = setting.name.to_string();
            let span = setting.name.span();
            match SETTINGS.iter().find(|(known, _)| *known == name) {
                None => {
                    let known = SETTINGS.iter().filter(|(_, kinds)| kinds.contains(&kind));
                    let known: Vec<&str> = known.map(|(name, _)| *name).collect();
                    return Err(diag::unknown_attribute(span, &name, "a field", &known));
                }
                Some((_, kinds)) if !kinds.contains(&kind) => {
                    return Err(diag::misplaced_attribute(span, &name, kind.fields()));
                }
                Some(_) => facts.take(&name, setting)?,
            }
        }
        facts.contradictions(settings)?;
        Ok(facts)
    }

    fn take(&mut self, name: &str, setting: &Setting) -> syn::Result<()> {
        match name {
            "deprecated" => self.deprecated = Some(setting.text()?.value()),
            "replace" => self.replace = setting.flag()?,
            "secret" => self.secret = setting.flag()?,
            "constant" => self.constant = Some(setting.value("\"circle\"")?.clone()),
            "default" => self.default = Some(setting.value("8")?.clone()),
            "output_default" => self.output_default = Some(OutputDefault::read(setting.value("true")?)),
            "env" => self.environment = setting.texts()?,
            "stable" => self.stable = setting.flag()?,
            "not_echoed" => self.not_echoed = setting.flag()?,
            "empty_is_absent" => self.empty_is_absent = setting.flag()?,
            "coerces" => self.coerces = setting.flag()?,
            "autoname" => self.autoname = Some(Autoname::read(setting.settings()?)?),
            "minimum" => self.minimum = Some(setting.value("1")?.clone()),
            "maximum" => self.maximum = Some(setting.value("100")?.clone()),
            "min_length" => self.min_length = Some(setting.integer()?),
            "max_length" => self.max_length = Some(setting.integer()?),
            "min_items" => self.min_items = Some(setting.integer()?),
            "max_items" => self.max_items = Some(setting.integer()?),
            "pattern" => self.pattern = Some(setting.text()?.clone()),
            "conflicts_with" => self.conflicts_with = setting.texts()?,
            "requires" => self.requires = setting.texts()?,
            "exactly_one_of" => self.exactly_one_of = setting.texts()?,
            _ => {}
        }
        Ok(())
    }

    fn contradictions(&self, settings: &[Setting]) -> syn::Result<()> {
        let span = |name: &str| {
            settings
                .iter()
                .find(|setting| setting.name == name)
                .map_or_else(Span::call_site, |setting| setting.name.span())
        };
        if self.default.is_some() && self.output_default.is_some() {
            return Err(diag::excludes(span("output_default"), "output_default", "default"));
        }
        if let (Some(_), Some(said)) = (
            &self.constant,
            settings.iter().find(|setting| {
                ["default", "output_default", "autoname", "env"].iter().any(|name| setting.name == name)
            }),
        ) {
            return Err(diag::excludes(said.name.span(), &said.name.to_string(), "constant"));
        }
        if self.autoname.is_some() && self.default.is_some() {
            return Err(diag::excludes(span("autoname"), "autoname", "default"));
        }
        if self.autoname.is_some() && self.output_default.is_some() {
            return Err(diag::excludes(span("autoname"), "autoname", "output_default"));
        }
        Ok(())
    }
}

impl OutputDefault {
    fn read(value: &Expr) -> Self {
        match value {
            Expr::Path(path) if path.path.is_ident("None") => Self::Absent,
            value => Self::Value(value.clone()),
        }
    }

    pub(crate) fn value(&self) -> Option<&Expr> {
        if let Self::Value(value) = self { Some(value) } else { None }
    }
}

impl Autoname {
    fn read(settings: &[Setting]) -> syn::Result<Self> {
        let mut autoname = Self::default();
        for setting in settings {
            match setting.name.to_string().as_str() {
                "max_length" => autoname.max_length = Some(setting.integer()?),
                "separator" => autoname.separator = Some(setting.text()?.value()),
                "hex_digits" => autoname.hex_digits = Some(setting.integer()?),
                "charset" => autoname.charset = Some(setting.text()?.value()),
                other => {
                    let known = ["max_length", "separator", "hex_digits", "charset"];
                    return Err(diag::unknown_attribute(setting.name.span(), other, "a generated name", &known));
                }
            }
        }
        Ok(autoname)
    }
}

//! Looks for what it was started with: environment, arguments, working directory, terminals, standard input.

use std::io::Read as _;

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, object, text};

struct Surroundings;

impl Attack for Surroundings {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let mut found: Vec<String> = std::env::vars().map(|(name, value)| format!("{name}={value}")).collect();
        for name in [
            "PULUMI_ACCESS_TOKEN",
            "PULUMI_CONFIG_PASSPHRASE",
            "PULUMI_CONFIG",
            "AWS_SECRET_ACCESS_KEY",
            "PATH",
            "HOME",
        ] {
            found.extend(std::env::var(name));
        }
        found.extend(std::env::args());
        found.extend(wasip2::cli::environment::initial_cwd());
        found.extend(wasip2::cli::environment::get_environment().into_iter().map(|(name, _)| name));
        let terminals = [
            wasip2::cli::terminal_stdin::get_terminal_stdin().is_some(),
            wasip2::cli::terminal_stdout::get_terminal_stdout().is_some(),
            wasip2::cli::terminal_stderr::get_terminal_stderr().is_some(),
        ];
        found.extend(terminals.contains(&true).then(|| "a terminal".to_owned()));
        let mut input = Vec::new();
        let _ = std::io::stdin().read_to_end(&mut input);
        found.extend((!input.is_empty()).then(|| "input".to_owned()));
        Ok(object(&["text"], vec![text(&found.join(", "))]))
    }
}

attack!(Surroundings);

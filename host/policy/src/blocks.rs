//! What one component is granted, apart by the authorities that are believed for it.
//!
//! `certificates` vouch for the endpoints beside them. Where several blocks become one, an authority that was named for one server vouches
//! for all the others as well.

use std::collections::BTreeSet;

use crate::explain::beginning;
use crate::grant::{Grant, Granted, NetworkGrant};
use crate::request::Requests;
use crate::upgrade::unite;

/// Characters of what authorities are believed for that are told. All of it stands above.
const LONGEST: usize = 120;

/// Blocks of one component, no two of them with the same authorities, and none of them empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    digest: Granted,
    blocks: Vec<Grant>,
}

impl Blocks {
    /// None for a component so far.
    #[must_use]
    pub fn none(digest: Granted) -> Self {
        Self { digest, blocks: Vec::new() }
    }

    /// Those of a component among what is granted.
    #[must_use]
    pub fn of(digest: &Granted, granted: &[Grant]) -> Self {
        let mut blocks = Self::none(digest.clone());
        granted.iter().filter(|grant| grant.digest == *digest).for_each(|grant| blocks.add(grant));
        blocks
    }

    /// Adds what a block gives, whomever it is for, each thing once.
    pub fn add(&mut self, more: &Grant) {
        let mut more = Grant { digest: self.digest.clone(), ..more.clone() };
        if more.network.is_empty() {
            // Beside no endpoint they say nothing.
            more.certificates.clear();
        }
        match self.blocks.iter_mut().find(|block| block.believes_as(&more)) {
            Some(block) => block.add(&more),
            None if more.is_empty() => {}
            None => self.blocks.push(more),
        }
    }

    /// Adds what other blocks give.
    pub fn join(&mut self, others: &Self) {
        others.blocks.iter().for_each(|block| self.add(block));
    }

    /// What they give in all. Nobody may be granted it: that would be one block.
    #[must_use]
    pub fn together(&self) -> Grant {
        let mut all = Grant::of(&Requests::default(), self.digest.clone());
        self.blocks.iter().for_each(|block| all.add(block));
        all
    }

    /// More for the same component: an endpoint of a server for which authorities are believed already stands beside them, and any
    /// other one beside those alone that it comes with.
    #[must_use]
    pub fn more(&self, grant: &Grant) -> Self {
        let believed = |granted: &NetworkGrant| {
            let of_it = |block: &&Grant| block.network.iter().any(|known| granted.endpoint.is_within(&known.endpoint));
            let mut files = Vec::new();
            self.blocks.iter().filter(of_it).for_each(|block| unite(&mut files, &block.certificates));
            files
        };
        let mut more = Self::none(self.digest.clone());
        more.add(&Grant { network: Vec::new(), ..grant.clone() });
        for granted in &grant.network {
            let own = Some(&grant.certificates).filter(|own| !own.is_empty()).cloned();
            let certificates = own.unwrap_or_else(|| believed(granted));
            let nothing = Grant::of(&Requests::default(), self.digest.clone());
            more.add(&Grant { network: vec![granted.clone()], certificates, ..nothing });
        }
        more
    }

    /// What of these others don't give.
    #[must_use]
    pub fn beyond(&self, others: &Self) -> Self {
        let (all, mut beyond) = (others.together(), Self::none(self.digest.clone()));
        for block in &self.blocks {
            let mut block = block.clone();
            let known = others.blocks.iter().find(|known| known.believes_as(&block));
            block.network.retain(|granted| known.is_none_or(|known| !known.network.contains(granted)));
            block.environment.retain(|name| !all.environment.contains(name));
            block.filesystem.retain(|granted| !all.filesystem.contains(granted));
            block.packages.retain(|granted| !all.packages.contains(granted));
            beyond.add(&block);
        }
        beyond
    }

    /// What of them is left for a component that asks for this, and what isn't.
    #[must_use]
    pub fn left_for(&self, requests: &Requests) -> (Self, Self) {
        let (mut left, mut gone) = (Self::none(self.digest.clone()), Self::none(self.digest.clone()));
        for block in &self.blocks {
            let (kept, other) = block.left_for(requests);
            left.add(&kept);
            gone.add(&other);
        }
        (left, gone)
    }

    /// What of them was written for some of a component's requests, and for none of the others.
    #[must_use]
    pub fn written_for(&self, some: &Requests, requests: &Requests) -> Self {
        let mut written = Self::none(self.digest.clone());
        self.blocks.iter().for_each(|block| written.add(&block.written_for(some, requests)));
        written
    }

    /// The same for somebody else.
    #[must_use]
    pub fn given_to(&self, digest: &Granted) -> Self {
        let mut given = Self::none(digest.clone());
        given.join(self);
        given
    }

    /// The same without authorities, and which these are, in words.
    #[must_use]
    pub fn without_authorities(&self) -> (Self, Vec<String>) {
        let mut without = Self::none(self.digest.clone());
        for block in &self.blocks {
            without.add(&Grant { certificates: Vec::new(), ..block.clone() });
        }
        let lines = self.blocks.iter().flat_map(|block| {
            let servers = servers(block);
            block.certificates.iter().map(move |file| format!("certificates {file}, for {servers}"))
        });
        (without, lines.collect())
    }

    /// Leaves out directories that another one gives.
    pub fn leave_directories_to(&mut self, other: &Grant) {
        for block in &mut self.blocks {
            block.filesystem.retain(|granted| !other.filesystem.iter().any(|other| granted.is_of(&other.path)));
        }
        self.blocks.retain(|block| !block.is_empty());
    }

    /// What they give, one line each, with the reasons of requests as far as they are known.
    pub fn lines(&self, requests: &Requests) -> Vec<String> {
        let servers_of = |block: &Grant| match self.blocks.iter().filter(|block| !block.network.is_empty()).count() {
            // What they are believed for is all that there is.
            ..=1 => String::new(),
            _ => format!(", for {}", servers(block)),
        };
        let lines = self.blocks.iter().flat_map(|block| {
            let (mut lines, of) = (block.lines(requests), servers_of(block));
            lines.iter_mut().filter(|line| line.starts_with("certificates ")).for_each(|line| line.push_str(&of));
            lines
        });
        lines.collect()
    }

    /// Each, as it is written.
    pub fn into_grants(self) -> Vec<Grant> {
        self.blocks
    }
}

impl Grant {
    /// Whether the same authorities are believed for what another one gives.
    fn believes_as(&self, other: &Self) -> bool {
        let set = |grant: &Self| grant.certificates.iter().cloned().collect::<BTreeSet<String>>();
        set(self) == set(other)
    }
}

/// The endpoints of a block, as they are told.
fn servers(block: &Grant) -> String {
    let servers: Vec<String> = block.network.iter().map(ToString::to_string).collect();
    beginning(&servers.join(", "), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::OperatorFile;

    fn blocks(texts: &[&str]) -> Blocks {
        let text: String =
            texts.iter().map(|text| format!("[[providers.p.grants]]\ndigest = \"dev\"\n{text}\n")).collect();
        Blocks::of(&Granted::Development, OperatorFile::parse(&text).unwrap().grants("p"))
    }

    fn grant(text: &str) -> Grant {
        Grant::parse(&Granted::Development, text).unwrap()
    }

    /// The endpoints of each block, and the authorities beside them.
    fn believed(blocks: &Blocks) -> Vec<(Vec<String>, Vec<String>)> {
        let network = |grant: &Grant| grant.network.iter().map(|granted| granted.endpoint.to_string()).collect();
        blocks.blocks.iter().map(|grant| (network(grant), grant.certificates.clone())).collect()
    }

    fn row(network: &[&str], certificates: &[&str]) -> (Vec<String>, Vec<String>) {
        let [network, certificates] =
            [network, certificates].map(|texts| texts.iter().map(|text| (*text).to_owned()).collect());
        (network, certificates)
    }

    #[test]
    fn what_is_put_together_is_believed_by_whom_it_was() {
        let blocks = blocks(&[
            "network = [\"https://a\"]\ncertificates = [\"ca.pem\", \"cb.pem\"]",
            "network = [\"https://b\"]\nenvironment = [\"B\"]",
            "network = [\"https://c\", \"https://a\"]\ncertificates = [\"cb.pem\", \"ca.pem\"]",
            "environment = [\"C\"]\ncertificates = [\"cc.pem\"]",
            "",
        ]);
        let expected = [row(&["https://a", "https://c"], &["ca.pem", "cb.pem"]), row(&["https://b"], &[])];
        assert_eq!(believed(&blocks), expected);
        assert_eq!(blocks.together().environment, ["B", "C"]);
        assert_eq!(
            blocks.lines(&Requests::default()),
            [
                r#"network "https://a""#,
                r#"network "https://c""#,
                r#"certificates ca.pem, for "https://a", "https://c""#,
                r#"certificates cb.pem, for "https://a", "https://c""#,
                r#"network "https://b""#,
                "environment B",
                "environment C",
            ]
        );
        let (without, authorities) = blocks.without_authorities();
        assert_eq!(believed(&without), [row(&["https://a", "https://c", "https://b"], &[])]);
        assert_eq!(authorities.len(), 2, "{authorities:?}");
    }

    #[test]
    fn more_of_a_server_is_believed_as_it_is_and_no_other_one() {
        let had =
            blocks(&["network = [{ endpoint = \"https://*.a\", methods = [\"GET\"] }]\ncertificates = [\"ca.pem\"]"]);
        let more = had.more(&grant("network = [\"https://x.a\", \"https://b\", \"https://*\"]\npackages = [\"q\"]"));
        assert_eq!(believed(&more), [row(&["https://b", "https://*"], &[]), row(&["https://x.a"], &["ca.pem"])]);
        let named = had.more(&grant("network = [\"https://x.a\", \"https://b\"]\ncertificates = [\"cb.pem\"]"));
        assert_eq!(believed(&named), [row(&["https://x.a", "https://b"], &["cb.pem"])]);
    }

    #[test]
    fn an_authority_is_more_than_what_is_granted_without() {
        let had = blocks(&["network = [\"https://a\"]\nenvironment = [\"A\"]"]);
        let same = had.more(&grant("network = [\"https://a\"]\nenvironment = [\"A\"]"));
        assert_eq!(same.beyond(&had), Blocks::none(Granted::Development));
        let vouched = had.more(&grant("network = [\"https://a\"]\ncertificates = [\"ca.pem\"]"));
        assert_eq!(believed(&vouched.beyond(&had)), [row(&["https://a"], &["ca.pem"])]);
    }
}

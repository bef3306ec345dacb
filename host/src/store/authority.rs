//! What the call being served may do, and what it was denied.
//!
//! Each import that reaches out of the sandbox asks here first. A denial goes to the guest as whatever its interface has for
//! that, which rarely says enough, so it is kept for the call's own error. This may not touch what it decides about.

use std::fmt::Display;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use bulkhead_policy::{Capability, Denial, Destination, Host, Permissions, Phase, Reach, Why};

use super::telling::{Telling, Whom};
use crate::audit::{Trail, Verdict};
use crate::legible::on_one_line;
use crate::provider::{Leaks, shortened};

/// Characters of what was denied.
const LONGEST_SUBJECT: usize = 256;
/// Characters of why.
const LONGEST_REASON: usize = 1_024;
/// Characters of what would change it. Half of a command is none, so there is room for paths as long as systems have them.
const LONGEST_REMEDY: usize = 8_192;
/// Denials that are kept of one call.
const MOST_KEPT: usize = 8;
/// Why something is denied that would be allowed.
const UNWRITTEN: &str =
    "it has to be written down first (`required` in [audit]), and can't be, or there is too much of it at once";

/// The authority of one call.
#[derive(Debug)]
pub(crate) struct Authority {
    permissions: Arc<Permissions>,
    phase: Phase,
    denials: Mutex<Vec<Denial>>,
    /// Where decisions are written down.
    trail: Trail,
    /// What may stand there of what a guest names.
    leaks: Leaks,
}

impl Authority {
    /// Of a call in a phase. Decisions are written down without what is secret in the call.
    pub(crate) fn new(permissions: Arc<Permissions>, phase: Phase, trail: Trail, leaks: Leaks) -> Self {
        Self { permissions, phase, denials: Mutex::default(), trail, leaks }
    }

    /// The phase.
    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    /// Writes down what an instance is given.
    ///
    /// # Errors
    /// It isn't written, and has to be.
    pub(crate) fn given(&self, capability: Capability, subject: &dyn Display) -> Result<(), Denial> {
        let whom = Whom::Written;
        self.noted(capability, subject, whom).map_err(|denial| self.tellable(denial, whom))
    }

    /// Writes down what was allowed. False if it has to be written down and isn't.
    fn allowed(&self, capability: Capability, subject: &dyn Display, whom: Whom<'_>) -> bool {
        if self.trail.is_silent() {
            return true;
        }
        let told = self.telling().told_of_allowed(whom, subject.to_string());
        self.trail.decision(&capability, &told, Verdict::Allowed)
    }

    /// Writes down what may be done, before it is.
    ///
    /// # Errors
    /// It isn't written, and has to be.
    fn noted(&self, capability: Capability, subject: &dyn Display, whom: Whom<'_>) -> Result<(), Denial> {
        match self.allowed(capability, subject, whom) {
            true => Ok(()),
            false => {
                let (subject, why) = (subject.to_string(), Why::Other(UNWRITTEN.to_owned()));
                Err(Denial { capability, subject, why, remedy: None })
            }
        }
    }

    /// Writes down what was denied of what the manifest asks for.
    pub(crate) fn refused(&self, denial: &Denial) {
        self.refused_as(denial, Whom::Written);
    }

    fn refused_as(&self, denial: &Denial, whom: Whom<'_>) {
        if !self.trail.is_silent() {
            self.written_down(&self.tellable(denial.clone(), whom));
        }
    }

    fn written_down(&self, Denial { capability, subject, why, .. }: &Denial) {
        self.trail.decision(capability, subject, Verdict::Denied(&why.to_string()));
    }

    /// Whether a destination may be talked to, by its name. Each address has to be asked for too.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn destination(&self, to: &Destination) -> Result<Reach, Denial> {
        let (decision, whom) = (self.permissions.destination(self.phase, to), Whom::To(to));
        self.decided_as(whom, decision.and_then(|reach| self.noted(Capability::Network, to, whom).map(|()| reach)))
    }

    /// Those of the addresses that a destination's name stands for which may be talked to. All others are one denial, and none of what
    /// passes is written down: each is to be asked for when it is connected to.
    ///
    /// # Errors
    /// That denial, which the call's error will tell, where none passes.
    pub(crate) fn addresses(&self, reach: &Reach, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Denial> {
        let (passing, denied) = reach.addresses(found);
        let denied = denied.map_or(Ok(()), |denial| self.decided_as(Whom::To(reach.destination()), Err(denial)));
        if passing.is_empty() { denied.map(|()| passing) } else { Ok(passing) }
    }

    /// Whether one of the addresses that a destination's name stands for may be connected to.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn address(&self, reach: &Reach, address: IpAddr) -> Result<(), Denial> {
        let (to, decision) = (reach.destination(), reach.address(address));
        self.decided_as(Whom::To(to), decision.and_then(|()| self.noted(Capability::Network, &address, of_address(to))))
    }

    /// Whether an address may be connected to as one of these destinations. Of those that may not, the first is told.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn connection(
        &self,
        first: &Destination,
        others: &[Destination],
        address: IpAddr,
    ) -> Result<(), Denial> {
        let permits =
            |to: &&Destination| self.permissions.reach(self.phase, to).is_some_and(|reach| reach.passes(address));
        // Why not is worked out for one of them.
        let decision = match std::iter::once(first).chain(others).find(permits) {
            Some(to) => Ok(to),
            None => {
                self.permissions.destination(self.phase, first).and_then(|reach| reach.address(address)).map(|()| first)
            }
        };
        let told = decision.as_ref().map_or(first, |to| *to);
        self.decided_as(
            Whom::To(told),
            decision.and_then(|to| {
                self.noted(Capability::Network, to, Whom::To(to))?;
                self.noted(Capability::Network, &address, of_address(to))
            }),
        )
    }

    /// Whether sockets may be opened at all.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn sockets(&self) -> Result<(), Denial> {
        self.decided_as(Whom::Written, self.permissions.sockets(self.phase))
    }

    /// Whether the engine may be asked to use another package, whose plugin comes from somewhere.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn package(&self, package: &str, from: Option<&str>) -> Result<(), Denial> {
        let decision = self.permissions.package(package, from);
        let subject = from.map_or_else(|| package.to_owned(), |from| format!("{package} from {from}"));
        let whom = Whom::Package(package, from);
        self.decided_as(whom, decision.and_then(|()| self.noted(Capability::Packages, &subject, whom)))
    }

    /// Writes down that a package is asked for by nobody, whatever is granted. What the guest is told of it is no denial, since there is
    /// nothing to grant.
    pub(crate) fn barred(&self, package: &str, why: &str) {
        let (subject, why) = (package.to_owned(), Why::Other(why.to_owned()));
        let denial = Denial { capability: Capability::Packages, subject, why, remedy: None };
        self.refused_as(&denial, Whom::Package(package, None));
    }

    /// Keeps that something of the network is denied which no grant allows.
    pub(crate) fn never(&self, subject: String, why: Why) {
        self.denied(Denial { capability: Capability::Network, subject, why, remedy: None });
    }

    /// Keeps a denial of which nothing but its subject is the guest's.
    pub(crate) fn denied(&self, denial: Denial) {
        let subject = denial.subject.clone();
        // Only to be told of.
        drop(self.decided_as::<()>(Whom::Name(&subject), Err(denial)));
    }

    /// A server's name, as it may be told.
    pub(crate) fn server(&self, host: &str) -> String {
        self.telling().told(Whom::Host(host), host.to_owned())
    }

    /// What the configuration may do, in every phase.
    pub(crate) fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Keeps a denial that was found elsewhere, as it may be told.
    pub(crate) fn decided<T>(&self, decision: Result<T, Denial>) -> Result<T, Denial> {
        self.decided_as(Whom::Words, decision)
    }

    fn decided_as<T>(&self, whom: Whom<'_>, decision: Result<T, Denial>) -> Result<T, Denial> {
        decision.map_err(|denial| {
            let denial = self.tellable(denial, whom);
            self.written_down(&denial);
            let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
            if !denials.contains(&denial) {
                if denials.len() >= MOST_KEPT && denial.remedy.is_some() {
                    // What somebody can do something about isn't crowded out by what nobody can.
                    let idle = denials.iter().rposition(|kept| kept.remedy.is_none());
                    idle.map(|idle| denials.remove(idle));
                }
                if denials.len() < MOST_KEPT {
                    denials.push(denial.clone());
                }
            }
            denial
        })
    }

    /// A denial without what is secret in the call, and as long as anybody would read. What was denied has a name that the guest
    /// chose.
    fn tellable(&self, denial: Denial, whom: Whom<'_>) -> Denial {
        let telling = self.telling();
        // Not before: half of a secret is no secret that anybody would find.
        // On one line, since it stands in what the host says.
        let told = |text: String, longest| shortened(on_one_line(&telling.told(whom, text)), longest);
        let reason = denial.why.to_string();
        let why = told(reason.clone(), LONGEST_REASON);
        let why = if why == reason { denial.why } else { Why::Other(why) };
        let remedy = denial.remedy.map(|remedy| remedy.map(|text| told(text, LONGEST_REMEDY)));
        Denial { subject: told(denial.subject, LONGEST_SUBJECT), why, remedy, ..denial }
    }

    fn telling(&self) -> Telling<'_> {
        Telling { permissions: &self.permissions, phase: self.phase, leaks: &self.leaks }
    }

    /// What was denied so far.
    pub(crate) fn denials(&self) -> Vec<Denial> {
        self.denials.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Whose an address is that a destination stands for. What a name stands for is for its server to say, and nobody is masked by that.
fn of_address(to: &Destination) -> Whom<'_> {
    if matches!(to.host, Host::Name(_)) { Whom::Written } else { Whom::To(to) }
}

/// Of a call that isn't under way: nothing is permitted.
impl Default for Authority {
    fn default() -> Self {
        Self::new(Arc::default(), Phase::Check, Trail::default(), Leaks::default())
    }
}

#[cfg(test)]
mod tests {
    use bulkhead_policy::{Applicant, OperatorFile, Requests, Scheme};

    use super::*;
    use crate::audit::{AuditFile, Auditor, Cause};

    fn permissions(asked: &str, granted: &str) -> Permissions {
        let requests: Requests = serde_json::from_str(asked).unwrap();
        let file = OperatorFile::parse(&format!("[[providers.p.grants]]\ndigest = \"dev\"\n{granted}")).unwrap();
        let applicant = Applicant { development: true, ..Applicant::default() };
        Permissions::new(applicant, requests, file.grants("p"), Vec::new(), std::path::Path::new("/"))
    }

    fn packages() -> Permissions {
        permissions(r#"{"packages":[{"package":"other","reason":"r"}]}"#, "packages = [\"other\"]")
    }

    #[test]
    fn what_nobody_can_do_anything_about_does_not_crowd_out_what_somebody_can() {
        let authority = Authority::default();
        let denied = |subject: String, remedy: Option<&str>| {
            let (capability, why) = (Capability::Network, Why::NotGranted);
            let remedy = remedy.map(Into::into);
            let _ = authority.decided::<()>(Err(Denial { capability, subject, why, remedy }));
        };
        for number in 0..2 * MOST_KEPT {
            denied(format!("{number}"), None);
        }
        denied("mine".to_owned(), Some("grant it"));
        let subjects = || authority.denials().into_iter().map(|denial| denial.subject).collect::<Vec<_>>();
        assert_eq!(subjects(), ["0", "1", "2", "3", "4", "5", "6", "mine"]);
        for number in 0..2 * MOST_KEPT {
            denied(format!("{number} of mine"), Some("grant it"));
        }
        assert_eq!((subjects().len(), subjects()[0].as_str()), (MOST_KEPT, "mine"));
    }

    #[tokio::test]
    async fn what_has_to_be_written_down_and_is_not_is_denied() {
        let directory = tempfile::tempdir().unwrap();
        let denied = async |file: &str, required| {
            let file = AuditFile::new(&directory.path().join(file), required);
            let rpc = Auditor::new(vec![file], None, "p", "d").rpc("Create", None, None).unwrap();
            rpc.answered(async {
                let trail = Trail::of(&Cause::present(), None, "p:index:T", &Phase::Create);
                let authority = Authority::new(Arc::new(packages()), Phase::Create, trail, Leaks::default());
                (0..50_000).find_map(|_| authority.package("other", None).err()).map(|denial| denial.to_string())
            })
            .await
        };
        assert_eq!(denied("a.jsonl", false).await, None);
        let told = denied("b.jsonl", true).await.unwrap();
        assert_eq!(told, format!("packages other is denied: {UNWRITTEN}"));
        assert_eq!(denied("missing/c.jsonl", true).await, Some(told));
    }

    fn to(host: &str) -> Destination {
        Destination { scheme: Scheme::Tcp, host: Host::parse(host).unwrap(), port: Some(443), method: None }
    }

    /// Subject and verdict of each line that decisions leave.
    async fn written(decided: impl FnOnce(&Authority)) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("audit.jsonl");
        let rpc = Auditor::new(vec![AuditFile::new(&path, true)], None, "p", "d").rpc("Create", None, None).unwrap();
        rpc.answered(async {
            let trail = Trail::of(&Cause::present(), None, "p:index:T", &Phase::Create);
            let asked = r#"{"network":[{"endpoint":"tcp://*:*","reason":"r"}]}"#;
            let permissions = permissions(asked, "network = [\"tcp://*.granted.example:443\"]");
            decided(&Authority::new(Arc::new(permissions), Phase::Create, trail, Leaks::default()));
            Some(String::new())
        })
        .await;
        let lines = std::fs::read_to_string(&path).unwrap();
        let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let decisions = lines.filter(|line| line["event"] == "decision");
        decisions.map(|line| format!("{} {}", line["subject"].as_str().unwrap(), line["verdict"])).collect()
    }

    #[tokio::test]
    async fn a_connection_is_written_down_by_the_name_that_permits_it_and_by_its_address() {
        let address = IpAddr::from([93, 184, 216, 34]);
        let others = [to("b.granted.example"), to("93.184.216.34")];
        let lines = written(|authority| {
            authority.connection(&to("other.example"), &others, address).unwrap();
            let denial = authority.connection(&to("other.example"), &others[1..], address).unwrap_err();
            assert_eq!(denial.to_string(), "network tcp://other.example:443 is denied: nothing grants it");
            assert_eq!(authority.denials(), [denial]);
            let private = authority.connection(&to("b.granted.example"), &[], [10, 0, 0, 1].into()).unwrap_err();
            assert!(matches!(private.why, Why::Address(..)), "{private}");
        });
        let allowed = [r#"tcp://b.granted.example:443 "allowed""#, r#"93.184.216.34 "allowed""#];
        let denied = [r#"tcp://other.example:443 "denied""#, r#"tcp://b.granted.example:443 "denied""#];
        assert_eq!(lines.await, [allowed, denied].concat());
    }

    #[tokio::test]
    async fn whatever_a_name_stands_for_that_does_not_pass_is_one_denial_and_one_line() {
        let lines = written(|authority| {
            let reach = authority.destination(&to("a.granted.example")).unwrap();
            let private: Vec<IpAddr> = (0..64).map(|last| IpAddr::from([10, 0, 0, last])).collect();
            let denial = authority.addresses(&reach, private.clone()).unwrap_err();
            assert!(
                denial.to_string().ends_with("10.0.0.0, a private address (63 more are denied with it)"),
                "{denial}"
            );
            let public = IpAddr::from([93, 184, 216, 34]);
            let mixed = [&private[..2], &[public]].concat();
            assert_eq!(authority.addresses(&reach, mixed), Ok(vec![public]), "the others are told all the same");
            assert_eq!(authority.denials().len(), 2);
        });
        let name = r#"tcp://a.granted.example:443 "allowed""#;
        let denied = r#"tcp://a.granted.example:443 "denied""#;
        assert_eq!(lines.await, [name, denied, denied], "and nobody was connected to");
    }
}

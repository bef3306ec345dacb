//! Attacks nobody: what the others are compared with, and what has to go on while they strike.

use hostile::{Attack, attack};

struct Behaved;

impl Attack for Behaved {}

attack!(Behaved);

//! `Debug` for the messages that may hold a secret in a plain field.
//!
//! A message ends up in a log line or in a failed assertion sooner than one thinks. Property values are hidden by `raw`; these
//! messages also carry configuration, the environment of a process, or another message as bytes. So they show their name and
//! nothing else. Which messages these are is said in `tests/bootstrap.rs`, and the compiler notices if the two lists differ.

use std::fmt;

use crate::generated::pulumirpc::{
    CallRequest, CallbackInvokeRequest, CallbackInvokeResponse, ConfigureRequest, ConstructRequest, DeploymentInfo,
    RunPluginRequest, RunRequest, StateMigrationRequest, StateMigrationResponse,
};

macro_rules! name_only {
    ($($message:ident),+ $(,)?) => {
        $(
            impl fmt::Debug for $message {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.debug_struct(stringify!($message)).finish_non_exhaustive()
                }
            }
        )+
    };
}

name_only!(
    CallRequest,
    CallbackInvokeRequest,
    CallbackInvokeResponse,
    ConfigureRequest,
    ConstructRequest,
    DeploymentInfo,
    RunPluginRequest,
    RunRequest,
    StateMigrationRequest,
    StateMigrationResponse,
);

//! The module passes the conformance suite over the providers of the installed libfabric.
//!
//! `NEMESIS_OFI_LIBRARY` and `NEMESIS_TEST_OFI_PROVIDERS` choose another library and a list of
//! providers, separated by commas.

use nemesis_netmod::{Driver, conformance};
use nemesis_netmod_ofi::{Ofi, Options};
use nemesis_netmod_tcp::Choice;

fn options(provider: &str) -> Options {
    let choice = Choice::parse("lo").expect("the name of an interface");
    Options {
        provider: Some(provider.to_owned()),
        library: std::env::var("NEMESIS_OFI_LIBRARY").ok(),
        lifeline: nemesis_netmod_tcp::Options { choice: choice.clone(), ..Default::default() },
        choice,
    }
}

#[test]
fn over_the_providers_of_sockets() {
    let providers =
        std::env::var("NEMESIS_TEST_OFI_PROVIDERS").unwrap_or_else(|_| "tcp".to_owned());
    for provider in providers.split(',') {
        let options = options(provider);
        match Ofi::new(options.clone()).describe() {
            Ok(description) => println!("conformance over {description}"),
            Err(failure) if failure.why.contains("cannot be opened") => {
                println!("skipped: {failure}");
                return;
            }
            Err(failure) => panic!("{failure}"),
        }
        conformance::run(|processes| {
            (0..processes).map(|_| Box::new(Ofi::new(options.clone())) as Box<dyn Driver>).collect()
        });
    }
}

//! The module passes the conformance suite over the providers of the installed libfabric.
//!
//! `NEMESIS_OFI_LIBRARY` and `NEMESIS_TEST_OFI_PROVIDERS` choose another library and a list of
//! providers, separated by commas.

use nemesis_netmod::{Driver, conformance};
use nemesis_netmod_ofi::{Ofi, Options};
use nemesis_netmod_tcp::Choice;

fn options(provider: &str, dedicated: bool) -> Options {
    let choice = Choice::parse("lo").expect("the name of an interface");
    Options {
        provider: Some(provider.to_owned()),
        library: std::env::var("NEMESIS_OFI_LIBRARY").ok(),
        lifeline: nemesis_netmod_tcp::Options { choice: choice.clone(), ..Default::default() },
        choice,
        dedicated,
    }
}

/// Runs the suite over a list of providers. Every second one has no descriptor to sleep on.
#[test]
fn over_the_providers_of_sockets() {
    let named = std::env::var("NEMESIS_TEST_OFI_PROVIDERS");
    let providers = named.as_deref().unwrap_or("tcp,net");
    for (number, provider) in providers.split(',').enumerate() {
        let options = options(provider, number % 2 == 1);
        match Ofi::new(options.clone()).describe() {
            Ok(description) => println!("conformance over {description}"),
            Err(failure) if failure.why.contains("cannot be opened") => {
                println!("skipped: {failure}");
                return;
            }
            Err(failure) if number > 0 && named.is_err() => {
                println!("skipped: {failure}");
                continue;
            }
            Err(failure) => panic!("{failure}"),
        }
        conformance::run(|processes| {
            (0..processes).map(|_| Box::new(Ofi::new(options.clone())) as Box<dyn Driver>).collect()
        });
    }
}

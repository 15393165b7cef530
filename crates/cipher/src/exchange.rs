//! The two messages by which the ends of a connection agree on its keys.

use crate::cipher::Cipher;
use snow::{Builder, HandshakeState};

/// Bytes of the secret key that both ends know.
pub const KEY_BYTES: usize = 32;
/// Bytes of each of the two messages: a public key and a tag.
pub const EXCHANGE_BYTES: usize = 48;

const PROTOCOL: &str = "Noise_NNpsk0_25519_AESGCM_BLAKE2s";

/// The connector's end of a key exchange.
///
/// Only processes that know the key can take part in the shared secret, and a later disclosure of
/// the key does not decrypt recorded traffic (forward secrecy). The earlier messages of the
/// handshake are part of the secret (the *prologue*), so that they cannot have been changed.
pub struct KeyExchange(Box<HandshakeState>);

impl KeyExchange {
    /// Starts the connector's end and returns its message. `context` names the protocol whose key
    /// is `key`; `prologue` is what both ends have sent before. `None` if the kernel has no random
    /// numbers.
    pub fn connector(
        context: &str,
        key: &[u8; KEY_BYTES],
        prologue: &[u8],
    ) -> Option<(KeyExchange, [u8; EXCHANGE_BYTES])> {
        let key = blake3::derive_key(context, key);
        let mut state =
            builder()?.psk(0, &key).ok()?.prologue(prologue).ok()?.build_initiator().ok()?;
        let mut message = [0; EXCHANGE_BYTES];
        let written = state.write_message(&[], &mut message).ok()?;
        (written == EXCHANGE_BYTES).then(|| (KeyExchange(Box::new(state)), message))
    }

    /// Returns the connector's cipher if the acceptor's message is valid.
    pub fn finish(mut self, message: &[u8; EXCHANGE_BYTES]) -> Option<Box<Cipher>> {
        self.0.read_message(message, &mut []).ok()?;
        Cipher::new(*self.0)
    }

    /// Returns the acceptor's cipher and its message if the connector's message is valid.
    pub fn answer(
        context: &str,
        key: &[u8; KEY_BYTES],
        prologue: &[u8],
        message: &[u8; EXCHANGE_BYTES],
    ) -> Option<(Box<Cipher>, [u8; EXCHANGE_BYTES])> {
        let key = blake3::derive_key(context, key);
        let mut state =
            builder()?.psk(0, &key).ok()?.prologue(prologue).ok()?.build_responder().ok()?;
        state.read_message(message, &mut []).ok()?;
        let mut answer = [0; EXCHANGE_BYTES];
        let written = state.write_message(&[], &mut answer).ok()?;
        (written == EXCHANGE_BYTES).then_some(())?;
        Some((Cipher::new(state)?, answer))
    }
}

fn builder<'a>() -> Option<Builder<'a>> {
    Some(Builder::new(PROTOCOL.parse().ok()?))
}

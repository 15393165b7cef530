//! The grammar of PMI-2 messages.

/// Characters of the length at the start of a message.
pub const LENGTH_BYTES: usize = 6;
/// Maximum bytes of a message: the largest length of six digits.
const MESSAGE_BYTES_MAX: usize = 999_999;

/// A parsed message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    fields: Vec<(String, String)>,
}

impl Message {
    /// Returns the message at the start of `bytes` and its length in bytes; `None` if it is
    /// incomplete. Fails if the bytes are not a message.
    pub fn take(bytes: &[u8]) -> Result<Option<(Message, usize)>, &'static str> {
        let Some((length, rest)) = bytes.split_at_checked(LENGTH_BYTES) else { return Ok(None) };
        let length =
            std::str::from_utf8(length).ok().and_then(|length| length.trim().parse::<usize>().ok());
        let length = length.ok_or("a message without a length")?;
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let body = std::str::from_utf8(body).map_err(|_| "a message that is not text")?;
        Ok(Some((Message::read(body), LENGTH_BYTES + length)))
    }

    fn read(body: &str) -> Message {
        let words = body.trim_end_matches('\0').split(';');
        Message {
            fields: words
                .filter_map(|word| word.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.0 == name).map(|field| field.1.as_str())
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.trim().parse().ok()
    }

    /// Returns whether an answer is positive; missing fields count as positive.
    pub fn succeeded(&self) -> bool {
        self.get("rc").is_none_or(|rc| rc == "0")
            && self.get("found").is_none_or(|found| found.eq_ignore_ascii_case("true"))
    }
}

/// Composes a message; `None` if it is too long, or a value contains a separator.
pub fn compose(command: &str, fields: &[(&str, &str)]) -> Option<String> {
    let mut body = format!("cmd={command};");
    for (name, value) in fields {
        if value.contains([';', '\0']) {
            return None;
        }
        body.extend([name, "=", value, ";"]);
    }
    (body.len() <= MESSAGE_BYTES_MAX).then(|| format!("{:<LENGTH_BYTES$}{body}", body.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_message_is_taken_when_it_is_whole() {
        let text = compose("kvs-get", &[("key", "k"), ("value", "a=b c")]).unwrap();
        assert_eq!(text, "30    cmd=kvs-get;key=k;value=a=b c;");
        for cut in 0..text.len() {
            assert_eq!(Message::take(&text.as_bytes()[..cut]), Ok(None));
        }
        let (message, taken) = Message::take(format!("{text}rest").as_bytes()).unwrap().unwrap();
        assert_eq!((message.get("value"), taken), (Some("a=b c"), text.len()));
        assert_eq!(compose("x", &[("a", "b;c")]), None);
        assert!(Message::take(b"x     cmd=y;").is_err());
    }

    #[test]
    fn every_way_to_say_no() {
        let said = |body: &str| Message::read(body).succeeded();
        assert!(said("cmd=x;rc=0;found=TRUE;") && said("cmd=x;"));
        assert!(!said("rc=1;") && !said("rc=0;found=FALSE;"));
    }

    proptest! {
        #[test]
        fn invalid_bytes_never_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            length in 0usize..70,
        ) {
            let _ = Message::take(&bytes);
            let framed = [format!("{length:<6}").into_bytes(), bytes].concat();
            let _ = Message::take(&framed);
        }

        #[test]
        fn values_come_back(value in "[^;\0]{0,50}") {
            let text = compose("kvs-put", &[("value", &value)]).unwrap();
            let (message, _) = Message::take(text.as_bytes()).unwrap().unwrap();
            prop_assert_eq!(message.get("value"), Some(value.as_str()));
        }
    }
}

//! A request that is arriving. It is checked when its datatype has arrived.

use super::super::packet::{Ask, TypeName, Verb};
use super::offer::{Part, find, refusal};
use crate::abi;
use crate::elements::{Elements, element_of, may_swap};
use crate::error::Outcome;
use crate::op;
use crate::types::refused;
use nemesis_datatype::{Datatype, Op};
use std::collections::BTreeMap;

/// A request whose stream has not arrived completely.
#[derive(Debug)]
pub struct Incoming {
    pub(super) ask: Ask,
    /// Its number among those of its origin.
    pub(super) number: u64,
    pub(super) description: Vec<u8>,
    pub(super) checked: Option<Checked>,
}

/// What is known of a request after its datatype has arrived and the memory has been checked.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    pub(super) datatype: Datatype,
    pub(super) elements: Option<Elements>,
    /// Data or results that are collected until the request is complete.
    pub(super) gathered: Vec<u8>,
}

impl Incoming {
    pub(super) fn described(&self) -> usize {
        match self.ask.datatype {
            TypeName::Predefined(_) => 0,
            TypeName::Described(bytes) => bytes,
        }
    }

    /// Returns the length of the stream: the description of the datatype and the data.
    pub(super) fn expected(&self) -> usize {
        let bytes = usize::try_from(self.ask.bytes).unwrap_or(usize::MAX);
        let data = match self.ask.verb {
            Verb::Put | Verb::Accumulate => bytes,
            Verb::Fetch if is_no_op(&self.ask) => 0,
            Verb::Fetch => bytes,
            Verb::Swap => bytes.saturating_mul(2),
            Verb::Get | Verb::LockShared | Verb::LockExclusive | Verb::Unlock => 0,
        };
        self.described().saturating_add(data)
    }

    /// Checks everything that must hold before memory is accessed.
    pub(super) fn check(&self, parts: &BTreeMap<u64, Part>, origin: u32) -> Outcome<Checked> {
        let ask = &self.ask;
        let part = find(parts, origin, ask)?;
        if ask.count < 0 {
            return Err(refusal(
                abi::MPI_ERR_COUNT,
                format!("the target's count is {}, it must not be negative", ask.count),
            ));
        }
        let datatype = match ask.datatype {
            TypeName::Predefined(handle) => Datatype::predefined(handle)
                .ok_or_else(|| {
                    refusal(abi::MPI_ERR_TYPE, format!("{handle:#x} is not a predefined datatype"))
                })?
                .clone(),
            TypeName::Described(_) => Datatype::deserialize(&self.description).map_err(refused)?,
        };
        let place = part.place(ask, &datatype)?.at;
        if place.bytes() as u64 != ask.bytes {
            let why = format!(
                "the origin announces {} bytes of data, but the target's datatype has {}",
                ask.bytes,
                place.bytes()
            );
            return Err(refusal(abi::MPI_ERR_TYPE, why));
        }
        part.check_data(ask, &place)?;
        let elements = match ask.verb {
            Verb::Accumulate | Verb::Fetch => {
                let op = operation(ask)?;
                let element = element_of(&datatype, op)?;
                Some(Elements::new(op, element, &place, part.sharing))
            }
            Verb::Swap => {
                if ask.count != 1 || !may_swap(&datatype) {
                    return Err(refusal(
                        abi::MPI_ERR_TYPE,
                        "one element of a type that can be compared is swapped",
                    ));
                }
                Some(Elements::new(Op::Replace, datatype.clone(), &place, part.sharing))
            }
            _ => None,
        };
        Ok(Checked { datatype, elements, gathered: Vec::new() })
    }
}

pub(super) fn is_no_op(ask: &Ask) -> bool {
    matches!(operation(ask), Ok(Op::NoOp))
}

pub(super) fn operation(ask: &Ask) -> Outcome<Op> {
    match op::get(crate::handle::Op(ask.op as u32 as usize))? {
        op::Op::Predefined(op) => Ok(op),
        op::Op::User(_) => {
            Err(refusal(abi::MPI_ERR_OP, "accumulate functions take predefined operations only"))
        }
    }
}

//! The tables of this crate against the constants of the standard in `api/constants.json`.

use nemesis_datatype::{
    Combiner, Datatype, Distribution, Op, Order, TypeClass, all_predefined,
    predefined_contiguous_size,
};
use serde_json::Value;

fn constants() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../api/constants.json");
    let text = std::fs::read_to_string(path).expect("the table is in the repository");
    let table: Value = serde_json::from_str(&text).expect("JSON");
    table.as_array().or_else(|| table["constants"].as_array()).expect("a list of constants").clone()
}

/// Returns the constants of one C type, as (name, value in the standard ABI, row).
fn of_type(ctype: &str) -> Vec<(String, i64, Value)> {
    let name = |row: &Value| row["name"].as_str().expect("a name").to_owned();
    let value = |row: &Value| row["standard"].as_i64().expect("a value");
    constants()
        .into_iter()
        .filter(|row| row["ctype"] == ctype)
        .map(|row| (name(&row), value(&row), row))
        .collect()
}

fn value_of(name: &str) -> i64 {
    let found = constants().into_iter().find(|row| row["name"] == name);
    found
        .and_then(|row| row["standard"].as_i64())
        .unwrap_or_else(|| panic!("{name} is in the table"))
}

#[test]
fn every_datatype_of_the_standard_is_defined() {
    let mut seen = 0;
    for (name, handle, row) in of_type("MPI_Datatype") {
        let Some(datatype) = Datatype::predefined(handle as usize) else {
            assert_eq!(name, "MPI_DATATYPE_NULL");
            continue;
        };
        seen += usize::from(datatype.predefined_name() == Some(&name));
        let size = row["size"].as_i64().unwrap_or_else(|| panic!("{name} has a size"));
        assert_eq!(datatype.size(), size, "{name}");
        assert_eq!(datatype.extent(), row["extent"].as_i64().unwrap_or(size), "{name}");
        let contiguous = datatype.size() == datatype.extent();
        assert_eq!(
            predefined_contiguous_size(handle as usize),
            (contiguous && size > 0).then_some(size as u32),
            "{name}"
        );
        assert_eq!(datatype.is_contiguous(), contiguous, "{name}");
        assert!(
            datatype.is_committed()
                && datatype.is_predefined()
                && datatype.combiner() == Combiner::Named
        );
    }
    assert_eq!(seen, all_predefined().len(), "every row carries a name of the standard");
}

#[test]
fn every_operation_of_the_standard_is_defined() {
    for (name, handle, _) in of_type("MPI_Op") {
        assert_eq!(Op::from_handle(handle as usize).map_or("MPI_OP_NULL", Op::name), name);
    }
}

#[test]
fn enumerations_have_the_standards_values() {
    assert_eq!(value_of("MPI_COMBINER_NAMED"), Combiner::Named as i64);
    assert_eq!(value_of("MPI_COMBINER_STRUCT"), Combiner::Struct as i64);
    assert_eq!(value_of("MPI_COMBINER_DARRAY"), Combiner::Darray as i64);
    assert_eq!(value_of("MPI_COMBINER_F90_INTEGER"), Combiner::F90Integer as i64);
    assert_eq!(value_of("MPI_COMBINER_RESIZED"), Combiner::Resized as i64);
    assert_eq!(value_of("MPI_COMBINER_VALUE_INDEX"), Combiner::ValueIndex as i64);
    assert_eq!(value_of("MPI_ORDER_C"), Order::C as i64);
    assert_eq!(value_of("MPI_ORDER_FORTRAN"), Order::Fortran as i64);
    assert_eq!(value_of("MPI_DISTRIBUTE_CYCLIC"), Distribution::Cyclic as i64);
    assert_eq!(value_of("MPI_DISTRIBUTE_DFLT_DARG"), nemesis_datatype::DISTRIBUTE_DFLT_DARG);
    assert_eq!(value_of("MPI_TYPECLASS_COMPLEX"), TypeClass::Complex as i64);
    assert_eq!(value_of("MPI_UNDEFINED"), nemesis_datatype::UNDEFINED);
}

#[test]
fn other_handles_are_not_datatypes() {
    for handle in [0, 0x1ff, 0x200, 0x206, 0x300, 4096, usize::MAX] {
        assert!(Datatype::predefined(handle).is_none(), "{handle:#x}");
        assert_eq!(predefined_contiguous_size(handle), None, "{handle:#x}");
    }
}

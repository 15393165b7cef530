//! Parameters of Open MPI (`--mca NAME VALUE`) that have an equal among the options here.

/// What becomes of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equal {
    /// The option of this name with the parameter's value.
    Option(&'static str),
    /// The option of this name, if the value is true.
    Switch(&'static str),
    /// The interfaces that are not used.
    NotInterfaces,
    /// The command that reaches a host, called as COMMAND HOST PROGRAM.
    Reach,
    /// Variables to pass on, separated by semicolons.
    Variables,
    /// What it asks for is always so.
    Always,
}

/// The parameters, without the framework's names `orte_`, `prte_`, `ompi_` and `opal_` before them.
const TABLE: &[(&str, Equal)] = &[
    ("btl_tcp_if_include", Equal::Option("net")),
    ("oob_tcp_if_include", Equal::Option("net")),
    ("if_include", Equal::Option("net")),
    ("btl_tcp_if_exclude", Equal::NotInterfaces),
    ("oob_tcp_if_exclude", Equal::NotInterfaces),
    ("if_exclude", Equal::NotInterfaces),
    ("rmaps_base_mapping_policy", Equal::Option("map-by")),
    ("rmaps_default_mapping_policy", Equal::Option("map-by")),
    ("rmaps_base_ranking_policy", Equal::Option("rank-by")),
    ("rmaps_default_ranking_policy", Equal::Option("rank-by")),
    ("rmaps_base_no_oversubscribe", Equal::Switch("nooversubscribe")),
    ("rmaps_base_oversubscribe", Equal::Always),
    ("rmaps_base_cpus_per_rank", Equal::Option("cpus-per-rank")),
    ("rmaps_base_no_schedule_local", Equal::Switch("nolocal")),
    ("rmaps_base_display_map", Equal::Switch("display-map")),
    ("rmaps_rank_file_path", Equal::Option("rankfile")),
    ("rankfile", Equal::Option("rankfile")),
    ("hwloc_base_binding_policy", Equal::Option("bind-to")),
    ("hwloc_default_binding_policy", Equal::Option("bind-to")),
    ("hwloc_base_report_bindings", Equal::Switch("report-bindings")),
    ("hwloc_base_cpu_list", Equal::Option("cpu-set")),
    ("hwloc_base_cpu_set", Equal::Option("cpu-set")),
    ("hwloc_default_cpu_list", Equal::Option("cpu-set")),
    ("hwloc_base_use_hwthreads_as_cpus", Equal::Switch("use-hwthread-cpus")),
    ("hwloc_default_use_hwthread_cpus", Equal::Switch("use-hwthread-cpus")),
    ("default_hostfile", Equal::Option("default-hostfile")),
    ("plm_rsh_agent", Equal::Reach),
    ("plm_ssh_agent", Equal::Reach),
    ("rsh_agent", Equal::Reach),
    ("tag_output", Equal::Switch("tag-output")),
    ("timestamp_output", Equal::Switch("timestamp-output")),
    ("output_filename", Equal::Option("output-filename")),
    ("execute_quiet", Equal::Switch("quiet")),
    ("abort_on_non_zero_status", Equal::Always),
    ("allow_run_as_root", Equal::Always),
    ("mca_base_env_list", Equal::Variables),
    ("base_env_list", Equal::Variables),
    ("mpi_yield_when_idle", Equal::Always),
];

/// Returns what becomes of a parameter, or `None` if it has no effect.
pub fn equal(name: &str) -> Option<Equal> {
    let frameworks = ["orte_", "prte_", "ompi_", "opal_"];
    let bare = frameworks.iter().find_map(|framework| name.strip_prefix(framework));
    let of = |name: &str| TABLE.iter().find(|row| row.0 == name).map(|row| row.1);
    of(name).or_else(|| of(bare?))
}

/// Returns whether the value of a parameter is true.
pub fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "t" | "y" | "on")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::table::rows;

    #[test]
    fn every_equal_is_an_option() {
        for (name, equal) in TABLE {
            if let Equal::Option(option) | Equal::Switch(option) = equal {
                let row = rows().find(|row| row.names.contains(option));
                let row = row.unwrap_or_else(|| panic!("{name}: {option}"));
                assert_eq!(row.values.is_empty(), matches!(equal, Equal::Switch(_)), "{name}");
            }
        }
        assert_eq!(equal("prte_hwloc_default_binding_policy"), Some(Equal::Option("bind-to")));
        assert_eq!(equal("btl"), None);
    }
}

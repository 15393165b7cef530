//! What is started, with which environment, directory and input, and the messages if it cannot be
//! started.

mod launch;

use launch::{MPIEXEC, mpiexec, mpiexec_reading};
use std::process::Command;

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_job_starts_in_a_deleted_directory() {
    let script = r#"mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" -n 2 sh -c 'echo started'"#;
    let place = std::env::temp_dir().join(format!("deleted-{}", std::process::id()));
    let output = std::process::Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(place)
        .arg(launch::MPIEXEC)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).lines().filter(|line| *line == "started").count(),
        2
    );
}

#[test]
fn ranks_know_their_number() {
    let job = mpiexec(&[
        "-n",
        "3",
        "sh",
        "-c",
        "echo $PMI_RANK/$PMI_SIZE $MPI_LOCALRANKID/$MPI_LOCALNRANKS \
         $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE $OMPI_COMM_WORLD_NODE_RANK \
         $OMPI_COMM_WORLD_LOCAL_RANK/$OMPI_COMM_WORLD_LOCAL_SIZE",
    ]);
    let expected = ["0/3 0/3 0/3 0 0/3", "1/3 1/3 1/3 1 1/3", "2/3 2/3 2/3 2 2/3"];
    assert_eq!(sorted(&job.out), expected);
    assert_eq!((job.code, job.err.as_str()), (0, ""));
}

#[test]
fn ranks_know_how_many_there_may_be() {
    let universe = |options: &[&str]| {
        let mut words = options.to_vec();
        words.extend(["-n", "2", "sh", "-c", "echo $OMPI_UNIVERSE_SIZE"]);
        mpiexec(&words).out
    };
    assert_eq!(universe(&[]), "2\n2\n");
    assert_eq!(universe(&["-usize", "7"]), "7\n7\n");
}

#[test]
fn several_programs_are_one_job() {
    let job = mpiexec(&[
        "-np",
        "2",
        "-env",
        "WHAT",
        "a",
        "sh",
        "-c",
        "echo $WHAT$PMI_RANK",
        ":",
        "-env",
        "WHAT",
        "b",
        "sh",
        "-c",
        "echo $WHAT$PMI_RANK of $PMI_SIZE",
    ]);
    assert_eq!(sorted(&job.out), ["a0", "a1", "b2 of 3"]);
}

#[test]
fn the_environment_follows_the_options() {
    let show = ["sh", "-c", "echo ${ONE-none} ${TWO-none} ${THREE-none}"];
    let run = |options: &[&str]| {
        let mut command = Command::new(MPIEXEC);
        command.args(options).args(show).env("ONE", "1").env("TWO", "2").env_remove("THREE");
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(run(&[]), "1 2 none\n");
    assert_eq!(run(&["-genv", "THREE", "3 drei", "-x", "TWO=zwei"]), "1 zwei 3 drei\n");
    assert_eq!(run(&["-genvlist", "ONE,PATH"]), "1 none none\n");
    assert_eq!(run(&["-genvnone", "-env", "PATH", "/usr/bin:/bin", "-x", "TWO"]), "none 2 none\n");
}

#[test]
fn variables_of_an_outer_launcher_are_not_passed_on() {
    let mut command = Command::new(MPIEXEC);
    command
        .args(["sh", "-c", "echo ${PMI_PORT-none} ${PMIX_RANK-none}"])
        .env("PMI_PORT", "x:1")
        .env("PMIX_RANK", "4");
    assert_eq!(String::from_utf8(command.output().unwrap().stdout).unwrap(), "none none\n");
}

#[test]
fn the_directory_follows_the_option() {
    assert_eq!(mpiexec(&["-wdir", "/", "pwd"]).out, "/\n");
    let job = mpiexec(&["-wdir", "/no/such", "pwd"]);
    assert_eq!(job.code, 127);
    assert!(job.err.contains("/no/such"), "{}", job.err);
}

#[test]
fn input_goes_to_rank_0_unless_an_option_says_otherwise() {
    let count = ["sh", "-c", "echo $PMI_RANK $(wc -c)"];
    let job = |options: &[&str]| mpiexec_reading(b"twelve bytes", &[options, &count].concat());
    assert_eq!(sorted(&job(&["-n", "3"]).out), ["0 12", "1 0", "2 0"]);
    assert_eq!(sorted(&job(&["-n", "3", "-stdin", "1"]).out), ["0 0", "1 12", "2 0"]);
    assert_eq!(sorted(&job(&["-n", "3", "-stdin", "all"]).out), ["0 12", "1 12", "2 12"]);
    assert_eq!(sorted(&job(&["-n", "2", "-stdin", "none"]).out), ["0 0", "1 0"]);
}

#[test]
fn much_input_reaches_all_ranks_whole() {
    let input: Vec<u8> = (0..1_000_000u32).flat_map(u32::to_le_bytes).collect();
    let job = mpiexec_reading(&input, &["-n", "3", "-stdin", "all", "cksum"]);
    let sums = sorted(&job.out);
    assert_eq!(sums.len(), 3);
    assert!(sums[0].ends_with(" 4000000") && sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
}

#[test]
fn input_that_no_rank_reads_is_left_for_the_next_command() {
    let script = format!("{MPIEXEC} -n 2 true; cat");
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"still here").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"still here");
}

#[test]
fn a_missing_program_is_named() {
    let job = mpiexec(&["-n", "2", "no-such-program-anywhere"]);
    assert_eq!(job.code, 127);
    assert!(job.err.contains("no-such-program-anywhere"), "{}", job.err);
    let second = mpiexec(&["sleep", "100", ":", "./no/such"]);
    assert_eq!(second.code, 127);
    assert!(second.err.contains("./no/such"));
    assert_eq!(mpiexec(&["/etc/passwd"]).code, 126);
}

#[test]
fn a_mistake_on_the_command_line_is_named() {
    let job = mpiexec(&["-oversubscibe", "true"]);
    assert_eq!((job.code, job.out.as_str()), (2, ""));
    assert!(
        job.err.contains("-oversubscibe") && job.err.contains("; try: -oversubscribe"),
        "{}",
        job.err
    );
    assert!(mpiexec(&[]).err.contains("names no program"));
}

#[test]
fn help_and_version_are_not_errors() {
    let help = mpiexec(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    assert!(help.out.contains("-wdir"));
    assert!(mpiexec(&["-V"]).out.starts_with("mpiexec (Nemesis)"));
}

#[test]
fn many_ranks_start() {
    let job = mpiexec(&["-n", "64", "true"]);
    assert_eq!((job.code, job.out.as_str(), job.err.as_str()), (0, "", ""));
}

#[test]
fn more_ranks_than_descriptors_start_and_keep_their_limit() {
    let script = format!("ulimit -S -n 100; exec {MPIEXEC} -n 60 sh -c 'ulimit -n'");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "100\n".repeat(60),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let too_few = Command::new("sh")
        .args(["-c", &format!("ulimit -n 100; exec {MPIEXEC} -n 60 sleep 100")])
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&too_few.stderr).contains("ulimit -n"),
        "{}",
        String::from_utf8_lossy(&too_few.stderr)
    );
}

#[test]
fn only_the_descriptors_meant_for_a_rank_are_open_in_it() {
    let ours = Command::new("ls").arg("/proc/self/fd").output().unwrap().stdout;
    let inherited = String::from_utf8(ours).unwrap().lines().count();
    let job = mpiexec(&["-n", "3", "ls", "/proc/self/fd"]);
    // Besides the descriptors that every process inherits here, a rank has PMI and the segment.
    assert_eq!(job.out.lines().count(), 3 * (inherited + 2), "{}", job.out);
}

#[test]
fn a_program_is_looked_for_in_the_folders_of_its_path() {
    let folder = std::env::temp_dir().join(format!("nemesis-path-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink("/bin/echo", folder.join("only-here")).unwrap();
    let path = format!("/nowhere:{}", folder.display());
    assert_eq!(mpiexec(&["-path", &path, "only-here", "x"]).out, "x\n");
    let work = folder.display().to_string();
    assert_eq!(mpiexec(&["-wdir", &work, "-path", ".", "only-here", "x"]).out, "x\n");
    assert_eq!(mpiexec(&["-path", &path, "echo", "y"]).out, "y\n", "then PATH");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The launcher, its agents and the library's start need little stack.
#[test]
fn a_short_stack_is_enough() {
    let script = format!(
        "ulimit -s 128; exec {MPIEXEC} --agent '{{cmd}}' -hosts localhost:2,a:2 {} meet",
        launch::RANK
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 4, "{said}");
}

#[test]
fn the_map_and_the_bindings_are_shown() {
    let hosts = ["-hosts", "localhost:2,elsewhere:3", "-display", "map,allocation"];
    let job = mpiexec(&[&hosts[..], &["-do-not-launch", "-n", "3", "true"]].concat());
    assert_eq!((job.code, job.out.as_str()), (0, ""));
    for line in
        ["localhost: 2 slots", "elsewhere: 3 slots", "localhost: ranks 0, 1", "elsewhere: rank 2"]
    {
        assert!(job.err.contains(&format!("mpiexec: host {line}")), "{}", job.err);
    }
    let job = mpiexec(&["-report-bindings", "-bind-to", "none", "-n", "2", "true"]);
    assert_eq!(job.err.matches(": not bound").count(), 2, "{}", job.err);
    let job = mpiexec(&["-display", "bind", "-bind-to", "core", "-n", "2", "true"]);
    assert_eq!(job.err.matches(": processors ").count(), 2, "{}", job.err);
}

#[test]
fn own_addresses_and_names_need_no_agent() {
    let output = Command::new("hostname").arg("-I").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let name = String::from_utf8(Command::new("hostname").output().unwrap().stdout).unwrap();
    let names = text.split_whitespace().chain(["localhost", "127.0.0.1", "127.0.1.1", name.trim()]);
    // An agent would fail.
    for own in names.clone() {
        let host = if own.contains(':') { format!("[{own}]") } else { own.to_owned() };
        let job = mpiexec(&["-agent", "false", "-hosts", &host, "-n", "2", "echo", "x"]);
        assert_eq!((job.code, job.out.as_str()), (0, "x\nx\n"), "{own}: {}", job.err);
    }
    let all: Vec<&str> = names.filter(|name| !name.contains(':')).collect();
    let local = "echo $MPI_LOCALNRANKS";
    let job = mpiexec(&["-agent", "false", "-hosts", &all.join(","), "sh", "-c", local]);
    assert!(job.out.lines().all(|line| line == all.len().to_string()), "{} {}", job.out, job.err);
}

//! What `nemesis doctor` says of hosts that have something wrong.

use super::robustness::for_an_ibm_z;
use crate::hosts::{self, Hosts};
use crate::job::{Ended, Job};
use crate::places::{self, needs_root};
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// A library of another implementation, as far as the command knows one.
const FOREIGN: &str = "#include <string.h>
int MPI_Get_library_version(char *text, int *length) {
    strcpy(text, \"Open MPI v9.8.7, package: none\");
    *length = (int)strlen(text);
    return 0;
}
";
const MAIN: &str = "int MPI_Get_library_version(char *, int *);
int main(void) { char t[9999]; int n; return MPI_Get_library_version(t, &n); }
";

/// An installed tree in `n`, and folders beside it that have each one fault.
pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::at(format!("/tmp/jobs-doctor-{}", std::process::id()).into(), false);
    scene.install("mpiexec", "n/bin/mpiexec");
    scene.install("nemesis", "n/bin/nemesis");
    scene.install("libmpi_abi.so", "n/lib/libmpi_abi.so.1");
    scene.install("libmpi_abi.so", "libmpi_abi.so.1");
    for folder in ["foreign", "two", "plain", "python"] {
        fs::create_dir(scene.path(folder)).expect("a folder");
    }
    for tool in ["sh", "bash", "cat", "env", "nsenter"] {
        let path = places::find(tool).unwrap_or_else(|| panic!("{tool} is missing"));
        symlink(path, scene.path("plain").join(tool)).expect("a link");
    }
    let mut suite = Suite::default();
    add_plain(&mut suite);
    if places::succeeds(crate::scene::compiler().arg("--version")) {
        compile(&scene);
        add_libraries(&mut suite);
    } else {
        crate::say!("libraries: skipped: there is no C compiler");
    }
    add_limits(&mut suite);
    add_hosts(&mut suite);
    suite.run(&scene, wanted)
}

/// Describes a run of the doctor; the caller's MPI and Python are not what is examined.
fn doctor<'a>(scene: &'a Scene, words: &str) -> Job<'a> {
    run_clean(scene, &format!("./n/bin/nemesis doctor {words}"))
}

fn run_clean<'a>(scene: &'a Scene, command: &str) -> Job<'a> {
    let path = format!("{}:{}", scene.name("n/bin"), scene.name("plain"));
    scene.job(command).without("LD_LIBRARY_PATH").env("PATH", path).limit(120)
}

#[track_caller]
fn says_all(ended: &Ended, texts: &[&str]) {
    for text in texts {
        ended.says(text);
    }
}

fn add_plain(suite: &mut Suite) {
    suite.beside("alone", |scene| {
        let ended = doctor(scene, "").run();
        ended.code(0).says(&format!("{}: Nemesis", scene.name("n/bin/mpiexec")));
        let told = ["conclusion: jobs can run on this host", "on PATH", "processors", "open files"];
        says_all(&ended, &told);
    });
    suite.beside("json", |scene| {
        let ended = doctor(scene, "--json").run();
        ended.code(0).says("\"findings\": [").says("\"limits\": [");
    });
    suite.beside("missing-program", |scene| {
        let ended = run_clean(scene, "./n/bin/nemesis doctor").words(["./nowhere"]).run();
        ended.code(1).says("./nowhere is not there");
        ended.says("conclusion: 1 problem on this host");
    });
    suite.beside("directory", |scene| {
        doctor(scene, "./n").run().code(1).says("it is a directory");
    });
    suite.beside("another-processor", |scene| {
        scene.write_program("other", for_an_ibm_z());
        let ended = doctor(scene, "./other").run();
        ended.code(1).says("is a program for s390x");
        ended.says(&format!("this host is {}", std::env::consts::ARCH));
    });
}

/// Compiles programs whose libraries are found by RUNPATH, by LD_LIBRARY_PATH, and not at all.
fn compile(scene: &Scene) {
    scene.write("fake.c", FOREIGN);
    scene.write("main.c", MAIN);
    let folder = scene.folder.display().to_string();
    let fake = "./foreign/libmpi.so.77";
    let own = "./n/lib/libmpi_abi.so.1";
    scene.cc(&format!("-shared -fPIC -Wl,-soname,libmpi.so.77 ./fake.c -o {fake}"));
    scene.cc(&format!("./main.c {fake} -Wl,-rpath,{folder}/foreign -o ./a"));
    scene.cc(&format!("./main.c {fake} -o ./b"));
    scene.cc(&format!(
        "./main.c -Wl,--no-as-needed {fake} {own} -Wl,-rpath,{folder}/foreign:{folder}/n/lib -o ./c"
    ));
    scene.cc(&format!("./main.c -Wl,--no-as-needed {own} -Wl,-rpath,{folder}/n/lib -o ./d"));
    let refuse = places::root().join("tests/robustness/refuse.c");
    scene.cc(&format!("-O1 {} -o ./refuse", refuse.display()));
    let script = |name: &str, text: String| {
        fs::write(scene.path(name), text).expect("a script");
        fs::set_permissions(scene.path(name), PermissionsExt::from_mode(0o755))
            .expect("its rights");
    };
    // Another implementation's commands, and a Python, as far as the command knows one.
    script("two/mpiexec", "#!/bin/sh\necho 'mpiexec (OpenRTE) 9.8.7'\n".into());
    script("two/mpicc", format!("#!/bin/sh\necho 'cc -L{folder}/foreign -lmpi'\n"));
    script(
        "python/python3",
        format!(
            "#!/bin/sh\nprintf 'prefix {folder}\\nmpi4py 4.0.0\\nlibrary \
             {folder}/foreign/libmpi.so.77\\n'\n"
        ),
    );
}

fn add_libraries(suite: &mut Suite) {
    let loads =
        |scene: &Scene| format!("loads {} (Open MPI 9.8.7)", scene.name("foreign/libmpi.so.77"));
    suite.beside("foreign-library", move |scene| {
        let ended = doctor(scene, "./a").run();
        ended.code(1).says(&format!("RUNPATH {}", scene.name("foreign")));
        ended.says(&format!("{} {}", scene.name("a"), loads(scene)));
        ended.says("each rank would be a job of one process");
    });
    suite.beside("missing-library", |scene| {
        let ended = doctor(scene, "./b").run();
        ended.code(1).says(&format!("{} needs libmpi.so.77, not found", scene.name("b")));
    });
    suite.beside("library-path", move |scene| {
        let ended = doctor(scene, "./b").env("LD_LIBRARY_PATH", scene.name("foreign")).run();
        ended.code(1).says("in LD_LIBRARY_PATH").says(&loads(scene));
    });
    suite.beside("two-libraries", |scene| {
        let ended = doctor(scene, "./c").run();
        ended.code(1).says(&format!("{} loads 2 MPI libraries", scene.name("c")));
        ended.says("mean nothing to the other");
    });
    suite.beside("own-library", |scene| {
        let ended = doctor(scene, "./d").run();
        ended.code(0).says(&format!("{} (Nemesis", scene.name("n/lib/libmpi_abi.so.1")));
        ended.says("jobs can run");
    });
    // Another implementation's commands before ours, and after.
    suite.beside("foreign-mpiexec", |scene| {
        let ended = doctor(scene, "").env("PATH", path(scene, &["two", "n/bin", "plain"])).run();
        ended.code(0).says(&format!("{}: Nemesis", scene.name("n/bin/mpiexec")));
        let told =
            ["`mpiexec` starts", "Open MPI 9.8.7 is the first on PATH", "hidden by an earlier one"];
        says_all(&ended, &told);
    });
    suite.beside("mixed-commands", |scene| {
        let ended = doctor(scene, "").env("PATH", path(scene, &["n/bin", "two", "plain"])).run();
        ended.code(1).says("belong to different implementations");
    });
    suite.beside("python", |scene| {
        let ended = doctor(scene, "").env("PATH", path(scene, &["n/bin", "python", "plain"])).run();
        ended.code(1).says(&format!(
            "mpi4py 4.0.0 of {} loads {}",
            scene.name("python/python3"),
            scene.name("foreign/libmpi.so.77")
        ));
    });
    suite.beside("siblings-refused", |scene| {
        let job = "./refuse process_vm_readv -- ./n/bin/nemesis doctor";
        let ended = run_clean(scene, job).run();
        ended.code(0);
        says_all(
            &ended,
            &[
                "ranks may not read each other",
                "why: process_vm_readv: Operation not permitted",
                "long messages are copied twice",
                "reading siblings    refused",
                "try: kernel.yama.ptrace_scope=0 or 1",
                "conclusion: jobs can run on this host, 1 remark",
            ],
        );
    });
}

fn path(scene: &Scene, folders: &[&str]) -> String {
    folders.iter().map(|folder| scene.name(folder)).collect::<Vec<_>>().join(":")
}

fn add_limits(suite: &mut Suite) {
    suite.beside("small-dev-shm", |scene| {
        needs_root();
        let found = |tool: &str| places::find(tool).expect("a tool").display().to_string();
        let script =
            format!("{} -t tmpfs -o size=64k none /dev/shm && exec \"$0\" doctor", found("mount"));
        let job = format!("{} -m sh -c '{script}' ./n/bin/nemesis", found("unshare"));
        let ended = run_clean(scene, &job).run();
        ended.code(0).says("/dev/shm            64 KiB").says("nothing: not used");
    });
    // A host that has an RDMA device, as its files say, and little memory that may be locked.
    let beside_a_device = |scene: &Scene, command: &str| {
        let script = format!(
            "mount -t tmpfs none /sys/class && mkdir -p /sys/class/infiniband/mlx5_0 && \
             ulimit -l 64 && exec {command} env PATH=\"$1\" \"$0\" doctor"
        );
        let job = scene.job(&format!("unshare -m bash -c '{script}' ./n/bin/nemesis"));
        job.words([path(scene, &["n/bin", "plain"])]).without("LD_LIBRARY_PATH").run()
    };
    suite.beside("little-locked", move |scene| {
        needs_root();
        places::needs("setpriv");
        let ended = beside_a_device(scene, "setpriv --bounding-set=-ipc_lock");
        ended.code(1).says("only 64 KiB may be locked, and this host has an RDMA device");
        ended.says("the device's buffers must be locked in memory").says("ulimit -l unlimited");
    });
    suite.beside("locked-by-privilege", move |scene| {
        needs_root();
        let ended = beside_a_device(scene, "");
        ended.code(0).says("locked memory       64 KiB").says("this process may exceed it");
    });
    suite.beside("little-locked-alone", |scene| {
        let job = "bash -c 'ulimit -l 64 && exec \"$0\" doctor' ./n/bin/nemesis";
        let ended = run_clean(scene, job).run();
        ended.code(0).says("locked memory       64 KiB");
        ended.says("nothing: no RDMA device needs it");
    });
    suite.beside("few-files", |scene| {
        let job = "sh -c 'ulimit -n 65 && exec \"$0\" doctor' ./n/bin/nemesis";
        let ended = run_clean(scene, job).run();
        ended.code(1).says("only 65 files may be open").says("0 ranks fit here");
    });
}

/// Hosts: all is well; a firewall that drops, one that rejects; a host that is not there.
fn add_hosts(suite: &mut Suite) {
    suite.beside("two-hosts", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        let ended = of_hosts(scene, &hosts, "node1,node2:2");
        ended.code(0).says("node1 to node2 at 10.77.1.2 (eth0): reached");
        ended.says("node2 to node1 at 10.77.1.1 (eth0): reached");
        ended.says("conclusion: jobs can run on these 2 hosts");
    });
    // A neighbour with a false hardware address answers nothing.
    suite.waits("dropped", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        let away = "ip neigh replace 10.77.1.2 lladdr 02:00:00:00:00:99 nud permanent dev eth0";
        hosts.on("node1", away);
        let ended = of_hosts(scene, &hosts, "node1,node2");
        ended.code(1).says("node1 does not reach node2");
        ended.says("10.77.1.2 (eth0) does not answer: a firewall drops");
    });
    suite.beside("prohibited", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        hosts.on("node1", "ip route add prohibit 10.77.1.2");
        let ended = of_hosts(scene, &hosts, "node1,node2");
        ended.code(1).says("node1 does not reach node2").says("node1 has no route to 10.77.1.2");
    });
    // A firewall of one port range: packets are dropped, or answered with a reset.
    suite.waits("port-dropped", |scene| {
        let hosts = behind_a_wall(scene, "drop");
        let ended = of_hosts(scene, &hosts, "node1,node2 -port-range 50000:50100");
        ended.code(1).says("node1 to node2 at 10.77.1.2 (eth0): no answer within 3 s");
        ended.says("node2 to node1 at 10.77.1.1 (eth0): reached");
        ended.says("node1 does not reach node2");
        ended.says("a firewall drops the packets to TCP port 500");
    });
    suite.beside("port-refused", |scene| {
        let hosts = behind_a_wall(scene, "reject with tcp reset");
        let ended = of_hosts(scene, &hosts, "node1,node2 -port-range 50000:50100");
        ended.code(1).says("node1 to node2 at 10.77.1.2 (eth0): refused");
        ended.says("refuses TCP port 500").says("a firewall rejects it");
    });
    suite.beside("absent-host", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        let ended = of_hosts(scene, &hosts, "node1,node9");
        ended.code(1).says("node9: no process starts on this host").says("conclusion: 1 problem");
    });
}

/// Two hosts, of which node2 has a firewall that does this with packets of node1.
fn behind_a_wall(scene: &Scene, verdict: &str) -> Hosts {
    places::needs("nft");
    let hosts = scene.hosts(hosts::nodes(2));
    let made = hosts.on(
        "node2",
        &format!(
            "PATH=$PATH:/usr/sbin:/sbin; nft add table inet f && \
             nft 'add chain inet f i {{ type filter hook input priority 0; }}' && \
             nft add rule inet f i ip saddr 10.77.1.1 tcp dport 50000-50100 {verdict} && echo made"
        ),
    );
    if !made.ends_with("made\n") {
        crate::skip(format!("nft may not be used: {made}"));
    }
    hosts
}

/// Runs the doctor on "login", for these hosts.
fn of_hosts(scene: &Scene, hosts: &Hosts, words: &str) -> Ended {
    let path = format!(
        "{}:{}:{}",
        scene.name("n/bin"),
        hosts.folder.join("bin").display(),
        scene.name("plain")
    );
    // nsenter and sh are found by the caller's PATH.
    let job = scene.job(&format!("env PATH={path} ./n/bin/nemesis doctor -hosts {words}"));
    job.without("LD_LIBRARY_PATH").on(hosts.login()).limit(120).run()
}

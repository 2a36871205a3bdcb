//! The command `adoube bitbase`: build, verify, probe, errors and exit codes.

use crate::support::program::run;
use std::fs;
use std::path::Path;

/// Runs `adoube bitbase` with these arguments and `--dir`.
fn bitbase(arguments: &[&str], folder: &Path) -> (Option<i32>, String) {
    let folder = folder.to_str().expect("plain");
    let (code, out, errors) = run(&[&["bitbase"], arguments, &["--dir", folder]].concat(), "");
    (code, out + &errors)
}

#[test]
fn builds_verifies_probes_and_detects_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = &folder.path().join("made/for/it");
    let (code, out) = bitbase(&["build", "--pieces", "3", "--threads", "1"], folder);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("2 pieces: 8845 positions, 4 tables"), "{out}");
    assert!(out.contains("3 pieces: 806300 positions, 12 tables"), "{out}");

    let (code, out) = bitbase(&["verify"], folder);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("2 pieces: 8845 positions, 3205 won, 3678 drawn, 1962 lost"), "{out}");
    assert!(out.contains("3 pieces: 806300 positions, "), "{out}");
    assert!(!out.contains("4 pieces"), "{out}");

    let (code, out) = bitbase(&["probe", "W:WK46:B5,6"], folder);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("win\n"), "{out}");
    assert_eq!(out.lines().count(), 9, "{out}");

    let path = folder.join("kk-k.bb");
    let mut bytes = fs::read(&path).expect("built");
    *bytes.last_mut().expect("not empty") ^= 1;
    fs::write(&path, bytes).expect("written");
    for arguments in [&["verify"][..], &["probe", "W:WK46:B5,6"], &["build", "--pieces", "2"]] {
        let (code, out) = bitbase(arguments, folder);
        assert_eq!(code, Some(1), "{out}");
        let says = "kk-k.bb, table at byte 0: table kk-k is damaged (wrong checksum)";
        assert!(out.contains(says), "{out}");
    }
}

#[test]
fn probes_positions_from_standard_input_and_files() {
    let input = "W:WK46:B5,6\n\nnonsense\nB:WK46:BK5,6\nW:W31-50:B1-20\n";
    let (code, out, errors) = run(&["bitbase", "probe"], input);
    assert_eq!(code, Some(1), "{out}");
    let values: Vec<_> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(values, ["win", "win", "unknown"], "{out}");
    assert!(errors.starts_with("line 3: ") && errors.lines().count() == 1, "{errors}");
    let (code, _, errors) = run(&["bitbase", "probe"], "W:WK46:B5,6\n");
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positions.txt");
    fs::write(&file, input).expect("written");
    let file = file.to_str().expect("plain");
    let (code, from_file, errors) = run(&["bitbase", "probe", "--file", file], "");
    assert_eq!((code, from_file), (Some(1), out));
    assert!(errors.starts_with(&format!("{file}: line 3: ")), "{errors}");
    let (code, _, errors) = run(&["bitbase", "probe", "--file", "no such file"], "");
    assert!(code == Some(1) && errors.starts_with("error: no such file: "), "{errors}");
}

#[test]
fn rejects_positions_without_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, out) = bitbase(&["verify"], folder.path());
    assert_eq!(code, Some(1));
    assert!(out.contains("there is no bitbase (*.bb) in "), "{out}");
    bitbase(&["build", "--pieces", "2"], folder.path());
    let (code, out) = bitbase(&["probe", "W:W31,32:B1"], folder.path());
    assert_eq!(code, Some(1));
    assert!(out.contains("at most 2 pieces"), "{out}");
    let (code, out) = bitbase(&["probe", "W:W31:B51"], folder.path());
    assert_eq!(code, Some(1));
    assert!(out.contains("'51' is not a square"), "{out}");
}

#[test]
fn tables_of_variants_are_in_subfolders() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (code, out) = bitbase(&["build", "--variant", "bt", "--pieces", "3"], folder);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("3 pieces: 85580 positions, 2 tables"), "{out}");
    assert!(folder.join("bt/mm-m.bb").is_file());
    let (code, out) = bitbase(&["verify", "--variant", "bt"], folder);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains(" 0 drawn, ") && out.contains(" 0 wrong"), "{out}");

    let (code, out) = bitbase(&["probe", "W:W7,41:B38:Vbt"], folder);
    assert_eq!((code, out.lines().next()), (Some(0), Some("win")), "{out}");
    let (code, out) = bitbase(&["probe", "W:W7,41:B37,38:Vbt"], folder);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("`adoube bitbase build --variant bt --pieces 4`"), "{out}");

    let dir = folder.to_str().expect("plain");
    let missing = format!("there is no bitbase (*.bb) in {dir}/killer");
    let input = "W:W7:B38:Vkiller\nW:W7,41:B38:Vbt\nW:W7:B39:Vkiller\n";
    let (code, out, errors) = run(&["bitbase", "probe", "--dir", dir], input);
    let values: Vec<_> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!((code, values), (Some(0), vec!["unknown", "win", "unknown"]), "{errors}");
    assert_eq!(errors, format!("warning: {missing}\n"));
    let (code, out) = bitbase(&["probe", "W:W7:B38:Vkiller"], folder);
    assert!(code == Some(1) && out.contains(&missing), "{out}");

    fs::create_dir(folder.join("killer")).expect("created");
    fs::copy(folder.join("bt/mm-m.bb"), folder.join("killer/mm-m.bb")).expect("copied");
    let (code, out) = bitbase(&["verify", "--variant", "killer"], folder);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("the table is for the variant bt, not for killer"), "{out}");

    let (code, out) = bitbase(&["build", "--variant", "frisian", "--pieces", "5"], folder);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("bitbases for frisian have at most 4 pieces"), "{out}");
}

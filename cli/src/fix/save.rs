//! Writes a changed file, and keeps it as it was beside it.

use crate::out::reason;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Most backups of one file.
const MAX_BACKUPS: u32 = 1000;

/// Replaces a file's content, in one step: a reader sees the old or the new one. Returns where the old one is kept.
///
/// # Errors
/// A message that names the file. It is then as it was.
pub fn save(path: &Path, old: &[u8], new: &[u8]) -> Result<PathBuf, String> {
    // A link stays one: what it leads to is replaced.
    let path = fs::canonicalize(path).map_err(|e| format!("{}: {}", path.display(), reason(&e)))?;
    let backup = keep(&path, old)?;
    let fresh = beside(&path, &format!(".nbmedic-{}", std::process::id()));
    let write = || {
        let mut file = create(&fresh)?;
        file.write_all(new)?;
        file.set_permissions(fs::metadata(&path)?.permissions())?;
        file.sync_all()?;
        fs::rename(&fresh, &path)
    };
    match write() {
        Ok(()) => Ok(backup),
        Err(e) => {
            let _ = fs::remove_file(&fresh);
            Err(format!("can't write {}: {}", path.display(), reason(&e)))
        }
    }
}

/// Writes the old content to the first name that is free.
fn keep(path: &Path, old: &[u8]) -> Result<PathBuf, String> {
    for number in 0..MAX_BACKUPS {
        let end = match number {
            0 => ".bak".to_owned(),
            n => format!(".bak{n}"),
        };
        let backup = beside(path, &end);
        let mut file = match create(&backup) {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::AlreadyExists => continue,
            Err(e) => return Err(format!("can't write {}: {}", backup.display(), reason(&e))),
        };
        let written = file.write_all(old).and_then(|()| file.sync_all());
        return match written {
            Ok(()) => Ok(backup),
            Err(e) => {
                let _ = fs::remove_file(&backup);
                Err(format!("can't write {}: {}", backup.display(), reason(&e)))
            }
        };
    }
    Err(format!(
        "{} has {MAX_BACKUPS} backups beside it: remove some",
        path.display()
    ))
}

fn create(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_are_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ipynb");
        for (n, name) in ["a.ipynb.bak", "a.ipynb.bak1", "a.ipynb.bak2"]
            .iter()
            .enumerate()
        {
            let old = format!("v{n}");
            fs::write(&path, &old).unwrap();
            let backup = save(&path, old.as_bytes(), b"new").unwrap();
            assert_eq!(backup.file_name().unwrap(), *name);
            assert_eq!(fs::read_to_string(&backup).unwrap(), old);
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        }
        assert_eq!(
            fs::read_to_string(dir.path().join("a.ipynb.bak")).unwrap(),
            "v0"
        );
        // Nothing else is left behind.
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_the_rights_of_a_file_stay() {
        use std::os::unix::fs::{symlink, PermissionsExt};
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.ipynb"), dir.path().join("link.ipynb"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        save(&link, b"old", b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert_eq!(
            fs::metadata(&real).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
}

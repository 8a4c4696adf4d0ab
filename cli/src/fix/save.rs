//! Writes a changed file, and keeps it as it was beside it.
//!
//! The new content is written to a file of its own, which then changes places with the old one in one step. What was there
//! becomes the backup, so a save of another program that came in between is seen, and nothing is lost.

use crate::out::reason;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// Most backups of one file.
const MAX_BACKUPS: u32 = 1000;

/// Replaces a file's content, in one step: a reader sees the old or the new one. Returns where the old one is kept.
///
/// # Errors
/// A message that names the file. It is then as it was, or as another program has saved it since.
pub fn save(path: &Path, old: &[u8], new: &[u8]) -> Result<PathBuf, String> {
    // A link stays one: what it leads to is replaced.
    let path = &fs::canonicalize(path).map_err(|e| cannot("write", path, &e))?;
    let about = fs::metadata(path).map_err(|e| cannot("write", path, &e))?;
    allowed(path, &about)?;
    let mut fresh = like(path, &about, new)?;
    unchanged(path, path, old)?;
    match exchange(&fresh, path) {
        Ok(()) => {}
        Err(e) if matches!(e.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            return replace(path, fresh, &about, old);
        }
        Err(e) => return Err(cannot("write", path, &e)),
    }
    // It is the old file now: whatever happens, it must not go.
    fresh.disable_cleanup(true);
    match unchanged(path, &fresh, old) {
        Ok(()) => {
            park(path, fresh, old).map_err(|(fresh, message)| back(path, fresh, new, message))
        }
        Err(message) => Err(back(path, fresh, new, message)),
    }
}

/// Refuses a file whose owner wants no changes, or that has other names, which would keep the old content.
fn allowed(path: &Path, about: &Metadata) -> Result<(), String> {
    let name = path.display();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        if about.permissions().mode() & 0o200 == 0 {
            return Err(format!(
                "{name} is read-only: make it writable (chmod u+w) or fix a copy"
            ));
        }
        if about.nlink() > 1 {
            return Err(format!(
                "{name} has {} names (hard links), of which only this one would change: fix a copy",
                about.nlink()
            ));
        }
    }
    if about.permissions().readonly() {
        return Err(format!(
            "{name} is read-only: make it writable or fix a copy"
        ));
    }
    Ok(())
}

/// A new file beside another, with its owner and its rights, before the first byte is in it. It goes when it is dropped.
fn like(path: &Path, about: &Metadata, content: &[u8]) -> Result<TempPath, String> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".nbmedic-");
    let folder = path.parent().unwrap_or(Path::new("."));
    // Nobody else can read it at first.
    let made = tempfile::Builder::new().prefix(&name).tempfile_in(folder);
    let (mut file, fresh) = made.map_err(|e| cannot("write", path, &e))?.into_parts();
    own(&file, about).map_err(|_| {
        format!(
            "{} belongs to another user or group: fix a copy",
            path.display()
        )
    })?;
    let mut write = || {
        file.set_permissions(about.permissions())?;
        file.write_all(content)?;
        file.sync_all()
    };
    write().map_err(|e| cannot("write", path, &e))?;
    Ok(fresh)
}

/// Gives a file the owner and the group of another.
#[cfg(unix)]
fn own(file: &File, about: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{fchown, MetadataExt};
    let now = file.metadata()?;
    let other = |now: u32, then: u32| (now != then).then_some(then);
    match (other(now.uid(), about.uid()), other(now.gid(), about.gid())) {
        (None, None) => Ok(()),
        (user, group) => fchown(file, user, group),
    }
}

#[cfg(not(unix))]
fn own(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Whether a file still is what was read of `path`.
fn unchanged(path: &Path, now: &Path, old: &[u8]) -> Result<(), String> {
    match fs::read(now) {
        Ok(bytes) if bytes == old => Ok(()),
        Ok(_) => Err(format!(
            "{} was saved by another program in the meantime, so nothing was written: run it again",
            path.display()
        )),
        Err(e) => Err(cannot("read", path, &e)),
    }
}

/// Lets two files change places, in one step.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{renameat_with, RenameFlags, CWD};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(Into::into)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Undoes the exchange. Returns the message.
fn back(path: &Path, mut fresh: TempPath, new: &[u8], message: String) -> String {
    let undone = exchange(&fresh, path);
    match fs::read(&fresh) {
        Ok(now) if undone.is_ok() && now == new => {
            fresh.disable_cleanup(false);
            message
        }
        // It was saved a second time.
        _ => format!(
            "{message} (what was saved at that moment is in {})",
            fresh.display()
        ),
    }
}

/// Keeps the old file under the first name that is free, or that holds the same already.
fn park(path: &Path, mut fresh: TempPath, old: &[u8]) -> Result<PathBuf, (TempPath, String)> {
    for backup in backups(path) {
        if holds(&backup, old) {
            fresh.disable_cleanup(false);
            return Ok(backup);
        }
        match fresh.persist_noclobber(&backup) {
            Ok(()) => return Ok(backup),
            Err(e) if e.error.kind() == ErrorKind::AlreadyExists => fresh = e.path,
            Err(e) => {
                let message = cannot("write", &backup, &e.error);
                return Err((e.path, message));
            }
        }
    }
    Err((fresh, too_many(path)))
}

/// The same where files can't change places: the old content is copied first.
fn replace(path: &Path, fresh: TempPath, about: &Metadata, old: &[u8]) -> Result<PathBuf, String> {
    let copy = like(path, about, old)?;
    let backup = park(path, copy, old).map_err(|(_, message)| message)?;
    unchanged(path, path, old)
        .and_then(|()| {
            fresh
                .persist(path)
                .map_err(|e| cannot("write", path, &e.error))
        })
        .map(|()| backup.clone())
        .inspect_err(|_| {
            let _ = fs::remove_file(&backup);
        })
}

fn backups(path: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    (0..MAX_BACKUPS).map(|number| {
        let mut name = path.as_os_str().to_owned();
        name.push(".bak");
        if number > 0 {
            name.push(number.to_string());
        }
        PathBuf::from(name)
    })
}

fn holds(backup: &Path, old: &[u8]) -> bool {
    let is_alike = |about: Metadata| about.is_file() && about.len() == old.len() as u64;
    fs::symlink_metadata(backup).is_ok_and(is_alike)
        && fs::read(backup).is_ok_and(|bytes| bytes == old)
}

fn too_many(path: &Path) -> String {
    format!(
        "{} has {MAX_BACKUPS} backups beside it: remove some",
        path.display()
    )
}

fn cannot(what: &str, path: &Path, e: &io::Error) -> String {
    format!("can't {what} {}: {}", path.display(), reason(e))
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

    #[test]
    fn where_files_cannot_change_places_the_old_one_is_copied() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ipynb");
        let count = || fs::read_dir(dir.path()).unwrap().count();
        fs::write(&path, "old").unwrap();
        let about = fs::metadata(&path).unwrap();
        let fresh = || like(&path, &about, b"new").unwrap();
        // A save in between.
        assert!(replace(&path, fresh(), &about, b"before").is_err());
        assert_eq!((fs::read(&path).unwrap(), count()), (b"old".to_vec(), 1));
        let backup = replace(&path, fresh(), &about, b"old").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!((fs::read(&backup).unwrap(), count()), (b"old".to_vec(), 2));
    }

    #[test]
    fn a_save_in_between_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ipynb");
        fs::write(&path, "saved").unwrap();
        let message = save(&path, b"old", b"new").unwrap_err();
        assert!(message.contains("saved by another program"), "{message}");
        // And one between the look and the exchange.
        let about = fs::metadata(&path).unwrap();
        let mut fresh = like(&path, &about, b"new").unwrap();
        fresh.disable_cleanup(true);
        exchange(&fresh, &path).unwrap();
        assert_eq!(back(&path, fresh, b"new", "no".into()), "no");
        assert_eq!(fs::read_to_string(&path).unwrap(), "saved");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        // And one more before it is undone: the last one is beside it.
        let mut fresh = like(&path, &about, b"new").unwrap();
        fresh.disable_cleanup(true);
        exchange(&fresh, &path).unwrap();
        fs::write(&path, "saved again").unwrap();
        assert!(back(&path, fresh, b"new", "no".into()).contains(".nbmedic-"));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_backup_that_is_there_already_is_enough() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ipynb");
        for _ in 0..3 {
            fs::write(&path, "old").unwrap();
            let backup = save(&path, b"old", b"new").unwrap();
            assert_eq!(
                backup,
                fs::canonicalize(dir.path()).unwrap().join("a.ipynb.bak")
            );
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}

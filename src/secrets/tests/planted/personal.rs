//! Names of people, and of things that only they can reach.

use super::values::{Random, LOWER, WORD};
use super::Case;

const PATHS: &[&str] = &[
    "/home/{u}/proj/x.py",
    "/Users/{u}/miniconda3/lib",
    "/mnt/c/Users/{u}/x",
    "/nfs/home/{u}/data",
    "/scratch/users/{u}/run",
    "/media/{u}/disk",
    "/run/media/{u}/USB",
    "/gpfs/home/{u}/x",
    "/lustre/home/{u}",
    "/export/home/{u}/x",
    "/data/home/{u}/x",
    "C:\\Users\\{u}\\AppData",
    "C:\\Users\\{u}",
    "'C:\\\\Users\\\\{u}\\\\x.py'",
    "C:/Users/{u}/x",
    "D:\\Users\\{u}\\x.csv",
    "file:///home/{u}/a",
    "%2Fhome%2F{u}%2Fx",
    "C%3A%5CUsers%5C{u}%5Cx",
    "/c/Users/{u}/x",
    "/cygdrive/c/Users/{u}/x",
    "\\\\wsl$\\Ubuntu\\home\\{u}\\x",
    "/var/home/{u}/x",
    "cd /home/{u}",
    "PosixPath('/home/{u}/x')",
    "HOME=/home/{u}",
    "USER={u}",
    "LOGNAME={u}",
    "'USERNAME': '{u}'",
    "C:\\Documents and Settings\\{u}\\x",
    "/cluster/home/{u}/x",
    "/home2/{u}/x",
    "~{u}/x.py",
];
const MAILS: &[&str] = &[
    "{u}@EXAMPLE.COM",
    "{u}@mail.Acme.Io",
    "{u}@acme.technology",
    "{u}@acme.berlin",
    "{u}@uni-x.ac.uk",
    "{u}%40acme.org",
    "mailto:{u}@acme.dev",
    "<{u}@acme.com>",
    "{u}+news@acme.co.jp",
    "\"{u}@acme.academy\"",
    "git config user.email {u}@acme.studio",
    "author = {u}@acme.xyz",
    "{u}@acme.photography.",
    "\\n{u}@acme.net\\n",
    "({u}@acme.solutions)",
    "{u}@sub.dept.acme.university",
    "{u}@acme.online, x",
    "user={u}@acme.io",
    "{u}\\u0040acme.com",
    "{u}@xn--bcher-kva.de",
];
const HOSTS: &[&str] = &[
    "http://{h}.internal:8080/x",
    "ssh {h}.corp",
    "{h}.lan",
    "{h}.local:22",
    "Failed to connect to {h}.intranet port 80",
    "host='{h}.localdomain'",
    "tcp://{h}.internal.acme.com:5432",
    "psql -h {h}.corp.acme.com",
];
const ADDRESSES: &[&str] = &[
    "http://{i}:8888/lab",
    "connection to {i} refused",
    "ConnectionError: ('{i}', 5432)",
    "host={i}",
    "tcp://{i}:29500",
    "ssh ada@{i}",
    "inet {i}/24",
];

pub fn cases() -> Vec<Case> {
    let mut r = Random(41);
    let mut out = Vec::new();
    let mut add = |name: String, text: String, secret: String| {
        let text = match out.len() % 3 {
            0 => format!("Error: {text}\nnext line"),
            _ => text,
        };
        out.push(Case {
            name,
            text,
            secrets: vec![secret],
        });
    };
    for template in PATHS {
        for k in 0..2 {
            let user = match k {
                0 => "q".to_owned() + &r.text(LOWER, 6),
                _ => format!("{}.{}", r.text(LOWER, 5), r.text(LOWER, 6)),
            };
            add(
                format!("path/{template}/{k}"),
                template.replace("{u}", &user),
                user,
            );
        }
    }
    for (user, secret) in [
        ("Ada Lovelace", "Lovelace"),
        ("Вася Пупкин", "Пупкин"),
        ("田中太郎", "田中太郎"),
        ("José-María", "José-María"),
        ("müller", "müller"),
    ] {
        for template in [
            "C:\\Users\\{u}\\x.py",
            "/Users/{u}/Documents/x",
            "'C:\\\\Users\\\\{u}\\\\x'",
            "/home/{u}/x.py",
        ] {
            add(
                format!("script/{template}/{user}"),
                template.replace("{u}", user),
                secret.to_owned(),
            );
        }
    }
    for template in MAILS {
        for k in 0..2 {
            let user = match k {
                0 => r.text(LOWER, 7),
                _ => format!("{}.{}", r.text(LOWER, 5), r.text(LOWER, 6)),
            };
            add(
                format!("mail/{template}/{k}"),
                template.replace("{u}", &user),
                user,
            );
        }
    }
    for mail in [
        "анна@почта.рф",
        "用户@例子.公司",
        "josé@correo.es",
        "müller@bücher.de",
        "δοκιμή@παράδειγμα.ελ",
        "anna@пример.онлайн",
    ] {
        let secret = mail.split('@').next().expect("a name").to_owned();
        add(
            format!("mail/{mail}"),
            format!("from {mail} today"),
            secret.clone(),
        );
        add(format!("mail/bare/{mail}"), mail.to_owned(), secret);
    }
    for template in HOSTS {
        for k in 0..2 {
            let host = format!("q{}-{}", r.text(LOWER, 5), k + 3);
            add(
                format!("host/{template}/{k}"),
                template.replace("{h}", &host),
                host,
            );
        }
    }
    for template in ADDRESSES {
        for net in ["10.31", "192.168", "172.20"] {
            let address = format!("{net}.{}.{}", 10 + r.below(200), 10 + r.below(200));
            add(
                format!("address/{template}/{net}"),
                template.replace("{i}", &address),
                address,
            );
        }
    }
    let drive = [
        "https://drive.google.com/drive/folders/{d}?usp=sharing",
        "https://drive.google.com/drive/u/0/folders/{d}",
        "https://drive.google.com/file/d/{d}/view",
        "https://drive.google.com/uc?export=download&id={d}",
        "https://docs.google.com/spreadsheets/d/{d}/edit#gid=0",
        "https://colab.research.google.com/drive/{d}",
        "!gdown {d}",
        "gdown.download(id='{d}')",
        "gdown --folder {d}",
        "/content/drive/.shortcut-targets-by-id/{d}/x",
        "drive.CreateFile({'id': '{d}'})",
        "file_id = '{d}'",
        "folder_id=\"{d}\"",
        "gdown.download_folder(id=\"{d}\")",
        "https://drive.google.com/open?id={d}",
    ];
    for template in drive {
        for k in 0..2 {
            let id = format!("1{}7x", r.text(WORD, 30));
            add(
                format!("drive/{template}/{k}"),
                template.replace("{d}", &id),
                id,
            );
        }
    }
    out
}

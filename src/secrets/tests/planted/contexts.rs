//! Secrets in the places where notebooks show them.

use super::values::{is_token, of_pattern, password, rules, Random, HEX, LOWER, WORD};
use super::Case;

/// Names of secrets; each ends a project's own name.
const NAMES: &[&str] = &[
    "API_TOKEN",
    "ACCESS_TOKEN",
    "SECRET_KEY",
    "API_KEY",
    "GITLAB_PAT",
    "ENCRYPTION_KEY",
    "SIGNING_KEY",
    "SESSION_KEY",
    "AUTH_TOKEN",
    "CLIENT_SECRET",
    "MASTER_KEY",
    "WEBHOOK_SECRET",
    "REFRESH_TOKEN",
    "JWT_SECRET",
    "HMAC_KEY",
    "FERNET_KEY",
    "SUBSCRIPTION_KEY",
    "ACCOUNT_KEY",
    "STORAGE_KEY",
    "APP_KEY",
    "CONSUMER_SECRET",
    "COOKIE_SECRET",
    "SECRET",
    "TOKEN",
    "SERVICE_CREDENTIAL",
    "DEPLOY_KEY",
    "BOT_TOKEN",
    "ACCESS_KEY",
    "BEARER_TOKEN",
    "PRIVATE_TOKEN",
];
/// Names of passwords.
const PASSWORDS: &[&str] = &[
    "PASSWORD",
    "DB_PASS",
    "PASSWD",
    "REDIS_PASSWORD",
    "PASSPHRASE",
    "SMTP_PASS",
    "ADMIN_PWD",
    "KEYSTORE_PASSWORD",
    "SUDO_PASS",
];

/// A name and its value; `{N}` upper case, `{n}` lower case, `{k}` with dashes, `{c}` in camel case.
const ASSIGNED: &[&str] = &[
    "{N}={v}",
    "export {N}={v}",
    "{N} = '{v}'",
    "{n} = \"{v}\"",
    "{n}=f'{v}'",
    "{N} = b\"{v}\"",
    "{n} = r'{v}'",
    "{N} = u'{v}'",
    "{N} = rb'{v}'",
    "{n} = \"\"\"{v}\"\"\"",
    "{n} = '''{v}'''",
    "const {c} = `{v}`;",
    "{n}: str = \"{v}\"",
    "{n}: Optional[str] = '{v}'",
    "{n}: str | None = '{v}',",
    "if ({n} := \"{v}\"):",
    "{n} := \"{v}\"",
    "os.environ[\"{N}\"] = \"{v}\"",
    "os.environ['{N}']='{v}'",
    "os.environ.get('{N}', '{v}')",
    "os.getenv(\"{N}\", \"{v}\")",
    "os.environ.setdefault(\"{N}\", \"{v}\")",
    "monkeypatch.setenv('{N}', '{v}')",
    "{n} = SecretStr('{v}')",
    "Settings({n}=SecretStr(\"{v}\"))",
    "(\"{N}\", \"{v}\"),",
    "[('{N}', '{v}'), ('LANG', 'C')]",
    "environ({'LANG': 'C', '{N}': '{v}', 'HOME': '/root'})",
    "{\"{n}\": \"{v}\", \"a\": 1}",
    "\"{\\\"{n}\\\": \\\"{v}\\\"}\"",
    "\"{\\\\\\\"{n}\\\\\\\": \\\\\\\"{v}\\\\\\\"}\"",
    "<{c}>{v}</{c}>",
    "<add key=\"{c}\" value=\"{v}\" />",
    "<property name='{n}' value='{v}'/>",
    "{n}: {v}",
    "{n}: |\n  {v}\nother: 1",
    "{n}: >-\n    {v}\nother: 1",
    "- name: {N}\n  value: {v}",
    "- name: {N}\n  value: \"{v}\"",
    "%7B%22{n}%22%3A%22{v}%22%7D",
    "{n}%3D{v}%26x%3D1",
    "{N}\u{a0}=\u{a0}'{v}'",
    "{N}:\u{a0}{v}",
    "%env {N} {v}",
    "%env {N}={v}",
    "%set_env {N} {v}",
    "setx {N} {v}",
    "setenv {N} {v}",
    "$env:{N} = \"{v}\"",
    "ENV {N} {v}",
    "docker run -e {N}={v} img",
    "docker build --build-arg {N}={v} .",
    "'{n}' => '{v}',",
    "Client({n}='{v}', timeout=3)",
    "self.{n} = \"{v}\"",
    "config.{c} = '{v}'",
    "prog --{k} {v} --verbose",
    "prog --{k}={v} --verbose",
    "prog --{k} '{v}'",
    "prog -{k} {v}",
    "Command '['prog', '--{k}', '{v}', '-x']' returned non-zero exit status 1.",
    "subprocess.run([\"prog\", \"--{k}\", \"{v}\"])",
    "Namespace(lr=0.1, {n}='{v}', seed=1)",
    "aws configure set {n} {v} --profile x",
    "kubectl create secret generic s --from-literal={n}={v}",
    "heroku config:set {N}={v}",
    "GET /v1/items?{n}={v}&page=2 HTTP/1.1",
    "https://api.acme.io/v1?page=2&{n}={v}",
    "{N}=\"{v}\" python run.py",
    "print(f\"{n}={v}\")",
    "│ {n}='{v}' │",
    "│ {N} │ {v} │",
    "ValidationError: input_value={'{n}': '{v}'}, input_type=dict",
    "ERROR: bad {n} '{v}' given",
    "\\n{N}={v}\\nLANG=C",
    "\\t{n}: {v}\\n",
    "{N}={v}; python run.py",
    "{c}: '{v}',",
    "// {c}={v}",
    "# {N} = \"{v}\"",
    "set {N}={v}",
    "{n}=\"{v}\",",
    "login({n}=\"{v}\")",
    "{\"name\": \"{N}\", \"value\": \"{v}\"}",
    "locals: {n} = '{v}'",
    "&quot;{n}&quot;: &quot;{v}&quot;",
];

/// Passwords in typical places.
const PASSWORD_PLACES: &[&str] = &[
    "curl -u ada:{v} https://api.acme.io/x",
    "curl --user 'ada:{v}' https://api.acme.io/x",
    "Command '['curl', '-u', 'ada:{v}', 'https://a.b']' returned non-zero exit status 22.",
    "mysql -u root -p{v} shop",
    "mysqldump -h db -p{v} shop > x.sql",
    "['mysql', '-uada', '-p{v}', 'shop']",
    "docker login -u ada -p {v} registry.acme.io",
    "echo {v} | docker login -u ada --password-stdin",
    "sshpass -p {v} ssh ada@gpu1",
    "sshpass -p '{v}' scp a b",
    "machine api.acme.io login ada password {v}",
    "machine api.acme.io\n  login ada\n  password {v}\n",
    "redis-cli -h cache -a {v} ping",
    "PGPASSWORD={v} psql -h db",
    "twine upload -u __token__ -p {v} dist/*",
    "openssl rsa -passin pass:{v} -in k.pem",
    "auth=('ada', '{v}')",
    "requests.get(u, auth=(\"ada\", \"{v}\"))",
    "HTTPBasicAuth('ada', '{v}')",
    "smtp.login('ada@acme.io', '{v}')",
    "postgresql://ada:{v}@db.acme.io:5432/shop",
    "mongodb+srv://ada:{v}@cluster0.acme.mongodb.net/?retryWrites=true",
    "Server=db;Database=shop;User Id=ada;Password={v};",
    "host=db dbname=shop user=ada password={v}",
    "jdbc:mysql://db/shop?user=ada&password={v}",
    "echo '{v}' | sudo -S apt-get update",
    "zip -P {v} out.zip a.csv",
    "unzip -P '{v}' in.zip",
    "wget --user=ada --password={v} https://a.b/c",
    "wget --http-password={v} https://a.b/c",
    "the password is {v}",
    "Enter password: {v}",
    "gpg --batch --passphrase {v} -d x.gpg",
    "snowflake.connector.connect(user='ada', password='{v}')",
    "create_engine('mysql+pymysql://ada:{v}@db/shop')",
    "psycopg2.OperationalError: connection failed: \"host=db user=ada password={v} port=5432\"",
    "htpasswd -b .htpasswd ada {v}",
];

/// Random secrets in typical places.
const OPAQUE_PLACES: &[&str] = &[
    "Authorization: Bearer {t}",
    "Authorization: Basic {t}",
    "{'Authorization': 'Bearer {t}', 'Accept': '*/*'}",
    "headers={\"authorization\": \"token {t}\"}",
    "-H \"Authorization: Bearer {t}\"",
    "-H 'X-Api-Key: {t}'",
    "x-api-key: {t}",
    "X-Auth-Token: {t}",
    "PRIVATE-TOKEN: {t}",
    "Ocp-Apim-Subscription-Key: {t}",
    "x-goog-api-key: {t}",
    "https://maps.acme.io/api?key={t}&q=x",
    "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature={h64}",
    "https://b.s3.amazonaws.com/k?AWSAccessKeyId=A&Signature={t}%3D&Expires=1",
    "https://storage.googleapis.com/b/k?X-Goog-Signature={h64}",
    "https://acct.blob.core.windows.net/c/b?sv=2024-01-01&se=2026&sig={t}{t}%3D",
    "Cookie: sessionid={t}",
    "Set-Cookie: session={t}; Path=/; HttpOnly",
    "cookies={'sessionid': '{t}'}",
    "Cookie: _xsrf=2|{h8}; csrftoken={t}",
    "JSESSIONID={h32}",
    "http://127.0.0.1:8888/lab?token={h48}",
    "ngrok config add-authtoken {t}",
    "ngrok.set_auth_token(\"{t}\")",
    "wandb login {h40}",
    "wandb login --relogin {h40}",
    "huggingface-cli login --token {t}",
    "login('{t}')  # huggingface",
    "comet login --api-key {t}",
    "npm config set //registry.npmjs.org/:_authToken {t}",
    "//registry.npmjs.org/:_authToken={t}",
    "https://{t}@github.com/ada/x.git",
    "https://x-access-token:{t}@github.com/ada/x.git",
    "git clone https://oauth2:{t}@gitlab.acme.io/x.git",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={t}{t}==;EndpointSuffix=x",
    "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=r;SharedAccessKey={t}=",
    "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature={h64}",
    "{\"username\":\"ada\",\"key\":\"{h32}\"}",
    "openai.api_key = \"{t}\"",
    "Incorrect API key provided: {t}. You can find your key",
    "[default]\naws_access_key_id = x\naws_secret_access_key = {k40}",
    "\"private_key_id\": \"{h40}\"",
    "callback?code={t}&state=x",
    "refresh_token={t}&grant_type=refresh_token",
    "bearer {t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}{t}",
];

/// Contexts of a token that is recognised by its first letters.
const AROUND: &[&str] = &[
    "{v}",
    "key {v} end",
    "'{v}'",
    "print(\"{v}\")",
    "a\\n{v}\\nb",
    "a\\t{v}\\t",
    "%22{v}%22",
    "x-{v}",
    "run_{v}",
    "v1.{v}",
    "={v},",
    "({v})",
    "[{v}]",
    "<{v}>",
    "https://a.b/{v}/c",
    "\\\"{v}\\\"",
    "`{v}`",
    "`{v}`.",
    "│ {v} │",
    "bad token {v}: 401",
    "\u{1b}[31m{v}\u{1b}[0m",
];

fn camel(name: &str) -> String {
    let mut out = String::new();
    for (i, part) in name.to_lowercase().split('_').enumerate() {
        match (i, part.split_at_checked(1)) {
            (1.., Some((first, rest))) => out += &(first.to_uppercase() + rest),
            _ => out += part,
        }
    }
    out
}

fn filled(template: &str, name: &str, value: &str) -> String {
    template
        .replace("{N}", name)
        .replace("{n}", &name.to_lowercase())
        .replace("{k}", &name.to_lowercase().replace('_', "-"))
        .replace("{c}", &camel(name))
        .replace("{v}", value)
}

/// A template with random values, and those values.
fn chance(template: &str, r: &mut Random) -> (String, Vec<String>) {
    let (mut text, mut secrets) = (template.to_owned(), Vec::new());
    for (hole, n) in [
        ("{h8}", 8),
        ("{h32}", 32),
        ("{h40}", 40),
        ("{h48}", 48),
        ("{h64}", 64),
    ] {
        while let Some(at) = text.find(hole) {
            let value = r.hex(n);
            text.replace_range(at..at + hole.len(), &value);
            secrets.push(value);
        }
    }
    for hole in ["{t}", "{k40}"] {
        while let Some(at) = text.find(hole) {
            let n = if hole == "{t}" { 24 + r.below(12) } else { 40 };
            let value = r.token(n);
            text.replace_range(at..at + hole.len(), &value);
            secrets.push(value);
        }
    }
    (text, secrets)
}

/// Text that may surround a case.
fn dressed(text: String, n: usize) -> String {
    match n % 4 {
        0 => format!("Epoch 3: loss 0.31\n{text}\nnext line"),
        1 => format!("2026-03-04 10:11:12 INFO {text}"),
        2 => format!("{text}\n"),
        _ => text,
    }
}

pub fn cases() -> Vec<Case> {
    let mut r = Random(20);
    let mut out = Vec::new();
    let mut add = |name: String, text: String, secrets: Vec<String>| {
        let n = out.len();
        let one_line = name.starts_with("assigned") && text.contains('\n');
        let text = if one_line { text } else { dressed(text, n) };
        out.push(Case {
            name,
            text,
            secrets,
        });
    };
    let rules = rules();
    let (tokens, others): (Vec<_>, Vec<_>) = rules.iter().partition(|(_, p)| is_token(p));
    for (i, (rule, pattern)) in tokens.iter().enumerate() {
        let value = of_pattern(pattern, &mut r);
        let around = AROUND[i % AROUND.len()];
        add(
            format!("token/{rule}/{around}/{i}"),
            filled(around, "X", &value),
            vec![value],
        );
    }
    for (i, template) in ASSIGNED.iter().enumerate() {
        for k in 0..4 {
            let prefix = r.pick(&["ACME", "MY", "PROD", "X", "TEAM_A"]);
            let last = NAMES[(i * 7 + k * 11) % NAMES.len()];
            let name = format!("{prefix}_{last}");
            let value = match k {
                0 => r.token(20 + i % 20),
                1 => r.hex(32),
                2 => of_pattern(others[(i * 5) % others.len()].1, &mut r),
                _ => {
                    let n = 36 + r.below(20);
                    format!("{}-{}_{}", r.token(9), r.token(n - 20), r.token(9))
                }
            };
            if value.len() < 14 {
                continue;
            }
            add(
                format!("assigned/{template}/{k}"),
                filled(template, &name, &value),
                vec![value],
            );
        }
        let name = PASSWORDS[i % PASSWORDS.len()];
        let value = match i % 3 {
            _ if template.contains('%') || template.contains('?') => r.token(12),
            0 => password(&mut r),
            1 => r.token(12),
            _ => r.text(LOWER, 6) + "-" + &r.token(6),
        };
        if !value.contains(['&', '#', '$']) {
            add(
                format!("password/{template}"),
                filled(template, name, &value),
                vec![value],
            );
        }
    }
    for template in PASSWORD_PLACES {
        for k in 0..3 {
            let value = match k {
                0 => r.token(11),
                1 => r.text(LOWER, 5) + "-" + &r.token(5),
                _ => r.text(LOWER, 12),
            };
            add(
                format!("place/{template}/{k}"),
                filled(template, "X", &value),
                vec![value],
            );
        }
    }
    for template in OPAQUE_PLACES {
        for k in 0..2 {
            let (text, secrets) = chance(template, &mut r);
            add(format!("opaque/{template}/{k}"), text, secrets);
        }
    }
    long(&mut r, &mut add);
    odd(&mut r, &mut add);
    out
}

type Add<'a> = dyn FnMut(String, String, Vec<String>) + 'a;

/// Blocks of many lines, and values that are split by the end of a line.
fn long(r: &mut Random, add: &mut Add<'_>) {
    const LABELS: &[&str] = &[
        "RSA PRIVATE KEY",
        "PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "EC PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ];
    for (i, label) in LABELS.iter().enumerate() {
        let lines: Vec<String> = (0..6).map(|_| r.text(WORD, 64)).collect();
        let header = match i {
            0 => "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F1E2D3C\n\n",
            5 => "Version: GnuPG v2\nComment: mine\n\n",
            _ => "",
        };
        let block = format!(
            "-----BEGIN {label}-----\n{header}{}\n-----END {label}-----",
            lines.join("\n")
        );
        let quoted = |mark: &str, end: &str| {
            block
                .lines()
                .map(|l| format!("{mark}{l}{end}"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        let forms = [
            ("plain", block.clone()),
            ("repr", block.replace('\n', "\\n")),
            ("quoted", quoted("\"", "\\n\"")),
            ("boxed", quoted("│ ", " │")),
            ("indented", quoted("    ", "")),
            ("mail", quoted("> ", "")),
            ("plus", quoted("'", "\\n' +")),
            (
                "without end",
                block.rsplit_once('\n').map_or("", |b| b.0).to_owned(),
            ),
            (
                "without start",
                block.split_once('\n').map_or("", |b| b.1).to_owned(),
            ),
        ];
        for (form, text) in forms {
            add(
                format!("block/{label}/{form}"),
                format!("before\n{text}\nafter it"),
                lines.clone(),
            );
        }
        let many: Vec<String> = (0..400).map(|_| r.text(WORD, 64)).collect();
        let text = format!(
            "-----BEGIN {label}-----\n{}\n-----END {label}-----",
            many.join("\n")
        );
        add(
            format!("block/{label}/long"),
            text,
            vec![many[0].clone(), many[200].clone(), many[399].clone()],
        );
    }
    for (i, prefix) in [
        "sk-proj-",
        "ghp_",
        "hf_",
        "glpat-",
        "sk-ant-api03-",
        "gsk_",
        "xoxb-1234567890-",
        "npm_",
    ]
    .iter()
    .enumerate()
    {
        let (a, b) = (r.token(14 + i), r.token(22));
        let forms = [
            (
                "wrapped",
                format!("the token that was given is {prefix}{a}\n{b}\nwas refused"),
            ),
            (
                "boxed",
                format!("│ the token is {prefix}{a} │\n│ {b} was refused    │"),
            ),
            (
                "quoted and boxed",
                format!("│ key='{prefix}{a} │\n│ {b}' was refused   │"),
            ),
        ];
        for (form, text) in forms {
            add(
                format!("split/{prefix}/{form}"),
                text,
                vec![format!("{prefix}{a}"), b.clone()],
            );
        }
    }
}

/// Passwords and addresses that patterns rarely expect.
fn odd(r: &mut Random, add: &mut Add<'_>) {
    for k in 0..3 {
        let (a, b) = (r.text(LOWER, 7), r.text(LOWER, 6));
        let mut one = |name: &str, text: String, secret: &str| {
            add(format!("odd/{name}/{k}"), text, vec![secret.to_owned()])
        };
        let v = format!("{a} {b} 77");
        one("blank", format!("password = \"{v}\""), &v);
        one(
            "blank, dictionary",
            format!("{{'password': '{v}', 'a': 1}}"),
            &v,
        );
        let v = format!("{a}({b})9");
        one("brackets", format!("db_password='{v}'"), &v);
        let v = format!("{a}[{b}]x");
        one("square brackets", format!("'passwd': '{v}'"), &v);
        let v = format!("{a}/{b}/9");
        one("slashes", format!("postgres://ada:{v}@db:5432/shop"), &v);
        one(
            "at sign",
            format!("postgres://ada:{a}@{b}@db:5432/shop"),
            &format!("{a}@{b}"),
        );
        one("letters", format!("password='{a}{b}'"), &format!("{a}{b}"));
        one(
            "letters, plain",
            format!("DB_PASSWORD={a}{b}"),
            &format!("{a}{b}"),
        );
        one(
            "letters, YAML",
            format!("db_password: {a}{b}"),
            &format!("{a}{b}"),
        );
        one("short", format!("password='{}'", &a[..6]), &a[..6]);
        one(
            "quote in it",
            format!("password=\"{a}'{b}\""),
            &format!("{a}'{b}"),
        );
        one(
            "escaped URL",
            format!("postgres%3A%2F%2Fada%3A{a}{b}%40db%2Fshop"),
            &format!("{a}{b}"),
        );
        let h = format!("{}-{}-{}", r.text(HEX, 8), r.text(HEX, 4), r.text(HEX, 12));
        one("like an id", format!("api_key = '{h}'"), &h);
    }
}

//! Places and formats beyond those of `contexts`, written before the engine was tried on any of them.
//!
//! A hole is a class of characters and their number: `{h40}`. A hole with an exclamation mark is a secret: `{!t28}`.

use super::values::{Random, HEX, LOWER, WORD};
use super::Case;

/// The first set.
pub const PLANTED: &[&str] = &[
    "localhost:5432:shop:ada:{!p}",
    "db.acme.io:5432:*:ada:{!p}",
    "*:*:*:ada:{!p}",
    "cat ~/.pgpass\ndb:5432:shop:ada:{!p}",
    "fs.azure.account.key.acmelake.dfs.core.windows.net={!b86}==",
    "spark.conf.set(\"fs.azure.account.key.acmelake.blob.core.windows.net\", \"{!b86}==\")",
    "spark.hadoop.fs.s3a.secret.key {!b40}",
    ".config(\"spark.hadoop.fs.s3a.secret.key\", \"{!b40}\")",
    "spark.conf.set(\"fs.azure.sas.c.acmelake.blob.core.windows.net\", \"{!t44}\")",
    "<td>password</td><td>{!p}</td>",
    "<tr><th>API token</th><td><code>{!t28}</code></td></tr>",
    "<td>secret_key</td>\n      <td>{!t32}</td>",
    "Password:\n{!p}",
    "API token\n{!t28}\n",
    "Your access key:\n\n    {!t32}",
    "!echo {!t28} > ~/.config/acme/token",
    "!echo \"{!t34}\" > /root/.huggingface/token",
    "!echo '{!p}' > .vault_pass",
    "!printf '%s' {!t28} > api_key.txt",
    "%%writefile token.txt\n{!t28}",
    "%%writefile /root/.kaggle/access_token\n{!t30}\n",
    "cat > ~/.netrc <<EOF\nmachine a.b\nlogin ada\npassword {!h40}\nEOF",
    "api_key <- \"{!t28}\"",
    "password <- '{!p}'",
    "Sys.setenv(ACME_TOKEN = \"{!t28}\")",
    "Sys.setenv(\"ACME_TOKEN\" = \"{!t28}\")",
    "$argon2id$v=19$m=65536,t=3,p=4${!b22}${!b43}",
    "$2b$12${!w53}",
    "ada:$6${!w16}${!w86}:19000:0:99999:7:::",
    "ada:$apr1${!w8}${!w22}",
    "pbkdf2_sha256$600000${!w22}${!b43}=",
    "userPassword: {SSHA}{!b38}==",
    "c.NotebookApp.password = 'sha1:{!h12}:{!h40}'",
    "\"password\": {\"value\": \"{!p}\"}",
    "\"token\": [\n    \"{!t28}\"\n  ]",
    "password: &pw {!p}",
    "{\"Name\": \"DB_PASSWORD\", \"Type\": \"SecureString\", \"Value\": \"{!p}\"}",
    "DB_PASSWORD ........ {!p}",
    "| name | token |\n|---|---|\n| ada | {!t28} |",
    "    user     password\n0    ada  {!p}\n1    bob  {!p}",
    "user,password\nada,{!p}\nbob,{!p}",
    "name\tapi_key\nada\t{!t28}",
    "INSERT INTO users (name, password) VALUES ('ada', '{!p}')",
    "CREATE USER ada WITH PASSWORD '{!p}'",
    "ALTER USER 'ada'@'%' IDENTIFIED BY '{!p}'",
    "CREATE LOGIN ada WITH PASSWORD = '{!p}'",
    "GRANT ALL ON *.* TO 'ada'@'%' IDENTIFIED BY \"{!p}\"",
    "CREATE SECRET (TYPE s3, KEY_ID 'x', SECRET '{!b40}')",
    "CREDENTIALS=(AWS_KEY_ID='x' AWS_SECRET_KEY='{!b40}')",
    "ATTACH 'host=db user=ada password={!p} dbname=x' AS pg",
    "DRIVER={ODBC Driver 18 for SQL Server};SERVER=db;UID=ada;PWD={!p}",
    "amqp://ada:{!p}@mq:5672/%2f",
    "redis://:{!p}@cache:6379/0",
    "smb://ACME;ada:{!p}@nas/share",
    "Proxy-Authorization: Basic {!t28}",
    "X-Vault-Token: {!t28}",
    "Authorization: ApiKey {!t32}",
    "Authorization: AWS x:{!t28}=",
    "sentry_sdk.init(\"https://{!h32}@o123.ingest.sentry.io/45\")",
    "https://discord.com/api/webhooks/123456789012345678/{!w68}",
    "ssh-keygen -t ed25519 -N \"{!p}\" -f k",
    "keytool -list -storepass {!p} -keystore x.jks",
    "openssl pkcs12 -export -passout pass:{!p} -out x.p12",
    "ansible-playbook site.yml -e \"ansible_become_pass={!p}\"",
    "[Interface]\nPrivateKey = {!b43}=",
    "PresharedKey = {!b43}=",
    "nmcli dev wifi connect acme password {!p}",
    "wpa_passphrase acme {!p}",
    "echo {!p} | kinit ada@ACME.IO",
    "xfreerdp /u:ada /p:{!p} /v:gpu1",
    "rclone config create r s3 secret_access_key {!b40}",
    "az storage blob list --account-name a --account-key {!b86}==",
    "dvc remote modify --local r secret_access_key '{!b40}'",
    "git config --global credential.helper \"!f() { echo password={!t28}; }; f\"",
    "pip install --index-url https://__token__:{!t28}@pypi.acme.io/simple x",
    "poetry config pypi-token.pypi {!t40}",
    "poetry config http-basic.acme ada {!p}",
    "https://repo.anaconda.cloud/t/{!t36}/repo/main",
    "{\"auths\": {\"registry.acme.io\": {\"auth\": \"{!t28}=\"}}}",
    "  ~ token = \"{!t28}\" -> \"{!t28}\"",
    "- password: {!p}\n+ password: {!p}",
    "Enter your API key: {!t32}",
    "Password for 'https://ada@github.com': {!t32}",
    "│ │ api_key = '{!t28}' │ │",
    "dict_items([('api_key', '{!t28}')])",
    "['ACME_TOKEN={!t28}', 'LANG=C']",
    "{'token': b'{!t28}'}",
    "token: Some(\"{!t28}\")",
    ":api_key => \"{!t28}\"",
    "(setq api-key \"{!t28}\")",
    "#define WIFI_PASS \"{!p}\"",
    "token = \"{!t20}\" + \"{!t20}\"",
    "otpauth://totp/acme:ada?secret={!u32}&issuer=acme",
    "cx_Oracle.connect('ada/{!p}@db:1521/x')",
    "mount -t cifs -o username=ada,password={!p} //nas/x /mnt",
    "curl --oauth2-bearer {!t32} https://a.b",
    "gh auth login --with-token <<< {!t32}",
    "localStorage.setItem('token', '{!t28}')",
    "props.setPassword(\"{!p}\")",
    "keyring.set_password(\"acme\", \"ada\", \"{!p}\")",
    "client.username_pw_set(\"ada\", \"{!p}\")",
    "s3fs.S3FileSystem(key='x', secret='{!b40}')",
    "\"SecretString\": \"{\\\"password\\\":\\\"{!p}\\\"}\"",
];

/// Look-alikes of those.
pub const ALIKE: &[&str] = &[
    "src/main.c:120:5: error: {l6}",
    "lib/a.py:12:7:{n3}: {l8}",
    "<td>password</td><td>********</td>",
    "<th>token</th><th>logprob</th>",
    "<td>tokens</td><td>{n5}</td>",
    "Password:\nSorry, try again.",
    "API key\nrequired",
    "Token\n-----\nworld",
    "!echo done > log.txt",
    "!echo $TOKEN > ~/.token",
    "!echo {n3} > seed.txt",
    "!echo \"{h40}\" > commit.txt",
    "%%writefile train.py\nimport torch",
    "%%writefile tokens.txt\nhello world",
    "key <- \"{l5}_id\"",
    "token <- tokens[1]",
    "password <- Sys.getenv(\"DB_PASSWORD\")",
    "x <- \"{h40}\"",
    "pip install argon2-cffi bcrypt==4.1.{n1}",
    "fs.azure.account.auth.type=OAuth",
    "fs.azure.account.key.<account>.dfs.core.windows.net=<key>",
    "spark.sql.shuffle.partitions={n3}",
    "SELECT password FROM users WHERE id = {n3}",
    "CREATE TABLE t (password TEXT, token VARCHAR({n2}))",
    "cur.execute('INSERT INTO u (name, password) VALUES (%s, %s)', row)",
    "ALTER TABLE t ADD PRIMARY KEY (id)",
    "| token | count |\n|---|---|\n| world | {n3} |",
    "   token_id  token\n0  {n5}  world\n1  {n5}  hello",
    "name,key\na,{l5}",
    "epoch,tokens\n1,{n5}",
    "session_id={h8}-{h4}-4{h3}-a{h3}-{h12}",
    "meta-llama/Llama-3.1-8B-Instruct",
    "key: gpt-4o-2024-08-06",
    "token model=BAAI/bge-large-en-v1.5",
    "tokens: 12,345 (prompt 11,{n3})",
    "usage: {'prompt_tokens': {n3}, 'total_tokens': {n4}}",
    "Token indices sequence length is longer than the maximum ({n5} > 512)",
    "<img src=\"data:image/png;base64,iVBORw0KGgo{w200}==\">",
    "\"id\": \"{w8}\"",
    "\"cell_id\": \"{w12}\"",
    "HEAD is now at {h7} fix token",
    "index {h7}..{h7} 100644",
    "etag: W/\"{h32}\"",
    "Content-MD5: {b22}==",
    "--hash=sha256:{h64}",
    "integrity sha512-{b86}==",
    "traceparent: 00-{h32}-{h16}-01",
    "password=keyring.get_password(\"acme\", \"ada\")",
    "token = auth.get_token(refresh=True)",
    "key = jax.random.split(key)[0]",
    "api_key = st.secrets[\"acme\"]",
    "secret = client.access_secret_version(name=n)",
    "Enter your API key: ··········",
    "api_key='sk-...a1B2'",
    "password = \"<PASSWORD>\"",
    "token: \"{{ .Values.token }}\"",
    "${{ secrets.GITHUB_TOKEN }}",
    "TypeError: f() got an unexpected keyword argument 'token'",
    "256 SHA256:{b43} ada (ED25519)",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{w43}",
    "/tmp/ipykernel_{n4}/{n9}.py",
    "events.out.tfevents.17{n8}.{h12}.{n3}.0",
];

/// The second set, written after the faults that the first one showed were repaired.
pub const PLANTED_SECOND: &[&str] = &[
    "kubectl create secret docker-registry r --docker-password={!p} --docker-username=ada",
    "kind: Secret\nstringData:\n  db-password: {!p}",
    "apiVersion: v1\nkind: Secret\ndata:\n  token: {!b40}=",
    "helm install x --set auth.password={!p}",
    "terraform apply -var=\"db_password={!p}\"",
    "terraform apply -var 'api_key={!t32}'",
    "gsutil -o Credentials:gs_secret_access_key={!b40} ls",
    "\"SecretAccessKey\": \"{!b40}\", \"SessionToken\": \"{!b120}\"",
    "s3cmd --access_key=x --secret_key={!b40} ls",
    "hadoop.security.credstore.password={!p}",
    "sasl.jaas.config=plain.PlainLoginModule required username=\"ada\" password=\"{!p}\";",
    "ssl.keystore.password={!p}",
    "spring.datasource.password: {!p}",
    "<server><username>ada</username><password>{!p}</password></server>",
    "machine github.com\nlogin ada\npassword {!t36}",
    "Username: ada\nPassword: {!p}",
    "proxy = ada:{!p}@proxy.acme.io:3128",
    "HTTPS_PROXY=http://ada:{!p}@proxy:3128",
    "jupyter lab --ServerApp.token={!h48}",
    "c.ServerApp.token = '{!h48}'",
    "argon2:$argon2id$v=19$m=10240,t=10,p=8${!b22}${!b43}",
    "In [3]: token\nOut[3]: '{!t32}'",
    ">>> api_key\n'{!t32}'",
    "print(token)\n{!t32}",
    "{'user': 'ada', 'pw': '{!p}'}",
    "[acme]\nuser = ada\npassword = {!p}",
    "data={'grant_type': 'password', 'username': 'ada', 'password': '{!p}'}",
    "http://a.b/cb#access_token={!t36}&expires_in=3600",
    "WARNING: token {!t32} is expired",
    "Invalid token: {!t32}",
    "401 Client Error for url: https://api.acme.io/v1?apikey={!t32}",
    "wss://a.b/ws?auth={!t32}",
    "rtsp://ada:{!p}@cam/stream",
    "bind dn=cn=ada,dc=acme password={!p}",
    "connect(host=\"db\", user=\"ada\", passwd='{!p}')",
    "DATABASES = {'default': {'PASSWORD': '{!p}'}}",
    "SECRET_KEY = 'django-insecure-{!t40}'",
    "app.config['SECRET_KEY'] = '{!t32}'",
    "jwt.encode(payload, '{!t32}', algorithm='HS256')",
    "Fernet(b'{!b43}=')",
    "gpg --passphrase '{!p}' -c x",
    "7z a -p{!p} x.7z d",
    "vncpasswd <<< {!p}",
    "echo \"ada:{!p}\" | sudo chpasswd",
    "useradd -p '$6${!w16}${!w86}' ada",
    "export const token: string = '{!t32}'",
    "var secret = @\"{!t32}\";",
    "┃ api_token ┃ {!t32} ┃",
    "api_token\n---------\n{!t32}",
    "key          value\nauth_token   {!t32}",
    "<input type=\"hidden\" name=\"csrf_token\" value=\"{!t40}\">",
    "<dt>Password</dt>\n<dd>{!p}</dd>",
    "user;token\nada;{!t32}",
    "\"user\";\"password\"\n\"ada\";\"{!p}\"",
    "Bitte Passwort eingeben: {!p}",
    "Mot de passe : {!p}",
    "{\"password\":{\"type\":\"string\",\"value\":\"{!p}\"}}",
    "+--------+\n| token  |\n+--------+\n| {!t32} |",
    "with open('token.txt', 'w') as f:\n    f.write('{!t32}')",
    "Path('.vault_pass').write_text(\"{!p}\")",
];

/// Look-alikes of those.
pub const ALIKE_SECOND: &[&str] = &[
    "kind: Secret\nmetadata:\n  name: db-{l5}",
    "secretKeyRef:\n  name: db\n  key: password",
    "auth.existingSecret={l6}-postgresql",
    "user;tokens\nada;{n4}",
    "key          value\nlr           0.{n3}",
    "token\n---------\nworld",
    "| key | value |\n|---|---|\n| model | bert-base-{l5} |",
    "INSERT INTO runs (id, name) VALUES ('{h8}', '{l6}')",
    "INSERT INTO tok (token, n) VALUES ('hello', {n3})",
    "echo \"{h64}  model.bin\" > SHA256SUMS",
    "echo {n5} > /proc/sys/vm/max_map_count",
    "!echo \"export X=1\" >> ~/.bashrc",
    "%%writefile tokenizer_config.json\n{\"model_max_length\": {n3}}",
    "%%writefile keys.py\nimport os",
    "open('tokens.txt', 'w').write('{l6} {l5}')",
    "10:15:32:{n3}: {l5}",
    "tcp://db:5432: connection refused",
    "db:5432: timeout: {l5}: retry",
    "awk '{print $1$2}' and $6$7",
    "sha1:{h40}",
    "'sha256:{h64}'",
    "scrypt: n=16384 r=8 p=1",
    "Password:\n  required: true",
    "Token:\nUnexpected",
    "API key:\nsee-docs-at-page-12",
    "print(token)\n<|endoftext|>",
    ">>> tokens\n[{n5}, {n4}]",
    ">>> key\n'{l6}'",
    "jwt.decode(t, options={'verify_signature': False})",
    "{\"password\":{\"type\":\"string\",\"minLength\":8}}",
    "{\"name\": \"token\", \"type\": \"string\", \"description\": \"the token\"}",
    "<input type=\"password\" name=\"password\" value=\"\">",
    "https://repo.anaconda.com/pkgs/main/linux-64/torch-2.{n1}.0-py3.10_cuda12.1_0.conda",
    "https://a.org/t/some-long-topic-title-about-cuda-12-errors/{n5}",
    "uses: actions/checkout@v4",
    "identified by its hash '{h32}'",
    "ssh-keygen -lf k.pub",
    "Downloading: model-00001-of-0000{n1}.safetensors",
    "token_embedding.weight: [{n5}, {n3}]",
    "see COMET_EXPERIMENT_KEY in run {h32}",
];

/// A template with its holes filled, and its secrets.
pub fn filled(template: &str, k: usize, r: &mut Random) -> (String, Vec<String>) {
    let (mut out, mut secrets) = (String::new(), Vec::new());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let inner = &rest[at + 1..];
        let hole = inner.find('}').map_or("", |e| &inner[..e]);
        let spec = hole.strip_prefix('!').unwrap_or(hole);
        if let Some(exact) = hole.strip_prefix("!=") {
            out.push_str(exact);
            secrets.push(exact.to_owned());
            rest = &inner[hole.len() + 1..];
            continue;
        }
        let class = spec.chars().next().unwrap_or(' ');
        let n = spec.get(1..).and_then(|n| n.parse::<usize>().ok());
        let is_hole = spec == "p" || n.is_some();
        let Some(value) = value(class, n, k, r).filter(|_| is_hole) else {
            out.push('{');
            rest = inner;
            continue;
        };
        out.push_str(&value);
        if hole.starts_with('!') {
            secrets.push(value);
        }
        rest = &inner[hole.len() + 1..];
    }
    (out + rest, secrets)
}

fn value(class: char, n: Option<usize>, k: usize, r: &mut Random) -> Option<String> {
    Some(match (class, n) {
        ('p', None) if k == 0 => r.token(11),
        ('p', None) => r.text(LOWER, 6) + "-" + &r.token(5),
        ('h', Some(n)) => r.text(HEX, n),
        ('w', Some(n)) => r.text(WORD, n),
        ('l', Some(n)) => r.text(LOWER, n),
        ('L', Some(n)) => r.text(LOWER, n).to_uppercase(),
        ('t', Some(n)) => r.token(n),
        ('u', Some(n)) => r.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", n),
        ('b', Some(n)) => {
            let some = r.token(n - 2);
            format!(
                "{}/{}+{}",
                &some[..n / 2],
                &some[n / 2..n - 3],
                &some[n - 3..]
            )
        }
        ('n', Some(n)) => "4".to_owned() + &r.text("0123456789", n - 1),
        _ => return None,
    })
}

pub fn cases(set: &str, templates: &[&str], seed: u64) -> Vec<Case> {
    let mut r = Random(seed);
    let mut out = Vec::new();
    for template in templates {
        for k in 0..2 {
            let (text, secrets) = filled(template, k, &mut r);
            let text = match k {
                0 => text,
                _ => format!("step 4 of 9\n{text}\nthe next line"),
            };
            out.push(Case {
                name: format!("{set}/{template}/{k}"),
                text,
                secrets,
            });
        }
    }
    out
}

/// Secrets and look-alikes of the first set.
pub fn first() -> (Vec<Case>, Vec<Case>) {
    (cases("further", PLANTED, 101), cases("alike", ALIKE, 102))
}

/// Secrets and look-alikes of the second set.
pub fn second() -> (Vec<Case>, Vec<Case>) {
    let planted = cases("second", PLANTED_SECOND, 103);
    (planted, cases("alike second", ALIKE_SECOND, 104))
}

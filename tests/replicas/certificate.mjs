// Makes a self-signed certificate in memory, so that the tests need no openssl and leave no key on disk.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

function der(tag, ...parts) {
  const body = Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part))));
  const n = body.length;
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const sequence = (...parts) => der(0x30, ...parts);
const oid = (...bytes) => der(0x06, Buffer.from(bytes));
const SHA256_ECDSA = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const time = (date) => der(0x17, `${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);

/** Returns `{ key, cert }` as PEM for these host names, valid from yesterday for thirty days. */
export function selfSigned(hosts) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, hosts[0].slice(0, 60)))));
  const serial = randomBytes(12);
  serial[0] = 0x2a;
  const names = der(0x30, ...hosts.map((host) => der(0x82, host)));
  const extensions = der(0xa3, sequence(sequence(oid(0x55, 0x1d, 0x11), der(0x04, names))));
  const day = 24 * 3600 * 1000;
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, serial),
    SHA256_ECDSA,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 30 * day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const cert = sequence(body, SHA256_ECDSA, der(0x03, [0], signature));
  const pem = cert.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`,
  };
}

/** Self-made certificates, encoded as DER (RFC 5280), for trusted and untrusted receivers. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export type Identity = { cert: string; key: string };
type Leaf = { ip?: string; name?: string; from?: Date; until?: Date };
export type Authority = { cert: string; issue(leaf: Leaf): Identity };

const DAY_MS = 86_400_000;
const SEQUENCE = 0x30;
const ECDSA_SHA256 = tlv(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('0603551d11', 'hex');

/** A certificate authority; tests choose whether to trust it. */
export function makeAuthority(commonName: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAuthority = tlv(SEQUENCE, BASIC_CONSTRAINTS, tlv(0x04, tlv(SEQUENCE, tlv(0x01, Buffer.of(0xff)))));
  const dates = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
  const names = { subject: commonName, issuer: commonName };
  return {
    cert: certificate({ ...names, ...dates, publicKey: own.publicKey, extension: isAuthority }, own.privateKey),
    issue({ ip, name, from = dates.from, until = dates.until }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const alternative = ip ? tlv(0x87, Buffer.from(ip.split('.').map(Number))) : tlv(0x82, Buffer.from(name ?? ''));
      const extension = tlv(SEQUENCE, ALTERNATIVE_NAMES, tlv(0x04, tlv(SEQUENCE, alternative)));
      const subject = ip ?? name ?? '';
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return {
        cert: certificate({ subject, issuer: commonName, from, until, publicKey, extension }, own.privateKey),
        key,
      };
    },
  };
}

type Parts = { subject: string; issuer: string; from: Date; until: Date; publicKey: KeyObject; extension: Buffer };

function certificate({ subject, issuer, from, until, publicKey, extension }: Parts, signer: KeyObject): string {
  const body = tlv(
    SEQUENCE,
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(1)),
    ECDSA_SHA256,
    nameOf(issuer),
    tlv(SEQUENCE, time(from), time(until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, tlv(SEQUENCE, extension)),
  );
  const signature = sign('sha256', body, signer);
  const whole = tlv(SEQUENCE, body, ECDSA_SHA256, tlv(0x03, Buffer.of(0), signature));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

const nameOf = (text: string) => tlv(SEQUENCE, tlv(0x31, tlv(SEQUENCE, COMMON_NAME, tlv(0x0c, Buffer.from(text)))));
const time = (date: Date) => tlv(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

/** Tag, length and value, with the parts as its content. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), body]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), body]);
}

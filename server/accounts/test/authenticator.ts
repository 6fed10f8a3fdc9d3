/** The client's side of second factors: an authenticator with passkeys (WebAuthn, ES256), and the codes of an app. */
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId: string };
type Flags = { verified?: boolean; synced?: boolean; origin?: string; rpId?: string };

export type Passkey = {
  id: string;
  counter: number;
  /** The JSON form of the credential's use. */
  use(options: RequestOptions, flags?: Flags & { userHandle?: string }): object;
};

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/** Creates a passkey as a browser at `origin` does. `credential` is the JSON form of the new credential. */
export function newPasskey(
  options: CreationOptions,
  origin: string,
  flags: Flags = {},
): { passkey: Passkey; credential: object } {
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const clientDataJSON = clientData('webauthn.create', options.challenge, flags.origin ?? origin);
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)]);
  const authData = Buffer.concat([dataOf(flags.rpId ?? options.rp.id, 0, { ...flags, attested: true }), attested]);
  const attestationObject = cbor({ fmt: 'none', attStmt: {}, authData });
  const passkey: Passkey = {
    id: base64url(id),
    counter: 0,
    use(request, more = {}) {
      const client = clientData('webauthn.get', request.challenge, more.origin ?? origin);
      const data = dataOf(more.rpId ?? request.rpId, passkey.counter, more);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        id: passkey.id,
        rawId: passkey.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: more.userHandle ?? options.user.id,
        },
      };
    },
  };
  const response = { clientDataJSON: base64url(clientDataJSON), attestationObject: base64url(attestationObject) };
  const credential = {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { ...response, transports: ['internal'] },
  };
  return { passkey, credential };
}

const clientData = (type: string, challenge: string, origin: string) =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });

/** Authenticator data: the hash of the site's id, the flags and the counter. */
function dataOf(rpId: string, counter: number, flags: Flags & { attested?: boolean }): Buffer {
  const bits =
    1 | (flags.verified === false ? 0 : 4) | (flags.synced === false ? 0 : 8 | 16) | (flags.attested ? 64 : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([bits]), count]);
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const [bytesX, bytesY] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const head = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]);
  return Buffer.concat([head, cbor(bytesX), Buffer.from([0x22]), cbor(bytesY)]);
}

type Cbor = string | Buffer | { [key: string]: Cbor };

/** The CBOR form of texts, bytes and maps. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = Object.entries(value);
  return Buffer.concat([cborHead(5, entries.length), ...entries.flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows for a key (RFC 6238), `steps` time steps from now. */
export function codeOf(key: string, steps = 0): string {
  const bits = [...key].map((char) => BASE32.indexOf(char).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

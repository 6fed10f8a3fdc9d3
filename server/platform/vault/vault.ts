import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { createByteCache } from '../../lib/byte-cache.ts';

/**
 * Secrets at rest.
 *
 * A *master key* is stored outside the database, in a keyring whose first key is current. Each account has an *account
 * key*, derived from a master key. Each sealed value has a random *data key*, wrapped by the account's key; the data
 * key encrypts the value. Everything uses AES-256-GCM, and both boxes are bound to the place of the value (account,
 * table, row, field), so that a copy in another row or account cannot be opened.
 *
 * A sealed value has the form `v1.<master key id>.<wrapped data key>.<value>`. To rotate: add the new key as the first
 * of the keyring and keep the old one as the second; rewrap the stored values (rewrap.ts rewraps data keys, the
 * encrypted values are unchanged); remove the old key.
 *
 * Keys are passed to `node:crypto` as key objects: Node 24 takes about 25 µs longer for a key in a buffer.
 */
export class Vault {
  readonly #keyring: Keyring;
  readonly #subkeys = new Map<string, KeyObject[]>();
  /** By master key and account. Each entry counts as 1. */
  readonly #accountKeys = createByteCache<KeyObject>(MAX_ACCOUNT_KEYS);

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Seals a text for one place, with the current master key. */
  seal(place: SealedPlace, plaintext: string): string {
    const [current] = this.#keyring;
    const bytes = randomBytes(32);
    const wrapped = encrypt(this.#accountKey(current, place), bytes, bindDataKey(place));
    return join(current.id, wrapped, encrypt(createSecretKey(bytes), Buffer.from(plaintext), bindValue(place)));
  }

  /**
   * The text sealed for this place. Throws `VaultError` for a value of another place, a changed value, or a missing
   * key.
   */
  open(place: SealedPlace, sealed: string): string {
    const { dataKey, value } = this.#unwrap(place, sealed);
    const text = decrypt(createSecretKey(dataKey), value, bindValue(place));
    if (!text) throw new VaultError(place, NOT_OURS);
    return text.toString();
  }

  /** The same value under the current master key; unchanged if it already is. */
  rewrap(place: SealedPlace, sealed: string): string {
    const [current] = this.#keyring;
    const { keyId, dataKey, value } = this.#unwrap(place, sealed);
    if (keyId === current.id) return sealed;
    return join(current.id, encrypt(this.#accountKey(current, place), dataKey, bindDataKey(place)), value);
  }

  /** The prefix of values under the current master key. */
  get prefix(): string {
    return `v1.${this.#keyring[0].id}.`;
  }

  isCurrent(sealed: string): boolean {
    return sealed.startsWith(this.prefix);
  }

  /** Whether values may use an older key: a keyring with one key asserts that none does. */
  get hasOlderKeys(): boolean {
    return this.#keyring.length > 1;
  }

  /** HMAC-SHA256 of a text for one purpose, as base64url. */
  hmac(purpose: string, text: string): string {
    return createHmac('sha256', this.#subkey(purpose)).update(text).digest('base64url');
  }

  /** Whether `mac` is the text's HMAC by any key of the keyring, in constant time. */
  verifyHmac(purpose: string, text: string, mac: string): boolean {
    const given = Buffer.from(mac, 'base64url');
    return this.#subkeysOf(purpose).some((key) => {
      const wanted = createHmac('sha256', key).update(text).digest();
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  /**
   * Encrypts a text for a client, which can neither read nor forge it: URL-safe, bound to a purpose and to `context`
   * (the request that may return it).
   */
  sealToken(purpose: string, context: string, text: string): string {
    return encrypt(this.#subkey(purpose), Buffer.from(text), Buffer.from(context)).toString('base64url');
  }

  /** The text of such a token; null if this vault did not create it for this purpose and context. */
  openToken(purpose: string, context: string, token: string): string | null {
    const box = Buffer.from(token, 'base64url');
    for (const key of this.#subkeysOf(purpose)) {
      const text = decrypt(key, box, Buffer.from(context));
      if (text) return text.toString();
    }
    return null;
  }

  /** The key for one purpose (`cursor`, `download`), derived from the current master key. */
  #subkey(purpose: string): KeyObject {
    const [current] = this.#subkeysOf(purpose);
    if (!current) throw new Error('a keyring is never empty');
    return current;
  }

  /**
   * The purpose's key for every master key of the keyring, current first. The first signs, and each verifies, because
   * nodes of a cluster get a new master key one after another. (Add it as the second key on every node, then make it
   * the first.)
   */
  #subkeysOf(purpose: string): readonly KeyObject[] {
    let keys = this.#subkeys.get(purpose);
    if (!keys) {
      keys = this.#keyring.map((key) => derive(key.bytes, `purpose|${purpose}`));
      this.#subkeys.set(purpose, keys);
    }
    return keys;
  }

  #accountKey(master: MasterKey, { account_id }: SealedPlace): KeyObject {
    const cacheKey = `${master.id} ${account_id}`;
    const known = this.#accountKeys.get(cacheKey);
    if (known) return known;
    const key = derive(master.bytes, `account|${account_id}`);
    this.#accountKeys.set(cacheKey, key, 1);
    return key;
  }

  #unwrap(place: SealedPlace, sealed: string): { keyId: string; dataKey: Buffer; value: Buffer } {
    const [version, keyId = '', wrapped = '', value = ''] = sealed.split('.');
    if (version !== 'v1') throw new VaultError(place, 'it is not a sealed value');
    const key = this.#keyring.find(({ id }) => id === keyId);
    if (!key) throw new VaultError(place, `it was sealed with master key "${keyId}", which is not in the keyring`);
    const box = Buffer.from(wrapped, 'base64url');
    const dataKey = decrypt(this.#accountKey(key, place), box, bindDataKey(place));
    if (!dataKey) throw new VaultError(place, NOT_OURS);
    return { keyId, dataKey, value: Buffer.from(value, 'base64url') };
  }
}

/** Master keys of 32 bytes with distinct ids, current first. Read by keyring.ts. */
export type Keyring = readonly [MasterKey, ...MasterKey[]];
export type MasterKey = { id: string; bytes: Buffer };

/** Where a sealed value is stored. `row` is the row's own id, `field` the column or the name within it. */
export type SealedPlace = { account_id: string; table: string; row: string; field: string };

export class VaultError extends Error {
  override readonly name = 'VaultError';

  constructor(place: SealedPlace, why: string) {
    super(`The sealed ${place.table}.${place.field} of ${place.row} can't be opened: ${why}.`);
  }
}

const NOT_OURS = 'it was changed, or sealed for another place or by another key';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MAX_ACCOUNT_KEYS = 1_000;

function encrypt(key: KeyObject, plaintext: Buffer, aad: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(aad);
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Undefined if the box is incomplete, or of another key or context. */
function decrypt(key: KeyObject, box: Buffer, aad: Buffer): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(aad).setAuthTag(box.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(box.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function derive(key: Buffer, info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `sluice|v1|${info}`, 32)));
}

function bindDataKey(place: SealedPlace): Buffer {
  return bind('data-key', place);
}

function bindValue(place: SealedPlace): Buffer {
  return bind('value', place);
}

/** JSON separates the parts, whatever characters they contain. */
function bind(what: string, { account_id, table, row, field }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([what, account_id, table, row, field]));
}

function join(keyId: string, wrapped: Buffer, value: Buffer): string {
  return ['v1', keyId, wrapped.toString('base64url'), value.toString('base64url')].join('.');
}

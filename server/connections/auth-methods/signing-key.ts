import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { JwtMethod } from '../apps/definition.ts';

type Token = Pick<JwtMethod['token'], 'algorithm' | 'key_encoding'>;

/** A key that can't sign. The message says what was expected and never contains the key. */
export class KeyMistake extends Error {
  override name = 'KeyMistake';
}

const RSA_BITS = { min: 2048, max: 8192 };
const PEM = 'a private key in PEM, from -----BEGIN to the end of the last line';

/** Parses the entered key: a PEM in PKCS#1, SEC1 or PKCS#8, or a shared secret. Throws `KeyMistake`. */
export function signingKey({ algorithm, key_encoding }: Token, text: string): KeyObject {
  if (algorithm === 'HS256') return createSecretKey(secretBytes(key_encoding, text));
  const key = privateKey(text);
  if (algorithm === 'RS256') return checkRsa(key);
  if (key.asymmetricKeyType !== 'ec') throw new KeyMistake(`expected an EC key for ${algorithm}, not ${kindOf(key)}`);
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (curve !== 'prime256v1') throw new KeyMistake(`expected a key on the curve P-256 for ${algorithm}, not ${curve}`);
  return key;
}

function checkRsa(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new KeyMistake(`expected an RSA key for RS256, not ${kindOf(key)}`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < RSA_BITS.min || bits > RSA_BITS.max)
    throw new KeyMistake(`expected an RSA key of ${RSA_BITS.min} to ${RSA_BITS.max} bits, not ${bits}`);
  return key;
}

const kindOf = (key: KeyObject) => `one of the kind ${key.asymmetricKeyType ?? 'unknown'}`;

function privateKey(text: string): KeyObject {
  // Copied from a JSON file, it is one line with escaped line breaks.
  const pem = text.replaceAll('\\n', '\n').trim();
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1];
  if (label === undefined)
    throw new KeyMistake(
      pem.startsWith('{') ? 'expected only the private key of that JSON file, in PEM' : `expected ${PEM}`,
    );
  if (label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: 4,ENCRYPTED/m.test(pem))
    throw new KeyMistake('expected a private key without a passphrase; this one is encrypted');
  if (label === 'OPENSSH PRIVATE KEY')
    throw new KeyMistake('expected a private key in PEM; this one is in the format of OpenSSH');
  if (!label.endsWith('PRIVATE KEY')) throw new KeyMistake(`expected a private key; this is a ${label.toLowerCase()}`);
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    throw new KeyMistake(`expected ${PEM}; this one is damaged or incomplete`);
  }
}

function secretBytes(encoding: Token['key_encoding'], text: string): Buffer {
  const bytes = decode(encoding, text);
  if (bytes.length === 0) throw new KeyMistake('expected a key that is not empty');
  return bytes;
}

function decode(encoding: Token['key_encoding'], text: string): Buffer {
  if (encoding === 'hex') {
    if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new KeyMistake('expected hexadecimal digits, two for each byte');
    return Buffer.from(text, 'hex');
  }
  if (encoding === 'base64') {
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1)
      throw new KeyMistake('expected base64');
    return Buffer.from(text, 'base64');
  }
  return Buffer.from(text);
}

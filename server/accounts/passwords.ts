/** Passwords, stored as argon2id in its usual text form: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { badRequest } from '../lib/failure.ts';

const derive = promisify(argon2);

/** OWASP's first choice: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await argon2id(password, salt, COST, HASH_BYTES);
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** Whether the password matches the hash `stored`. Null never matches, in the same time as a wrong password. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const parts = FORM.exec(stored ?? DUMMY_HASH)?.slice(1);
  if (!parts) throw new Error('A stored password hash is not argon2id.');
  const [memory, passes, parallelism, salt = '', hash = ''] = parts;
  const wanted = Buffer.from(hash, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const given = await argon2id(password, Buffer.from(salt, 'base64'), cost, wanted.length);
  return timingSafeEqual(given, wanted) && stored !== null;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

const DUMMY_HASH = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(HASH_BYTES))}`;

/** Normalizes the password first: keyboards may produce different code points for the same characters. */
function argon2id(password: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> {
  return derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost });
}

/**
 * Throws a 400 for a password that is easy to guess: a common one, a sequence or repetition, or mostly `words`, such as
 * the person's email address and the name of the account.
 */
export async function refuseGuessable(field: string, password: string, words: (string | null)[]): Promise<void> {
  if (!(await isGuessable(password, words))) return;
  throw badRequest(
    `${field}: too easy to guess (a common password, a repetition, or your own name); expected for example a few random words`,
  );
}

export async function isGuessable(password: string, words: (string | null)[]): Promise<boolean> {
  common ??= readCommon();
  if ((await common).has(password.toLowerCase())) return true;
  guesses ??= createGuesses();
  const own = words.flatMap((text) => (text === null ? [] : [text, ...text.split(/[^\p{L}\p{N}]+/u)]));
  return (await guesses).check(password, ['sluice', ...own.filter((word) => word.length > 2)]).score < LOWEST_SCORE;
}

/** Of zxcvbn: less than about a million guesses. */
const LOWEST_SCORE = 2;

/** The 10,000 most used passwords of at least 10 characters in a collection of breaches (docs/internals/dependencies.md). */
const COMMON_FILE = new URL('./common-passwords.txt.gz', import.meta.url);
let common: Promise<ReadonlySet<string>> | undefined;

async function readCommon(): Promise<ReadonlySet<string>> {
  return new Set(
    gunzipSync(await readFile(COMMON_FILE))
      .toString()
      .trim()
      .split('\n'),
  );
}

/** Loaded with the first new password: the dictionary takes some megabytes. */
let guesses: ReturnType<typeof createGuesses> | undefined;

async function createGuesses() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openHome } from '../../fleet/home.ts';
import { languageFolder } from '../../fleet/sandbox-home.ts';
import { tempFolder } from '../../testing.ts';
import { python } from '../python.ts';
import { createInterpreter } from './interpreter.ts';

const MAKING_MS = 120_000;

/** Prepares the interpreter with a cache folder: returns the log, and whether processes have a snapshot. */
async function prepared(cache: string, how?: 'ahead') {
  let logged = '';
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  const home = await openHome('permissions');
  onTestFinished(() => home.remove());
  const interpreter = createInterpreter({ language: python, home, cacheDir: cache, log: pino(sink) });
  await (how ? interpreter.prepare() : interpreter.ready());
  return { logged, hasSnapshot: existsSync(path.join(languageFolder(home, python), 'snapshot')) };
}

test(
  'a snapshot is reused by the next service, replaced when damaged, and optional',
  async () => {
    const created = { logged: expect.stringContaining('Python snapshot created'), hasSnapshot: true };
    // Not that of other tests: theirs are written and removed at any time.
    const cache = tempFolder();
    expect(await prepared(cache)).toEqual(created);
    expect(await prepared(cache)).toEqual({ logged: '', hasSnapshot: true });
    expect(await prepared(cache, 'ahead')).toEqual({ logged: '', hasSnapshot: true });
    expect(await prepared(tempFolder(), 'ahead')).toEqual({ logged: '', hasSnapshot: false });

    const [name = ''] = readdirSync(cache);
    writeFileSync(path.join(cache, name), 'cut short');
    expect(await prepared(cache)).toEqual(created);

    const useless = Buffer.alloc(1 << 20);
    const digest = createHash('sha256').update(useless).digest('hex').slice(0, 32);
    for (const each of readdirSync(cache)) writeFileSync(path.join(cache, each), '');
    writeFileSync(path.join(cache, `${name.split('-')[0]}-${digest}.snapshot`), useless);
    const plain = await prepared(cache);
    expect(plain).toEqual({
      logged: expect.stringMatching(/smaller than.*Python snapshot unusable/),
      hasSnapshot: false,
    });
    expect(readdirSync(cache)).toEqual([]);
  },
  MAKING_MS,
);

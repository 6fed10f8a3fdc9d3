/**
 * Every snippet that a machine can run is run, with what the reference library signed. Node, Python and openssl are there
 * wherever these tests run; Go only on some machines, so there its snippet is run, and elsewhere only read.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type SignedDelivery, type VerifyLanguage, verifySnippet } from './verify-snippets.ts';

const SECRET = `whsec_${Buffer.from('a key of twenty-four by').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another of as many bytes').toString('base64')}`;
/** Whatever a shell, a string or an editor may stumble over, as a body may have it. */
const BODIES: [string, string][] = [
  ['plain', '{"order":1}'],
  ['quotes', `{"a":"it's \\"quoted\\" \`date\` $HOME $(id) %s \\\\ #"}`],
  ['lines', '{\r\n  "a": 1\n}\n\n'],
  ['beyond ASCII', '{"a":"€ 𝄞 \u2028 \u2029 \u00a0 \ufeff \u007f é"}'],
  ['nothing', ''],
];
const RUNS: Record<VerifyLanguage, { file: string; command: string; args: string[] }> = {
  node: { file: 'verify.mjs', command: process.execPath, args: [] },
  python: { file: 'verify.py', command: 'python3', args: [] },
  go: { file: 'verify.go', command: 'go', args: ['run'] },
  shell: { file: 'verify.sh', command: 'sh', args: [] },
};
const hasGo = spawnSync('go', ['version']).status === 0;

function signed(body: string, ...secrets: string[]): SignedDelivery {
  const [id, at] = ['msg_1', new Date(1_700_000_000_000)];
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' ');
  return { id, timestamp: '1700000000', signature, body };
}

function run(language: VerifyLanguage, delivery: SignedDelivery, secret = SECRET): string {
  const { file, command, args } = RUNS[language];
  const folder = mkdtempSync(join(tmpdir(), 'sluice-snippet-'));
  try {
    writeFileSync(join(folder, file), verifySnippet(language, delivery));
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, WEBHOOK_SECRET: secret };
    return execFileSync(command, [...args, join(folder, file)], { env, encoding: 'utf8' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each<VerifyLanguage>(['node', 'python', 'shell', ...(hasGo ? ['go' as const] : [])])('in %s', (language) => {
  it.each(BODIES)('what was signed is accepted: %s', (_, body) => {
    expect(run(language, signed(body, SECRET))).toBe('valid');
  });

  it('one of several signatures is enough, while a secret is rotated', () => {
    expect(run(language, signed('{"a":1}', OTHER, SECRET))).toBe('valid');
  });

  it('another secret, another body, another time and another signature are refused', () => {
    const delivery = signed('{"a":1}', SECRET);
    expect(run(language, delivery, OTHER)).toBe('not valid');
    expect(run(language, { ...delivery, body: '{"a":2}' })).toBe('not valid');
    expect(run(language, { ...delivery, timestamp: '1700000001' })).toBe('not valid');
    expect(run(language, { ...delivery, id: 'msg_2' })).toBe('not valid');
    for (const signature of ['v1,', 'v1', delivery.signature.replace('v1,', 'v1a,'), delivery.signature.slice(0, -4)])
      expect(run(language, { ...delivery, signature }), signature).toBe('not valid');
  });
});

it('in go, nothing stands in the program that a compiler refuses', () => {
  for (const [, body] of BODIES) {
    const literal = /^\tbody := ("[^\n]*") \/\//mu.exec(verifySnippet('go', signed(body, SECRET)))?.[1] ?? '';
    expect(JSON.parse(literal)).toBe(body);
    // A byte order mark may only be the first of a file.
    expect(literal).not.toContain('\ufeff');
  }
});

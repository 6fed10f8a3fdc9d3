/** Code is scanned before it is stored, with the command of the installation. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

/** A scanner that looks for a word in all files of a folder. */
const SCANNER = `#!${process.execPath}
const { readdirSync, readFileSync } = require('node:fs');
const [mark, folder] = process.argv.slice(2);
for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!each.isFile()) continue;
  const text = readFileSync(each.parentPath + '/' + each.name, 'utf8');
  if (text.includes('BREAK-' + 'SCANNER')) process.exit(2);
  if (text.includes(mark)) {
    console.log(each.parentPath + '/' + each.name + ': ' + mark + ' FOUND');
    process.exit(1);
  }
}
`;
const folder = mkdtempSync(join(tmpdir(), 'sluice-scanner-'));
const program = join(folder, 'scanner.cjs');
writeFileSync(program, SCANNER);
chmodSync(program, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

const service = serviceForAll({ env: { SLUICE_SCAN_COMMAND: `${program} EVIL-WORD` } });
const lost = serviceForAll({ env: { SLUICE_SCAN_COMMAND: join(folder, 'missing') } });

const create = (text: string, to = service) =>
  to.api<Reply<'functionCreate'> & { message: string }>('POST', '/functions', {
    name: 'scanned',
    runtime: 'nodejs24.x',
    files: { 'index.ts': 'export { default } from "./lib/hello.ts";', 'lib/hello.ts': text },
  });
const hello = (comment: string) => `// ${comment}\nexport default { fetch: () => new Response('hello') };`;

it('is stored if the scanner finds nothing, and no copy of it is left', async () => {
  // That of the machine has the copies of other services.
  const temporary = mkdtempSync(join(folder, 'copies-'));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { status, body } = await create(hello('good'));
  expect(status).toBe(200);
  const deploy = (text: string) =>
    service.api<{ message: string }>('POST', `/functions/${body.function.function_id}/versions`, {
      files: { 'index.ts': text },
    });
  expect((await deploy(hello('better'))).status).toBe(200);
  expect((await deploy(hello('EVIL-WORD'))).status).toBe(400);
  const { versions } = (
    await service.api<Reply<'versionList'>>('GET', `/functions/${body.function.function_id}/versions`)
  ).body;
  expect(versions.map(({ version }) => version)).toEqual([2, 1]);
  expect(readdirSync(temporary)).toEqual([]);
});

it('is refused with what the scanner found', async () => {
  const { status, body } = await create(hello('EVIL-WORD'));
  expect([status, body.message]).toEqual([
    400,
    'files: the scanner of this installation refused them: files/lib/hello.ts: EVIL-WORD FOUND',
  ]);
});

it('is refused if the scanner fails or is missing', async () => {
  for (const refused of [await create(hello('BREAK-SCANNER')), await create(hello('good'), lost)]) {
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('scanner')]);
    expect(refused.headers.get('retry-after')).toBe('60');
  }
  expect(lost.logged()).toContain('code scanner failed, code refused');
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { generatedFiles } from './generated-files.ts';

const client = join(import.meta.dirname, '../../clients/typescript');
const folder = mkdtempSync(join(tmpdir(), 'sluice-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(Object.entries(generatedFiles()))('%s is that of the OpenAPI document: run npm run client', (name, text) => {
  expect(readFileSync(join(client, name), 'utf8') === text).toBe(true);
});

it('the package works after npm pack', async () => {
  const args = ['pack', '--json', '--offline', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: client, encoding: 'utf8' })) as [
    { filename: string; files: { path: string }[] },
  ];
  expect(packed.files.map(({ path }) => path).sort()).toEqual([
    'README.md',
    'client.d.ts',
    'client.js',
    'operations.d.ts',
    'operations.js',
    'package.json',
  ]);
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
  const { createClient } = (await import(pathToFileURL(join(folder, 'package/client.js')).href)) as {
    createClient: (options: object) => { call(operation: string): Promise<unknown> };
  };
  const asked: string[] = [];
  const answer = async (url: URL) => {
    asked.push(url.href);
    return Response.json({ account: { name: 'Example' } });
  };
  const sluice = createClient({ baseUrl: 'http://localhost/api', apiKey: 'slc_1', fetch: answer });
  expect(await sluice.call('accountGet')).toEqual({ account: { name: 'Example' } });
  expect(asked).toEqual(['http://localhost/api/account']);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleFiles, TRUSTED_TYPES } from './console-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-files-'));
let server: Server;
let origin = '';
beforeAll(async () => {
  for (const name of ['index.html', 'connect.html']) writeFileSync(join(folder, name), '<!doctype html>');
  const files = consoleFiles(folder);
  server = createServer((req, res) => {
    files(req, res, req.url ?? '', req.url === '/connect' ? 'connect' : 'index');
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
async function headersOf(url: string) {
  const { headers, body } = await request(url, { headers: { accept: 'text/html' } });
  await body.dump();
  return headers;
}

describe('pages', () => {
  it('are not reachable from pages that open them, except for the connect window', async () => {
    const policy = async (path: string) => (await headersOf(origin + path))['cross-origin-opener-policy'];
    expect(await policy('/events')).toBe('same-origin-allow-popups');
    expect(await policy('/connect')).toBeUndefined();
    expect((await headersOf(`${origin}/events`))['cross-origin-resource-policy']).toBe('same-origin');
  });

  it('have inline styles only where Monaco may be loaded', async () => {
    const policy = async (path: string) => String((await headersOf(origin + path))['content-security-policy']);
    expect(await policy('/events')).toContain("style-src 'self' 'unsafe-inline';");
    expect(await policy('/connect')).toContain("style-src 'self';");
    expect(await policy('/connect')).not.toContain('unsafe-inline');
  });

  it('may create the trusted types of Monaco and no others', async () => {
    const names = new Set(['monaco-worker', 'dompurify']);
    const monaco = join(import.meta.dirname, '../../../node_modules/monaco-editor/esm');
    for (const entry of readdirSync(monaco, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      for (const [, name = ''] of text.matchAll(/createTrustedTypesPolicy\(\s*['"](\w+)['"]/g)) names.add(name);
    }
    expect([...names].toSorted()).toEqual(TRUSTED_TYPES.toSorted());
    const policy = (await headersOf(`${origin}/`))['content-security-policy'];
    expect(policy).toContain(`trusted-types ${TRUSTED_TYPES.join(' ')}`);
  });
});

/** nginx with the configuration of docs/reference/operating.md, in front of the nodes of a test. */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

const DOCS = join(import.meta.dirname, '../../../docs/reference/operating.md');
const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];

/** The path of the installed nginx, if any. */
export const NGINX = PLACES.find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

export type Nginx = { url: string; stop(): Promise<void> };

/** Starts the documented proxy without its certificate, on this port, for nodes on these ports. */
export async function startNginx(port: number, nodes: readonly number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
  const blocks = [...readFileSync(DOCS, 'utf8').matchAll(/```nginx\n(.*?)```/gs)];
  const [server = '', upstream = ''] = blocks.map(([, text]) => text);
  let next = 0;
  const several = upstream.replace(/server [\d.]+:4400;/g, () => `server 127.0.0.1:${nodes[next++]};`);
  if (next !== nodes.length) throw new Error(`docs/reference/operating.md has an upstream of ${next} nodes`);
  const http = server
    .replace(/^upstream .*$/m, several)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, '');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr error;
    events { worker_connections 1024; }
    http {
      access_log off;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      ${http}
    }`,
  );
  const child = spawn(NGINX ?? 'nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<void>((ok) => child.once('exit', () => ok()));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => {
    if (child.exitCode !== null) throw new Error(errors);
    await (await fetch(`${url}/livez`)).text();
  });
  return {
    url,
    async stop() {
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the compared gateways, each as a separate process in front of one app. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addApp, connect } from '../server/connections/test/connecting.ts';
import { freePort, KEY, scratch, start } from '../server/test/spawned.ts';
import { findProgram } from './programs.ts';
import { CREDENTIAL } from './proxies/proxy.ts';
import { SETTINGS } from './settings.ts';

export type Gateway = {
  name: string;
  port: number;
  /** Path before the native path. */
  prefix: string;
  pid: number;
  /** The native path that is requested, and headers of the caller. */
  path?: string;
  headers?: string[];
  stop(): Promise<void>;
};

export const AUTHORIZATION = `Authorization: Bearer ${KEY}`;
export const CREDENTIAL_LINE = `Authorization: ${CREDENTIAL}`;

/** This service with its default settings, an app at `upstream` and a connection to it. */
export async function startSluice(upstream: string, env: Record<string, string> = {}): Promise<Gateway> {
  const folder = scratch();
  const port = await freePort();
  const service = await start(folder.path, port, { ...SETTINGS, ...env });
  const remote = {
    ...service,
    api: (method: string, path: string, body?: unknown) => service.call(method, path, body),
  };
  // These test helpers expect an in-process service, but use only `api` and `url`.
  const api = remote as unknown as Parameters<typeof addApp>[0];
  const app = await addApp(api, upstream);
  await connect(api, app, { api_key: CREDENTIAL.replace('Bearer ', '') });
  return {
    name: 'Sluice',
    port,
    prefix: `/api/${app}`,
    pid: service.pid,
    async stop() {
      await service.kill('SIGTERM');
      folder.remove();
    },
  };
}

/** nginx with one worker, no buffering and keep-alive. It checks the API key and replaces it, as the others do. */
export async function startNginx(upstream: string, timeoutSeconds: number): Promise<Gateway> {
  const port = await freePort();
  const process = await startNginxWith(
    port,
    `
    upstream app { server ${new URL(upstream).host}; keepalive 256; keepalive_requests 1000000000; }
    map $http_upgrade $onward { default upgrade; "" ""; }
    server {
      listen 127.0.0.1:${port};
      large_client_header_buffers 4 64k;
      client_max_body_size 0;
      location / {
        if ($http_authorization != "Bearer ${KEY}") { return 401; }
        proxy_pass http://app;
        proxy_http_version 1.1;
        proxy_set_header Host ${new URL(upstream).host};
        proxy_set_header Authorization "${CREDENTIAL}";
        proxy_set_header Cookie "";
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $onward;
        proxy_pass_header Date;
        proxy_pass_header Server;
        proxy_buffering off;
        proxy_request_buffering off;
        proxy_buffer_size 64k;
        proxy_buffers 4 64k;
        proxy_connect_timeout 10s;
        proxy_read_timeout ${timeoutSeconds}s;
        proxy_send_timeout ${timeoutSeconds}s;
      }
    }`,
  );
  return { name: 'nginx', port, prefix: '', ...process };
}

/** An nginx process with these directives of `http`. */
export async function startNginxWith(port: number, http: string): Promise<Pick<Gateway, 'pid' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
    events { worker_connections 4096; }
    http {
      access_log off; server_tokens off; sendfile on; tcp_nodelay on;
      keepalive_timeout 60s; keepalive_requests 1000000000;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      ${http}
    }`,
  );
  return running(
    spawn(findProgram('nginx') ?? 'nginx', ['-c', config, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] }),
    port,
    () => rmSync(folder, { recursive: true, force: true }),
  );
}

/** One of the small proxies in this folder. */
export async function startProxy(name: 'http-proxy-3' | 'pipe', upstream: string): Promise<Gateway> {
  const port = await freePort();
  const script = fileURLToPath(new URL(`./proxies/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, String(port), upstream], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { name: name === 'pipe' ? 'http.request + pipe' : name, port, prefix: '', ...(await running(child, port)) };
}

async function running(child: ChildProcess, port: number, after = () => {}): Promise<Pick<Gateway, 'pid' | 'stop'>> {
  const ended = new Promise<void>((ok) => child.once('exit', () => ok()));
  while (child.exitCode === null && !(await isListening(port))) await new Promise((ok) => setTimeout(ok, 20));
  if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      after();
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((ok) => {
    const socket = dial(port, '127.0.0.1');
    socket.once('connect', () => ok(true)).once('error', () => ok(false));
    socket.once('connect', () => socket.destroy());
  });
}

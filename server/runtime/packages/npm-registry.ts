/** An npm registry for tests: npm packs the packages and writes the locks, and nothing comes from outside. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Path → text; package.json is created from `manifest`. */
export type Sources = {
  manifest: { name: string; version: string } & Record<string, unknown>;
  files: Record<string, string>;
};

export type NpmRegistry = {
  address: string;
  /** The requested paths. */
  asked: string[];
  /** Returns the package.json and package-lock.json that npm writes for these dependencies. */
  lock(dependencies: Record<string, string>): Promise<Record<string, string>>;
  /** Replaces the response for a tarball whose path ends with the key. */
  instead: Map<string, (send: (status: number, body: Buffer | string) => void) => void>;
  close(): void;
};

export async function startNpmRegistry(packages: Sources[]): Promise<NpmRegistry> {
  const folder = mkdtempSync(path.join(tmpdir(), 'npm-registry-'));
  const npm = (...args: string[]) =>
    run('npm', [...args, '--cache', path.join(folder, 'cache'), '--no-audit', '--no-fund', '--offline=false'], {
      cwd: folder,
      env: { ...process.env, npm_config_userconfig: '/dev/null', NODE_OPTIONS: '' },
      maxBuffer: 64 * 1024 * 1024,
    });
  for (const { manifest, files } of packages) {
    const place = path.join(folder, 'src', `${manifest.name}-${manifest.version}`);
    for (const [file, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
      mkdirSync(path.join(place, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(place, file), text);
    }
  }
  const places = packages.map(({ manifest }) => `./src/${manifest.name}-${manifest.version}`);
  const { stdout } = await npm('pack', '--json', '--ignore-scripts', ...places);
  const packed = Object.values(JSON.parse(stdout) as Packed[]);

  const asked: string[] = [];
  const instead: NpmRegistry['instead'] = new Map();
  const server = createServer((req, res) => {
    const url = decodeURIComponent(req.url ?? '/');
    asked.push(url);
    const send = (status: number, body: Buffer | string) => res.writeHead(status).end(body);
    const other = [...instead].find(([end]) => url.endsWith(end))?.[1];
    if (other) return other(send);
    const tarball = packed.find((each) => url === tarballPath(each));
    if (tarball) return send(200, readFileSync(path.join(folder, tarball.filename)));
    const versions = packed.filter(({ name }) => url === `/${name}`);
    if (versions.length === 0) return send(404, '{}');
    send(200, JSON.stringify(packument(versions, packages, address)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    address,
    asked,
    instead,
    async lock(dependencies) {
      const place = mkdtempSync(path.join(folder, 'app-'));
      writeFileSync(path.join(place, 'package.json'), JSON.stringify({ dependencies }));
      await npm('install', '--package-lock-only', '--registry', address, '--prefix', place);
      const read = (file: string) => readFileSync(path.join(place, file), 'utf8');
      return { 'package.json': read('package.json'), 'package-lock.json': read('package-lock.json') };
    },
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Packed = { name: string; version: string; filename: string; integrity: string; shasum: string };
const tarballPath = ({ name, version }: Packed) => `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;

function packument(versions: Packed[], packages: Sources[], address: string) {
  const manifestOf = (one: Packed) =>
    packages.find(({ manifest }) => manifest.name === one.name && manifest.version === one.version)?.manifest;
  return {
    name: versions[0]?.name,
    'dist-tags': { latest: versions.at(-1)?.version },
    versions: Object.fromEntries(
      versions.map((one) => {
        const { integrity, shasum } = one;
        return [one.version, { ...manifestOf(one), dist: { tarball: address + tarballPath(one), integrity, shasum } }];
      }),
    ),
  };
}

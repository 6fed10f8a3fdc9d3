/** The files of deploy/: what they name exists, and they agree with the service and with each other. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../server/config.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));

/** A value at a path of keys in a parsed file. */
function at(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

function parsed(path: string): unknown {
  const documents = parseAllDocuments(read(path));
  const problems = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  expect([path, problems]).toEqual([path, []]);
  expect(documents).toHaveLength(1);
  return documents[0]?.toJS();
}

const SETTING = /\b(?:SLUICE_[A-Z_]+|DATABASE_URL)\b/g;
const config = readConfig({});
const CONTAINERFILE = read('deploy/Containerfile');
/** Seconds of a stop after the lame duck phase and the drain. */
const STOP_SECONDS = 15;

it('every setting that a file names is one of the service', () => {
  const known = new Set(read('server/config.ts').match(SETTING));
  const unknown = files.flatMap((path) =>
    [...new Set(read(path).match(SETTING))].filter((name) => !known.has(name)).map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
  // These are all of the files that name any.
  expect(files.filter((path) => SETTING.test(read(path))).length).toBeGreaterThan(3);
});

it('no file contains a secret', () => {
  const secrets = files.filter((path) => /slc_|-----BEGIN|k1:[A-Za-z0-9+/]{20}/.test(read(path)));
  expect(secrets).toEqual([]);
});

describe('the image', () => {
  const stage = CONTAINERFILE.slice(CONTAINERFILE.lastIndexOf('\nFROM '));
  const instruction = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(stage)?.[1];

  it('runs as another user than root, on the port of the service, with a health check', () => {
    expect(instruction('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(instruction('EXPOSE')).toBe(String(config.port));
    expect(instruction('ENV')).toContain(`SLUICE_PORT=${config.port} `);
    expect(instruction('ENV')).toContain(`SLUICE_DATA_DIR=${instruction('VOLUME')} `);
    expect(stage).toMatch(/^HEALTHCHECK [^\n]*\\\n {2}CMD \[.*\/readyz/m);
    expect(stage).toContain('"/opt/sluice/node_modules/sluice/bin/sluice.mjs"');
  });

  it('has no secret as an argument or a variable', () => {
    expect(CONTAINERFILE).not.toMatch(/^(ARG|ENV) .*(KEY|PASSWORD|TOKEN|SECRET)/m);
  });
});

describe('compose', () => {
  const services = at(parsed('deploy/compose.yaml'), 'services');
  const sluice = at(services, 'sluice');

  it('starts the service after its database, on a root file system that is read-only', () => {
    expect(at(sluice, 'depends_on', 'postgres')).toEqual({ condition: 'service_healthy' });
    expect(at(sluice, 'read_only')).toBe(true);
    expect(at(sluice, 'cap_drop')).toEqual(['ALL']);
    expect(at(sluice, 'volumes')).toEqual(['cache:/data']);
    expect(at(sluice, 'ports')).toEqual([`127.0.0.1:${config.port}:${config.port}`]);
    expect(at(services, 'postgres', 'image')).toMatch(/\/postgres:1[5-9]/);
  });

  it('waits for the stop', () => {
    const drain = Number(at(sluice, 'environment', 'SLUICE_DRAIN_SECONDS'));
    expect(at(sluice, 'stop_grace_period')).toBe(`${drain + STOP_SECONDS}s`);
  });
});

describe('kubernetes', () => {
  const folder = 'deploy/kubernetes';
  const deployment = parsed(`${folder}/deployment.yaml`);
  const pod = at(deployment, 'spec', 'template', 'spec');
  const container = at(pod, 'containers', 0);
  const env = Object.fromEntries(
    (at(container, 'env') as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
  );

  it('applies every manifest but the example of the Secret', () => {
    const manifests = files.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length + 1));
    const applied = at(parsed(`${folder}/kustomization.yaml`), 'resources') as string[];
    expect([...applied, 'kustomization.yaml', 'secret.example.yaml'].toSorted()).toEqual(manifests.toSorted());
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(at(parsed(`${folder}/kustomization.yaml`), 'images', 0, 'newTag')).toBe(version);
  });

  it('has settings that the service accepts, and the Secret those that are secret', () => {
    const secret = parsed(`${folder}/secret.example.yaml`);
    expect(Object.keys(at(secret, 'stringData') as object)).toEqual(['DATABASE_URL', 'SLUICE_MASTER_KEY']);
    expect(at(container, 'envFrom')).toEqual([{ secretRef: { name: at(secret, 'metadata', 'name') } }]);
    const accepted = readConfig({ ...env, DATABASE_URL: 'postgres://sluice@postgres/sluice' });
    expect(accepted.addresses.console_url).toBe(env['SLUICE_CONSOLE_URL']);
  });

  it('selects the pods, keeps two of them, and waits for their stop', () => {
    const labels = at(deployment, 'spec', 'template', 'metadata', 'labels');
    const budget = parsed(`${folder}/disruption-budget.yaml`);
    const service = parsed(`${folder}/service.yaml`);
    expect(at(deployment, 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(at(budget, 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(at(service, 'spec', 'selector')).toEqual(labels);
    expect(at(budget, 'spec', 'minAvailable')).toBe(2);
    expect(at(deployment, 'spec', 'replicas')).toBe(3);
    const accepted = readConfig(env);
    expect(at(pod, 'terminationGracePeriodSeconds')).toBe(
      accepted.lameDuckSeconds + accepted.drainSeconds + STOP_SECONDS,
    );
    const readiness = at(container, 'readinessProbe');
    const noticedSeconds = Number(at(readiness, 'periodSeconds')) * Number(at(readiness, 'failureThreshold'));
    expect(accepted.lameDuckSeconds).toBeGreaterThan(noticedSeconds);
  });

  it('probes paths that the service has, on its port', () => {
    expect(at(container, 'ports')).toEqual([{ name: 'http', containerPort: config.port }]);
    expect(at(parsed(`${folder}/service.yaml`), 'spec', 'ports', 0, 'targetPort')).toBe('http');
    const front = read('server/http/doors/front.ts');
    const paths = { startupProbe: '/livez', livenessProbe: '/livez', readinessProbe: '/readyz' };
    for (const [probe, path] of Object.entries(paths)) {
      expect(at(container, probe, 'httpGet')).toEqual({ path, port: 'http' });
      expect(front).toContain(`path === '${path}'`);
    }
  });

  it('runs as the user of the image, with nothing writable but its cache and temporary files', () => {
    const [, user] = /^USER (\d+):/m.exec(CONTAINERFILE) ?? [];
    expect(at(pod, 'securityContext')).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user) });
    expect(at(container, 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(at(container, 'volumeMounts')).toMatchObject([{ mountPath: '/data' }, { mountPath: '/tmp' }]);
    const volumes = at(pod, 'volumes') as object[];
    expect(volumes.every((volume) => 'emptyDir' in volume)).toBe(true);
  });
});

describe('systemd', () => {
  const UNIT = 'deploy/systemd/sluice.service';
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

  it('waits for the stop, and leaves the sandbox of functions its namespaces', () => {
    const unit = read(UNIT);
    const timeout = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
    expect(timeout).toBeGreaterThanOrEqual(config.lameDuckSeconds + config.drainSeconds + STOP_SECONDS);
    expect(unit).toMatch(/^KillMode=mixed$/m);
    expect(unit).not.toMatch(/^(RestrictNamespaces|SystemCallFilter|ProtectKernelTunables|ProtectProc|User=root)\b/m);
  });

  // Machines without systemd can't verify the unit.
  it.runIf(hasSystemd)('accepts the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-unit-'));
    try {
      const verify = (text: string) => {
        writeFileSync(join(folder, 'sluice.service'), text);
        const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'sluice.service')], {
          encoding: 'utf8',
        });
        return { status, stderr: stderr.split('\n').filter((line) => line.includes('sluice.service')) };
      };
      // The package is not installed there.
      const unit = read(UNIT).replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`);
      expect(verify(unit)).toEqual({ status: 0, stderr: [] });
      expect(verify(unit.replace('KillMode=mixed', 'KillMod=mixed')).stderr).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

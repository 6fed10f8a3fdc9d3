/** The SDKs of vendors with the gateway: each snippet of the docs runs against a local server in place of its vendor. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { SDKS, type Sdk } from '../../../contract/text/sdk-snippets.ts';
import { addCustomApp, connectBy, type LocalApp, startApp } from '../../connections/test/custom-support.ts';
import { installSdks, SDK_FOLDER } from '../../test/sdk-packages.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { VENDORS } from './sdk-vendors.ts';

/** All requests at the vendor: the URL and the headers. */
let seen: string[] = [];
let handle: (typeof VENDORS)[string]['handle'];
const vendor: LocalApp = forAll(() =>
  startApp((req, res) => {
    seen.push(`${req.method} ${req.url} ${JSON.stringify(req.rawHeaders)}`);
    handle(req, res, vendor.url);
  }),
);
const service = serviceForAll();
beforeAll(installSdks);

/** Names under localhost, which some systems do not resolve. */
const RESOLVER = `import dns from 'node:dns';
const { lookup } = dns;
dns.lookup = (host, ...rest) => lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...rest);`;

type Ended = { code: number; out: string; err: string };
function run(command: string, args: string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], API_KEY: service.key };
  return new Promise((ok) => {
    execFile(command, args, { cwd: SDK_FOLDER, env }, (error, out, err) =>
      ok({ code: error ? 1 : 0, out: out.trim(), err }),
    );
  });
}

const RUNNERS: Record<Sdk['language'], (code: string) => Promise<Ended>> = {
  javascript: (code) =>
    run(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(RESOLVER)}`,
      '--input-type=module',
      '-e',
      code,
    ]),
  python: (code) => run('python3', ['-c', code]),
  bash: (code) => run('sh', ['-c', code]),
};

/** Packages of npm are always installed; others belong to the machine. */
async function isInstalled({ name, language }: Sdk): Promise<boolean> {
  if (language === 'javascript') return true;
  const check =
    language === 'python' ? run('python3', ['-c', `import ${name}`]) : run('sh', ['-c', `command -v ${name}`]);
  return (await check).code === 0;
}

it.each(SDKS)('$name of $app works with the key and a URL of the gateway', async (sdk) => {
  if (!(await isInstalled(sdk)))
    return console.log(`${sdk.name} is not installed on this machine, so it was not tested.`);
  const known = VENDORS[sdk.app];
  if (!known) throw new Error(`no server for ${sdk.app}`);
  const app = await addCustomApp(service, vendor.url, known.methods, { gateway: known.gateway ?? {} });
  const isBasic = JSON.stringify(known.methods).includes('BASIC');
  const credentials = isBasic ? { username: 'them', password: 'ours' } : { api_key: 'ours' };
  await connectBy(service, app, isBasic ? 'BASIC' : 'API_KEY', credentials);
  seen = [];
  handle = known.handle;
  const hostUrl = `http://${app}.gw.localhost:${service.port}`;
  const { code, out, err } = await RUNNERS[sdk.language](sdk.code({ url: `${service.url}/api/${app}`, hostUrl }));
  expect([code, err]).toEqual([0, expect.any(String)]);
  const prints = known.prints[sdk.name];
  if (prints instanceof RegExp) expect(out).toMatch(prints);
  else expect(out).toBe(prints);
  expect(seen.length).toBeGreaterThan(0);
  const used = isBasic ? Buffer.from('them:ours').toString('base64') : 'ours';
  for (const request of seen) {
    expect(request).toContain(used);
    expect(request).not.toContain(service.key);
    expect(request).not.toContain(Buffer.from(`:${service.key}`).toString('base64').slice(4, 40));
  }
});

it('a client that follows links of the app asks the vendor with the key: why the snippets ask for other links', async () => {
  const known = VENDORS['github'];
  const octokit = SDKS.find(({ name }) => name === '@octokit/rest');
  if (!known || !octokit) throw new Error('no server for github');
  const app = await addCustomApp(service, vendor.url, known.methods);
  await connectBy(service, app, 'API_KEY', { api_key: 'ours' });
  seen = [];
  handle = known.handle;
  const code = octokit.code({ url: `${service.url}/api/${app}`, hostUrl: '' }).replace("'links'", "'none'");
  await RUNNERS.javascript(code);
  expect(seen.some((request) => request.includes(service.key))).toBe(true);
});

it('the docs have each snippet', () => {
  const page = readFileSync(join(SDK_FOLDER, '../docs/reference/sdks.md'), 'utf8');
  for (const sdk of SDKS) {
    const places = { url: `http://localhost:4400/api/${sdk.app}`, hostUrl: `http://${sdk.app}.gw.localhost:4400` };
    const block = `\`\`\`${sdk.language === 'javascript' ? 'js' : sdk.language === 'bash' ? 'sh' : 'python'}\n${sdk.code(places)}\n\`\`\``;
    expect(page, sdk.name).toContain(block);
    expect(page, sdk.name).toContain(sdk.note);
  }
});

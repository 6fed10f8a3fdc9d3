/**
 * `npm run bench:fidelity`: runs one suite of checks with raw sockets against this service, nginx and http-proxy-3, and
 * prints a table. docs/internals/results-gateway.md has a copy.
 */
import { readFileSync } from 'node:fs';
import type { Rig } from '../server/gateway/test/fidelity/rig.ts';
import { suite } from '../server/gateway/test/fidelity/suite.ts';
import { startRawUpstream } from '../server/gateway/test/raw-upstream.ts';
import { AUTHORIZATION, CREDENTIAL_LINE, type Gateway, startNginx, startProxy, startSluice } from './gateways.ts';
import { installPackages } from './packages.ts';
import { requirePrograms } from './programs.ts';

requirePrograms(['nginx']);
installPackages();

/** Time limit of one check. */
const DEADLINE_MS = 15_000;

const upstream = await startRawUpstream();
const short = { SLUICE_GATEWAY_ANSWER_TIMEOUT: '1', SLUICE_GATEWAY_IDLE_TIMEOUT: '1' };
const gateways = [
  await startSluice(upstream.url, short),
  await startNginx(upstream.url, 1),
  await startProxy('http-proxy-3', upstream.url),
];

const rows: string[] = [];
const passed = new Map<string, number>();
let count = 0;
for (const { title, checks } of suite) {
  rows.push(`| **${title}** |${gateways.map(() => ' |').join('')}`);
  for (const { name, run } of checks) {
    count++;
    const marks: string[] = [];
    for (const gateway of gateways) {
      const wrong = await outcome(gateway, run);
      if (wrong === undefined) passed.set(gateway.name, (passed.get(gateway.name) ?? 0) + 1);
      else
        process.stderr.write(
          `${gateway.name}: ${title}: ${name}: ${wrong.split('\n').slice(0, 4).join(' ').slice(0, 200)}\n`,
        );
      marks.push(wrong === undefined ? 'yes' : '**no**');
    }
    rows.push(`| ${name} | ${marks.join(' | ')} |`);
  }
}
process.stdout.write(
  [
    `| | ${gateways.map(({ name }) => name).join(' | ')} |`,
    `|---|${gateways.map(() => '---|').join('')}`,
    `| **checks passed** | ${gateways.map(({ name }) => `**${passed.get(name) ?? 0} of ${count}**`).join(' | ')} |`,
    ...rows,
    '',
  ].join('\n'),
);
for (const gateway of gateways) await gateway.stop();
await upstream.close();

/** The error message of a failed check; undefined when it passed. */
async function outcome({ port, prefix, pid }: Gateway, run: (rig: Rig) => Promise<void>): Promise<string | undefined> {
  const rig: Rig = {
    port,
    upstream,
    prefix,
    headers: [AUTHORIZATION],
    credential: CREDENTIAL_LINE,
    rss: () => rssOf(pid),
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((ok) => {
    timer = setTimeout(ok, DEADLINE_MS, `no outcome within ${DEADLINE_MS / 1000} s`);
  });
  const wrong = await Promise.race([
    run(rig).then(
      () => undefined,
      (error: Error) => error.message,
    ),
    late,
  ]);
  clearTimeout(timer);
  if (wrong !== undefined) await upstream.hangUp();
  return wrong;
}

function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

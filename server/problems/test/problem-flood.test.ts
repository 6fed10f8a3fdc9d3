/** 10,000 causes within an hour, more than any list could show: bounded, grouped, and none lost. */
import { expect, it } from 'vitest';
import { PROBLEM_SIGNATURES_MAX, PROBLEMS_PER_HOUR } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { getProblem, listProblems, type Problem, QUICK } from './problems-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ problems: QUICK, env: { SLUICE_RATE_LIMIT: '1000000' } });

/** With a method each, 100 kinds of answers; 100 paths of each are 10,000 causes. */
const STATUSES = [400, 402, 405, 406, 408, 411, 413, 414, 415, 417, 422, 423, 424, 426, 428, 431, 451, 500, 501, 507];
// Not 421, with which fetch() sends a request again.
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATHS = 100;
const CAUSES = STATUSES.length * METHODS.length * PATHS;
const AT_ONCE = 32;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A path of letters, as the ids of a path are not compared. */
const pathOf = (status: number, n: number): string =>
  `/${[status % 26, Math.floor(status / 26), n % 26, Math.floor(n / 26)].map((at) => LETTERS[at]).join('')}/rows`;
const causes = STATUSES.flatMap((status) =>
  METHODS.flatMap((method) => Array.from({ length: PATHS }, (_, n) => ({ status, method, path: pathOf(status, n) }))),
);

async function allProblems(): Promise<Problem[]> {
  const all: Problem[] = [];
  let token = '';
  do {
    const query = `?limit=200${token && `&next_token=${encodeURIComponent(token)}`}`;
    const { body } = await service.api<Reply<'problemList'>>('GET', `/problems${query}`);
    all.push(...body.problems);
    token = body.next_token ?? '';
  } while (token);
  return all;
}

it('10,000 causes open at most 500 problems; the rest is one that says so, and every failure is counted', async () => {
  for (const { status, path } of causes) sink.answer(`/flood${path}`, { status });
  const app = await addApp(service, `${sink.url}/flood`);
  const connection_id = await connect(service, app, { api_key: 'k' });
  const headers = { 'service-connection': connection_id };
  const left = causes.values();
  const send = async () => {
    for (const { status, method, path } of left)
      expect((await service.api(method, `/${app}${path}`, undefined, { headers })).status).toBe(status);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));

  let all: Problem[] = [];
  await expect
    .poll(
      async () => {
        all = await allProblems();
        return all.reduce((sum, { failures }) => sum + failures, 0);
      },
      { timeout: 120_000, interval: 1_000 },
    )
    .toBe(CAUSES);
  const others = all.filter(({ is_coalesced }) => is_coalesced);
  expect(all.length - others.length).toBeLessThanOrEqual(PROBLEMS_PER_HOUR);
  // A kind of answer whose first 20 paths are problems has one for the others.
  expect(others.length).toBeLessThanOrEqual(PROBLEMS_PER_HOUR / PROBLEM_SIGNATURES_MAX + 1);
  const rest = others.filter(({ title }) => !title.endsWith(', with other messages'));
  expect(rest).toMatchObject([{ title: 'Calls through the gateway fail for many other causes', kind: 'CALL' }]);

  // The page of that problem and a page of the list are as small as those of any other.
  const { problem, chain } = await getProblem(service, rest[0]?.problem_id ?? '');
  expect(problem.affected.connections).toBe(1);
  expect(chain).toHaveLength(1);
  expect(await listProblems(service, '?limit=3')).toHaveLength(3);
});

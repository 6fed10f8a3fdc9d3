/** What breaks when something is removed: the code that names it, and what is connected to it and to that code. */
import type { Input, Reply } from '../../contract/operations.ts';
import type { ImpactCause } from '../../contract/states.ts';
import { destinationsOf } from '../deliveries/targets/function.ts';
import * as functionStore from '../functions/store/functions.ts';
import { timestampAt } from '../lib/clock.ts';
import { msOf } from '../lib/ids.ts';
import { timestampOf } from '../platform/chart-range.ts';
import type { Ctx } from '../platform/context.ts';
import { search } from '../search/search.ts';
import { type Subject, subjectOf } from './impact-subject.ts';
import * as store from './store/impact.ts';

const DAYS_MS = 7 * 86_400_000;
const SHOWN = 50;
const LINES_OF_FUNCTION = 5;
const RUNS_MAX = 10_000;
const CALLS_MAX = 100_000;
/** Functions whose destinations are looked up. */
const CALLED_MAX = 20;
/** Functions in whose code is searched. */
const SEARCHED = 50;

type Impact = Reply<'impactGet'>['impact'];
type Code = { lines: Impact['code']; line_count: number; functions: string[]; truncated: boolean };

/** Reports what uses a key, connection, app, host, environment variable or function, within limits. */
export async function get(ctx: Ctx, { query }: Input<'impactGet'>): Promise<Reply<'impactGet'>> {
  const since_ms = Date.now() - DAYS_MS;
  const subject = await subjectOf(ctx, query);
  const [code, traffic] = await Promise.all([codeOf(ctx, subject), trafficOf(ctx, subject, since_ms)]);
  const causes = new Map<string, ImpactCause[]>();
  const affect = (function_id: string, cause: ImpactCause) =>
    causes.set(function_id, [...(causes.get(function_id) ?? []), cause]);
  for (const [function_id, cause] of subject.functions) affect(function_id, cause);
  for (const function_id of code.functions) affect(function_id, 'CODE');
  for (const { id } of traffic.functions) affect(id, 'CALLS');
  const ids = [...causes.keys()].slice(0, SHOWN);
  const [runs, destinations] = await Promise.all([
    store.runsOf(ctx.db, ctx.account_id, ids, { since_ms, most: RUNS_MAX }),
    allDestinations(ctx, subject, ids),
  ]);
  const named = destinations
    .map(({ trigger_id }) => trigger_id)
    .filter((id) => !subject.triggers.some((each) => each.trigger_id === id));
  const triggers = [...subject.triggers, ...(await store.triggersNamed(ctx.db, ctx.account_id, [...new Set(named)]))];
  const keys = keysOf(subject.keys, traffic.keys);
  const functions = ids.flatMap((id) => {
    const found = runs.find((each) => each.id === id);
    return found ? [{ function_id: id, name: found.name, causes: causes.get(id) ?? [], runs: found.runs }] : [];
  });
  const lists = [functions, keys, triggers, destinations];
  return {
    impact: {
      kind: query.kind,
      id: query.id,
      name: subject.name,
      since: timestampOf(since_ms),
      code: code.lines,
      line_count: code.line_count,
      functions,
      api_keys: keys.slice(0, SHOWN),
      triggers: triggers.slice(0, SHOWN),
      destinations: destinations.slice(0, SHOWN),
      gateway: { calls: traffic.calls, last_at: traffic.last_id === null ? null : timestampAt(msOf(traffic.last_id)) },
      truncated: subject.isCut || code.truncated || causes.size > SHOWN || lists.some(({ length }) => length > SHOWN),
    },
  };
}

/** The lines of the account's live code that name the subject. */
async function codeOf(ctx: Ctx, { code, functions }: Subject): Promise<Code> {
  const none: Code = { lines: [], line_count: 0, functions: [], truncated: false };
  if (code === undefined) return none;
  const asked = { owner: 'SELF', history: false, copies: 'all', sort: 'relevance', limit: SEARCHED } as const;
  const found = await search(ctx, { params: {}, query: { ...asked, ...code }, body: undefined });
  const removed = functions.find(([, cause]) => cause === 'REMOVED')?.[0];
  const others = found.functions.filter(({ function_id }) => function_id !== removed);
  const all = others.flatMap(({ function_id, name, version, hits }) =>
    hits
      .slice(0, LINES_OF_FUNCTION)
      .map(({ path, line, text }) => ({ function_id, name, version, path, line, text: text.slice(0, LINE_CHARS) })),
  );
  return {
    lines: all.slice(0, SHOWN),
    line_count: others.reduce((sum, { hit_count }) => sum + hit_count, 0),
    functions: others.map(({ function_id }) => function_id),
    truncated: found.truncated || found.count >= SEARCHED || all.length > SHOWN,
  };
}

const LINE_CHARS = 300;

async function trafficOf(ctx: Ctx, { calls }: Subject, since_ms: number): Promise<store.Traffic> {
  if (calls === undefined) return { calls: 0, last_id: null, functions: [], keys: [] };
  return store.traffic(ctx.db, ctx.account_id, calls, { since_ms, looked: CALLS_MAX, limit: SHOWN });
}

/** The subject's own destinations, those of its triggers, and those that deliver to affected functions. */
async function allDestinations(ctx: Ctx, subject: Subject, function_ids: string[]): Promise<Impact['destinations']> {
  const limit = SHOWN + 1;
  const ofTriggers = await store.destinationsOfTriggers(
    ctx.db,
    ctx.account_id,
    subject.triggers.map(({ trigger_id }) => trigger_id),
    limit,
  );
  const ofFunctions = await Promise.all(
    function_ids.slice(0, CALLED_MAX).map(async (function_id) => {
      const fn = await functionStore.find(ctx.db, ctx.account_id, function_id);
      return fn ? (await destinationsOf(ctx, fn, limit)).map(({ transforms: _, ...each }) => each) : [];
    }),
  );
  const all = [...subject.destinations, ...ofFunctions.flat(), ...ofTriggers];
  return [...new Map(all.map((each) => [each.destination_id, each])).values()];
}

/** Keys that are limited to the subject and keys whose calls use it, once each, those with the most calls first. */
function keysOf(limited: store.Named[], calling: store.Traffic['keys']): Impact['api_keys'] {
  const calls = new Map(calling.map((each) => [each.id, each.calls]));
  const names = new Map([...calling, ...limited].map(({ id, name }) => [id, name]));
  return [...names].map(([key_id, name]) => ({ key_id, name, calls: calls.get(key_id) ?? 0 }));
}

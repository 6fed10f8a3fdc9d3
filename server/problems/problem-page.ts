/** The parts of a problem's page that are read from its failures. What was deleted since is left out. */
import type { Reply } from '../../contract/operations.ts';
import type { ProblemKind } from '../../contract/states.ts';
import * as attemptStore from '../deliveries/store/queue/attempts.ts';
import * as versionStore from '../functions/store/versions.ts';
import { filesOf } from '../functions/versions/publish.ts';
import type { Ctx } from '../platform/context.ts';
import type { ProblemFailuresTable, ProblemsTable } from '../platform/database/tables/problem-tables.ts';
import { topOwnFrame } from './cause/frames.ts';
import { describeFailure } from './problem-shapes.ts';
import { sharedValues } from './shared-values.ts';
import * as store from './store/evidence.ts';

type Page = Reply<'problemGet'>;
type Sample = Page['samples'][number];

const TEXT_CHARS = 16_384;
const cut = (text: string | null): string | null => text?.slice(0, TEXT_CHARS).toWellFormed() ?? null;

/** From the cause to what it made fail: only kinds that the problem has. */
export function chainOf({ kind, counts }: ProblemsTable, newest: ProblemFailuresTable[]): ProblemKind[] {
  const counted = JSON.parse(counts) as Partial<Record<ProblemKind, number>>;
  const has = (each: ProblemKind) => counted[each] !== undefined || newest.some(({ kind }) => kind === each);
  const followers: ProblemKind[] = ['CALL', 'RUN', 'DELIVERY'];
  return [kind, ...followers.filter((each) => each !== kind && has(each))];
}

/** Samples side by side: those of the cause first, each with its request and response as stored. */
export async function samplesOf(ctx: Ctx, newest: ProblemFailuresTable[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const row of newest) samples.push(await sampleOf(ctx, row));
  return samples;
}

async function sampleOf({ db, account_id }: Ctx, row: ProblemFailuresTable): Promise<Sample> {
  const none: Sample = { failure: describeFailure(row), request: null, response: null, error: null, call: null };
  const call = row.call_id === null ? null : ((await store.call(db, account_id, row.call_id)) ?? null);
  if (row.kind === 'DELIVERY' && row.event_id !== null) {
    const attempt = await attemptStore.latest(db, account_id, row.event_id, row.subject_id);
    if (!attempt) return { ...none, call };
    const { response_status: status, response_body, error_message } = attempt;
    const request = attemptStore.requestOf(attempt);
    return {
      ...none,
      request: { ...request, body: cut(request.body) },
      response: status === null ? null : { status, body: cut(response_body) },
      error: error_message,
      call,
    };
  }
  if (row.kind === 'RUN') {
    const run = await store.run(db, account_id, row.subject_id);
    if (!run) return { ...none, call };
    const { method, path, response_status: status, response_body: body, error } = run;
    return {
      ...none,
      request: { method, url: path, headers: {}, body: null },
      response: status === null ? null : { status, body },
      error: cut(stackOf(error)),
      call,
    };
  }
  if (row.kind === 'REJECTION') {
    const rejected = await store.rejection(db, account_id, row.subject_id);
    if (!rejected) return none;
    const headers = JSON.parse(rejected.headers) as Record<string, string>;
    return {
      ...none,
      request: { method: rejected.method, url: '', headers, body: rejected.body },
      error: rejected.message,
    };
  }
  return { ...none, call };
}

type Thrown = { name: string; message: string; stack: string | null };
const thrownIn = (error: string | null): Thrown | null => (error === null ? null : (JSON.parse(error) as Thrown));

function stackOf(error: string | null): string | null {
  const thrown = thrownIn(error);
  return thrown && (thrown.stack ?? `${thrown.name}: ${thrown.message}`);
}

/** The line that threw in the newest failed run, with its text in the version that ran. */
export async function frameOf(ctx: Ctx, newest: ProblemFailuresTable[]): Promise<Page['frame']> {
  const failed = newest.find(({ kind, function_id }) => kind === 'RUN' && function_id !== null);
  if (!failed?.function_id) return null;
  const { function_id, subject_id } = failed;
  const run = await store.run(ctx.db, ctx.account_id, subject_id);
  const frame = topOwnFrame(thrownIn(run?.error ?? null)?.stack);
  if (!run || !frame) return null;
  return { function_id, version: run.version, ...frame, text: await lineOf(ctx, function_id, run.version, frame) };
}

const LINE_CHARS = 500;

async function lineOf(
  ctx: Ctx,
  function_id: string,
  version: number,
  { file, line }: { file: string; line: number },
): Promise<string | null> {
  const row = await versionStore.find(ctx.db, ctx.account_id, function_id, version);
  if (!row) return null;
  const files = await filesOf(ctx, row).catch(() => null);
  return files?.[file]?.split('\n')[line - 1]?.slice(0, LINE_CHARS).toWellFormed() ?? null;
}

const COMPARED = 40;
const DESTINATIONS = 5;

/** Compares payloads of failed events with those that succeeded at the same destinations. */
export async function sharedOf(
  { db, account_id }: Ctx,
  problem_id: string,
  destination_ids: string[],
): Promise<Page['shared']> {
  const failed = await store.failedPayloads(db, account_id, problem_id, COMPARED);
  const some = destination_ids.slice(0, DESTINATIONS);
  const succeeded =
    failed.length === 0 ? [] : await store.succeededPayloads(db, account_id, problem_id, some, COMPARED);
  return { failed: failed.length, succeeded: succeeded.length, values: sharedValues(failed, succeeded) };
}

const BEFORE_MS = 24 * 3_600_000;
/** A change and its first failure may have the same second. */
const AFTER_MS = 1000;
const CHANGES = 20;

/** Audited changes before the problem was opened last. */
export async function changesOf(
  { db, account_id }: Ctx,
  problem: ProblemsTable,
  parts: Page['parts'],
): Promise<Page['changes']> {
  const openedMs = Date.parse(problem.regressed_at ?? problem.first_seen_at);
  const ids = parts.flatMap(({ resource_id, trigger_id }) => [resource_id, ...(trigger_id ? [trigger_id] : [])]);
  const rows = await store.changesBetween(db, account_id, {
    fromMs: openedMs - BEFORE_MS,
    toMs: openedMs + AFTER_MS,
    resource_ids: [...ids, ...(problem.app ? [problem.app] : [])],
    limit: CHANGES,
  });
  return rows.map(({ audit_id, at, operation, actor_type, actor_name, resource_id, is_related }) => {
    return { audit_id, at, operation, actor_type, actor_name, resource_id, is_related };
  });
}

/** Problems of an account; see grouping.ts for what they are. */
import type { Input, Reply } from '../../contract/operations.ts';
import { notFound } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import { closePage, openPage } from '../platform/paging.ts';
import { chainOf, changesOf, frameOf, samplesOf, sharedOf } from './problem-page.ts';
import { describe, describeFailure } from './problem-shapes.ts';
import * as evidence from './store/evidence.ts';
import * as store from './store/problems.ts';

/** Problems, the last seen first. A resource selects the problems that it fails with. */
export async function list(ctx: Ctx, input: Input<'problemList'>): Promise<Reply<'problemList'>> {
  const { limit, after } = openPage(ctx, input);
  const { state, kind, resource_ids } = input.query;
  const [found, open_count] = await Promise.all([
    store.list(ctx.db, ctx.account_id, { state, kind, resource_ids }, { limit: limit + 1, after }),
    store.countOpen(ctx.db, ctx.account_id),
  ]);
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.last_seen_at, row.problem_id]);
  return { problems: rows.map((row) => describe(row)), open_count, next_token };
}

/** Failures of each kind that the page of a problem shows. */
const SAMPLES = 3;

/** A problem with its resources, samples, the values that its failures share, and the changes before it. */
export async function get(ctx: Ctx, { params }: Input<'problemGet'>): Promise<Reply<'problemGet'>> {
  const { db, account_id } = ctx;
  const { problem_id } = params;
  const row = await find(ctx, problem_id);
  const parts = await store.parts(db, account_id, problem_id);
  const newest = await evidence.newestOfEachKind(db, account_id, problem_id, SAMPLES);
  const destination_ids = parts.flatMap(({ kind, resource_id }) => (kind === 'DESTINATION' ? [resource_id] : []));
  return {
    problem: describe(row),
    parts,
    event_count: await store.countEvents(db, account_id, problem_id),
    chain: chainOf(row, newest),
    frame: await frameOf(ctx, newest),
    samples: await samplesOf(ctx, newest),
    shared: await sharedOf(ctx, problem_id, destination_ids),
    changes: await changesOf(ctx, row, parts),
  };
}

/** Every delivery, run, call, … of a problem, the newest first. */
export async function listFailures(ctx: Ctx, input: Input<'problemFailureList'>): Promise<Reply<'problemFailureList'>> {
  const { problem_id } = input.params;
  await find(ctx, problem_id);
  const { limit, after } = openPage(ctx, input);
  const found = await store.failures(ctx.db, ctx.account_id, problem_id, {
    kind: input.query.kind,
    limit: limit + 1,
    before: after?.[0],
  });
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.subject_id]);
  return { failures: rows.map(describeFailure), next_token };
}

async function find({ db, account_id }: Ctx, problem_id: string): Promise<store.ProblemRow> {
  const row = await store.find(db, account_id, problem_id);
  if (!row) throw notFound('Problem');
  return row;
}

/**
 * The receipt of a problem's replay. While a delivery is open it is counted from the attempts at each read; then it is
 * stored once (`sealDue`), and does not change any more. Its lines are read from the attempts that had ended by then.
 */
import type { Input, Reply } from '../../../contract/operations.ts';
import type { ReceiptOutcome } from '../../../contract/states.ts';
import { describe } from '../../deliveries/replays/replays.ts';
import { notFound } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { Db, ReplaysTable, Tx } from '../../platform/database/schema.ts';
import { closePage, openPage } from '../../platform/paging.ts';
import { causeOf } from '../cause/fingerprint.ts';
import * as ends from '../store/ends.ts';
import * as problemStore from '../store/problems.ts';
import * as store from '../store/receipts.ts';

type Receipt = Reply<'receiptGet'>['receipt'];

/** The receipt of a replay: stored if it is final, else counted now. */
export async function get(ctx: Ctx, { params }: Input<'receiptGet'>): Promise<Reply<'receiptGet'>> {
  const row = await find(ctx, params);
  const receipt = stored(row) ?? (await receiptOf(ctx.db, row, await store.timeOf(ctx.db), false));
  return { receipt, replay: describe(row) };
}

/** The deliveries of a receipt, each with the attempt that is its proof, the oldest event first. */
export async function listLines(ctx: Ctx, input: Input<'receiptLineList'>): Promise<Reply<'receiptLineList'>> {
  const asked = await askedOf(ctx, await find(ctx, input.params));
  const { limit, after } = openPage(ctx, input);
  const found = await store.page(ctx.db, asked, { limit: limit + 1, after, outcome: input.query.outcome });
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.event_id, row.delivery_id]);
  return { lines: rows, next_token };
}

/** A replay of the problem. */
export async function find(
  { db, account_id }: Ctx,
  { problem_id, replay_id }: { problem_id: string; replay_id: string },
): Promise<ReplaysTable> {
  const row = await store.replay(db, account_id, problem_id, replay_id);
  if (!row) throw notFound('Replay');
  return row;
}

/** The time that the lines of a receipt are read of: the one of the stored receipt, else now. */
export async function askedOf({ db }: Pick<Ctx, 'db'>, row: ReplaysTable): Promise<store.Asked> {
  const final = stored(row);
  return { ...row, asOf: final?.as_of ?? (await store.timeOf(db)), isFinal: final !== null };
}

const stored = ({ receipt }: ReplaysTable): Receipt | null =>
  receipt === null ? null : (JSON.parse(receipt) as Receipt);

async function receiptOf(db: Db | Tx, row: ReplaysTable, asOf: string, isFinal: boolean): Promise<Receipt> {
  const { outcomes, failing } = await store.count(db, { ...row, asOf, isFinal });
  const counts: Partial<Record<ReceiptOutcome, number>> = {};
  for (const { outcome, count } of outcomes) counts[outcome] = count;
  const of = (...names: ReceiptOutcome[]) => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const { problem } = JSON.parse(row.request) as { problem: { title: string } };
  const receipt = {
    replay_id: row.replay_id,
    problem_id: row.problem_id ?? '',
    problem_title: problem.title,
    status: row.status,
    created_by: row.created_by,
    created_at: row.created_at,
    finished_at: row.finished_at,
    as_of: asOf,
    is_final: isFinal,
    total: row.total,
    delivered: of('DELIVERED', 'ALREADY_DELIVERED'),
    delivered_twice: outcomes.reduce((sum, { twice }) => sum + twice, 0),
    outcomes: counts,
    failing: failing.map(becauseOf),
    left_out: JSON.parse(row.left_out ?? '{}') as Receipt['left_out'],
  };
  return { ...receipt, summary: summaryOf(receipt) };
}

/** Why these deliveries fail, in the words of a problem: without what differs, and without secrets. */
function becauseOf(group: store.FailingGroup): Receipt['failing'][number] {
  const { destination_id, reason, response_status, count, body, message } = group;
  const destination_name = group.destination_name ?? '';
  const { title: text } = causeOf({
    kind: 'DELIVERY',
    destination: { id: destination_id, name: destination_name },
    url: group.url ?? '',
    reason: reason ?? '',
    status: response_status,
    body,
    message,
  });
  return { destination_id, destination_name, reason, response_status, text, count };
}

type Counted = Omit<Receipt, 'summary'>;

/** `312 of 316 delivered, 0 twice, 4 still failing because Destination “CRM” returns 422`. */
function summaryOf({ total, delivered, delivered_twice, outcomes, failing }: Counted): string {
  const { FAILED = 0, RETRYING = 0, WAITING = 0, CANCELED = 0, NOT_SENT = 0 } = outcomes;
  const [first, ...others] = failing;
  const more = others.length > 0 ? ` and ${others.length} other ${others.length === 1 ? 'cause' : 'causes'}` : '';
  const because = first ? ` because ${first.text.replace(/^(?:Destination|Host|The) /, lowered)}${more}` : '';
  return [
    `${delivered} of ${total} delivered`,
    `${delivered_twice} twice`,
    ...(FAILED + RETRYING > 0 ? [`${FAILED + RETRYING} still failing${because}`] : []),
    ...(WAITING > 0 ? [`${WAITING} waiting`] : []),
    ...(CANCELED > 0 ? [`${CANCELED} canceled`] : []),
    ...(NOT_SENT > 0 ? [`${NOT_SENT} not sent`] : []),
  ].join(', ');
}

const lowered = (word: string) => word.toLowerCase();

const AT_ONCE = 5;

type Sealed = Pick<ReplaysTable, 'account_id' | 'replay_id' | 'status'> & { problem_id: string };

/**
 * Stores the receipts of replays that have ended and have no open delivery, and resolves problems of which everything
 * was delivered. Returns the changed problems.
 */
export async function sealDue({ db }: Services): Promise<Sealed[]> {
  return db.transaction().execute(async (tx) => {
    const due = await store.lockDue(tx, AT_ONCE);
    const sealed: Sealed[] = [];
    for (const row of due) {
      const { account_id, replay_id, problem_id } = row;
      const receipt = await receiptOf(tx, row, await store.timeOf(tx), true);
      await store.store(tx, account_id, replay_id, JSON.stringify(receipt));
      if (problem_id === null) continue;
      await resolveReplayed(tx, account_id, receipt);
      sealed.push({ account_id, problem_id, replay_id, status: row.status });
    }
    return sealed;
  });
}

/** Resolves the problem if all deliveries of its replay arrived, and nothing has failed with it since the replay began. */
async function resolveReplayed(tx: Tx, account_id: string, receipt: Receipt): Promise<void> {
  const { problem_id, status, total, delivered, created_at } = receipt;
  if (status !== 'COMPLETED' || delivered === 0 || delivered < total) return;
  const problem = await problemStore.lock(tx, account_id, problem_id);
  if (!problem || problem.state === 'RESOLVED') return;
  if (await store.hasFailing(tx, account_id, problem_id, created_at)) return;
  await ends.resolve(tx, problem, 'REPLAYED');
}

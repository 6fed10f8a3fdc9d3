/**
 * Problems: failures of one cause. A worker (grouper.ts) reads the failures that were stored since its last round,
 * finds the cause of each (cause/), and adds them to the problem with the fingerprint of the cause, in one transaction
 * with its position. So each failure is counted once, on any number of nodes and after any crash, and the paths that
 * deliver, call and run do nothing for it.
 *
 * A failure that another one caused belongs to the problem of that one: a failed delivery to that of the run that it
 * called, a failed run to that of the gateway call that it made.
 *
 * States: OPEN, ACKNOWLEDGED, IGNORED, RESOLVED (transition.ts). A problem is resolved by a person, or when its parts
 * succeed again (resolving.ts).
 *
 * Limits: the first 20 signatures of a cause are problems; other messages of it are grouped. An account opens at most
 * 500 problems within an hour; other causes are one problem for each kind of failure until then.
 */
import { createHash } from 'node:crypto';
import { PROBLEM_SIGNATURES_MAX, PROBLEMS_PER_HOUR } from '../../contract/limits.ts';
import type { ProblemKind, ProblemPartKind } from '../../contract/states.ts';
import { newId } from '../lib/ids.ts';
import type { Tx } from '../platform/database/schema.ts';
import type { ProblemsTable } from '../platform/database/tables/problem-tables.ts';
import type { Failure, FailureLinks } from './cause/failures.ts';
import { type Cause, causeOf } from './cause/fingerprint.ts';
import * as store from './store/groups.ts';
import { afterFailures, quietMs } from './transition.ts';

/** A failure with its cause. */
export type Caused = Pick<Failure, 'links'> & { kind: ProblemKind; cause: Cause; names: PartNames };
/** Names of the resources in `links`. */
export type PartNames = Partial<Record<ProblemPartKind, string>>;

export const withCause = ({ links, evidence, root }: Failure, names: PartNames): Caused => ({
  links,
  names,
  kind: evidence.kind,
  cause: causeOf(root ?? evidence),
});

type Group = { account_id: string; cause: Cause; isBase: boolean; failures: Caused[] };
/** `isOpened`: it is new, or open again. */
type Changed = { group: Group; problem: ProblemsTable; isNew: boolean; isOpened: boolean };

/** Adds failures to their problems; returns the changed problems. */
export async function group(tx: Tx, failures: Caused[], quietMinMs: number): Promise<ProblemsTable[]> {
  const groups = groupsOf(failures);
  const known = await problemsOf(tx, groups);
  const fresh = groups.filter((each) => !known.has(keyOf(each)));
  const bounded = [...groups.filter((each) => known.has(keyOf(each))), ...(await coalesce(tx, fresh))];
  const all = mergeSame(bounded);
  const before = fresh.length === 0 ? known : await problemsOf(tx, all);
  const changed = all.map((each): Changed => {
    const old = before.get(keyOf(each));
    const problem = old ? grown(old, each, quietMinMs) : opened(each, quietMinMs);
    return { group: each, problem, isNew: old === undefined, isOpened: problem.opened_at !== old?.opened_at };
  });
  await store.insert(
    tx,
    changed.flatMap(({ problem, isNew }) => (isNew ? [problem] : [])),
  );
  const added = await store.addMembers(
    tx,
    changed.flatMap(({ group, problem }) => membersOf(group, problem.problem_id)),
  );
  const preceding = await precedingOf(
    tx,
    changed.filter(({ isOpened }) => isOpened),
  );
  const problems = withCounts(
    changed.map(({ problem, isOpened }) =>
      isOpened ? { ...problem, preceded_by: preceding.get(problem.problem_id) ?? null } : problem,
    ),
    added,
  );
  await store.update(tx, problems);
  await store.addHours(
    tx,
    changed.flatMap(({ group, problem }) => hoursOf(group, problem.problem_id)),
  );
  await store.addParts(
    tx,
    changed.flatMap(({ group, problem }) => partsOf(group, problem.problem_id)),
  );
  return problems;
}

const keyOf = ({ account_id, cause }: Pick<Group, 'account_id' | 'cause'>) => `${account_id} ${cause.fingerprint}`;

function groupsOf(failures: Caused[]): Group[] {
  return mergeSame(
    failures.map((each) => ({ account_id: each.links.account_id, cause: each.cause, isBase: false, failures: [each] })),
  );
}

/** Groups with the same account and fingerprint become one. */
function mergeSame(groups: Group[]): Group[] {
  const merged = new Map<string, Group>();
  for (const each of groups) {
    const same = merged.get(keyOf(each));
    if (same) same.failures.push(...each.failures);
    else merged.set(keyOf(each), { ...each, failures: [...each.failures] });
  }
  return [...merged.values()];
}

async function problemsOf(tx: Tx, groups: Group[]): Promise<Map<string, ProblemsTable>> {
  if (groups.length === 0) return new Map();
  const keys = groups.map(({ account_id, cause }) => ({ account_id, fingerprint: cause.fingerprint }));
  const rows = await store.lockWith(tx, keys);
  return new Map(rows.map((row) => [`${row.account_id} ${row.fingerprint}`, row]));
}

/** Replaces the causes of new groups beyond the limits: by their base, or by their kind. */
async function coalesce(tx: Tx, fresh: Group[]): Promise<Group[]> {
  if (fresh.length === 0) return [];
  const { byBase, byAccount } = await store.countsOf(
    tx,
    fresh.map(({ account_id, cause }) => ({ account_id, base: cause.base })),
  );
  const ofBase = new Map(byBase.map(({ account_id, base, count }) => [`${account_id} ${base}`, count]));
  const ofAccount = new Map(byAccount.map(({ account_id, count }) => [account_id, count]));
  return fresh.map((each): Group => {
    const { account_id, cause } = each;
    const key = `${account_id} ${cause.base}`;
    const inBase = ofBase.get(key) ?? 0;
    const inAccount = ofAccount.get(account_id) ?? 0;
    if (inAccount >= PROBLEMS_PER_HOUR) return { ...each, cause: ofKind(cause), isBase: true };
    if (inBase >= PROBLEM_SIGNATURES_MAX) return { ...each, cause: ofBaseOf(cause), isBase: true };
    ofBase.set(key, inBase + 1);
    ofAccount.set(account_id, inAccount + 1);
    return each;
  });
}

const ofBaseOf = (cause: Cause): Cause => ({
  ...cause,
  fingerprint: hashOf(`base ${cause.base}`),
  title: `${cause.base_title}, with other messages`,
  signature: '',
});

const KIND_TITLES: Record<ProblemKind, string> = {
  DELIVERY: 'Deliveries fail for many other causes',
  RUN: 'Runs fail for many other causes',
  CALL: 'Calls through the gateway fail for many other causes',
  RENEWAL: 'Many other tokens cannot be renewed',
  REJECTION: 'Requests are rejected for many other causes',
  SCHEDULE: 'Many other schedules missed their times',
  POLL: 'Many other sources cannot be read',
};

const ofKind = ({ kind }: Cause): Cause => ({
  kind,
  fingerprint: hashOf(`kind ${kind}`),
  base: hashOf(`kinds ${kind}`),
  title: KIND_TITLES[kind],
  base_title: KIND_TITLES[kind],
  signature: '',
  code: null,
  status: null,
  frame: null,
  app: null,
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function seenOf({ failures }: Group) {
  const times = failures.map(({ links }) => links.at);
  const firstAt = times.reduce((a, b) => (a < b ? a : b));
  const lastAt = times.reduce((a, b) => (a > b ? a : b));
  const version = failures.reduce<number | null>((last, { links }) => links.version ?? last, null);
  return { firstAt, lastAt, failures: failures.length, version };
}

function opened(each: Group, quietMinMs: number): ProblemsTable {
  const { account_id, cause, isBase } = each;
  const { firstAt, lastAt, failures, version } = seenOf(each);
  const problem: ProblemsTable = {
    account_id,
    problem_id: newId(),
    fingerprint: cause.fingerprint,
    base: cause.base,
    is_base: isBase,
    kind: cause.kind,
    title: cause.title,
    signature: cause.signature,
    code: cause.code,
    status: cause.status,
    frame: cause.frame && JSON.stringify(cause.frame),
    app: cause.app,
    state: 'OPEN',
    state_by: null,
    state_note: null,
    state_at: null,
    ignored_until: null,
    ignored_above: null,
    resolved_as: null,
    first_seen_at: firstAt,
    last_seen_at: lastAt,
    opened_at: firstAt,
    regressed_at: null,
    regressions: 0,
    first_version: version,
    last_version: version,
    failures,
    counts: '{}',
    check_at: null,
    preceded_by: null,
  };
  return { ...problem, check_at: checkAt(problem, quietMinMs) };
}

function grown(before: ProblemsTable, each: Group, quietMinMs: number): ProblemsTable {
  const seen = seenOf(each);
  const problem = {
    ...before,
    ...afterFailures(before, seen),
    first_seen_at: seen.firstAt < before.first_seen_at ? seen.firstAt : before.first_seen_at,
    last_seen_at: seen.lastAt > before.last_seen_at ? seen.lastAt : before.last_seen_at,
    last_version: seen.version ?? before.last_version,
  };
  return { ...problem, check_at: problem.state === 'RESOLVED' ? null : checkAt(problem, quietMinMs) };
}

const BEFORE_MS = 24 * 3_600_000;
/** A change and its first failure may have the same second. */
const AFTER_MS = 1000;
const RESOURCES = 100;
/** Operations that change which code a function serves. */
const DEPLOYS = ['versionCreate', 'functionUpdate', 'functionCreate'];

/** The change before each problem that was just opened, as text; without those that had none. */
async function precedingOf(tx: Tx, opened: Changed[]): Promise<Map<string, string>> {
  const rows = await store.precedingChanges(
    tx,
    opened.map(({ group, problem }) => {
      const { account_id, problem_id, opened_at, app } = problem;
      const openedMs = Date.parse(opened_at);
      const ids = partsOf(group, problem_id).map(({ resource_id }) => resource_id);
      const resource_ids = [...ids.slice(0, RESOURCES), ...(app === null ? [] : [app])];
      return { account_id, problem_id, fromMs: openedMs - BEFORE_MS, toMs: openedMs + AFTER_MS, resource_ids };
    }),
  );
  const versions = new Map(opened.map(({ problem }) => [problem.problem_id, problem.last_version]));
  return new Map(
    rows.map(({ problem_id, ...change }) => {
      const version = DEPLOYS.includes(change.operation) ? (versions.get(problem_id) ?? null) : null;
      return [problem_id, JSON.stringify({ ...change, version })];
    }),
  );
}

const checkAt = (problem: ProblemsTable, quietMinMs: number): string =>
  new Date(Date.parse(problem.last_seen_at) + quietMs(problem, quietMinMs)).toISOString();

function withCounts(problems: ProblemsTable[], added: store.Added[]): ProblemsTable[] {
  const addedTo = Map.groupBy(added, ({ problem_id }) => problem_id);
  return problems.map((problem) => {
    const counts = JSON.parse(problem.counts) as Partial<Record<ProblemKind, number>>;
    for (const { kind } of addedTo.get(problem.problem_id) ?? []) counts[kind] = (counts[kind] ?? 0) + 1;
    return { ...problem, counts: JSON.stringify(counts) };
  });
}

/** One row for each delivery, run, … that failed. */
function membersOf({ account_id, failures }: Group, problem_id: string): store.Member[] {
  const members = new Map<string, store.Member>();
  for (const { kind, links } of failures) {
    const { subject_id, at, account_id: _, ...ids } = links;
    const same = members.get(subject_id);
    if (same) {
      same.failures++;
      if (at >= same.last_at)
        Object.assign(same, { last_at: at, run_id: ids.run_id, version: ids.version, call_id: ids.call_id });
    } else members.set(subject_id, { account_id, problem_id, subject_id, kind, at, last_at: at, failures: 1, ...ids });
  }
  return [...members.values()];
}

const HOUR_MS = 3_600_000;

function hoursOf({ account_id, failures }: Group, problem_id: string) {
  const hours = new Map<number, number>();
  for (const { links } of failures) {
    const at_ms = Math.floor(Date.parse(links.at) / HOUR_MS) * HOUR_MS;
    hours.set(at_ms, (hours.get(at_ms) ?? 0) + 1);
  }
  return [...hours].map(([at_ms, failures]) => ({ account_id, problem_id, at_ms, failures }));
}

const PART_IDS = {
  TRIGGER: 'trigger_id',
  DESTINATION: 'destination_id',
  FUNCTION: 'function_id',
  CONNECTION: 'connection_id',
} as const satisfies Record<ProblemPartKind, keyof FailureLinks>;

function partsOf({ account_id, failures }: Group, problem_id: string) {
  const parts = new Map<string, Parameters<typeof store.addParts>[1][number]>();
  for (const { links, names } of failures) {
    for (const kind of Object.keys(PART_IDS) as ProblemPartKind[]) {
      const resource_id = links[PART_IDS[kind]];
      if (resource_id === null) continue;
      const same = parts.get(`${kind} ${resource_id}`);
      if (same) {
        same.failures++;
        if (links.at > same.last_at) same.last_at = links.at;
      } else {
        const name = names[kind] ?? '';
        parts.set(`${kind} ${resource_id}`, {
          account_id,
          problem_id,
          kind,
          resource_id,
          name,
          failures: 1,
          last_at: links.at,
        });
      }
    }
  }
  return [...parts.values()];
}

/** Shadows and their requests in the shape of the API. */
import type { Reply } from '../../../contract/operations.ts';
import type { ShadowRequestsTable } from '../../platform/database/tables/function-tables.ts';
import type { CountedShadow, ListedRequest } from '../store/shadows.ts';
import { readResult } from './compare.ts';

type Shadow = Reply<'shadowGet'>['shadow'];
type Request = Reply<'shadowRequestList'>['requests'][number];
type Answered = Reply<'shadowRequestGet'>['request'];

export const describe = (row: CountedShadow): Shadow => ({
  shadow_id: row.shadow_id,
  function_id: row.function_id,
  version: row.version,
  live_version: row.live_version,
  status: row.status,
  reason: row.reason,
  verdict: row.verdict,
  findings: JSON.parse(row.findings) as Shadow['findings'],
  last: row.last,
  filter: JSON.parse(row.filter) as Shadow['filter'],
  budget: JSON.parse(row.budget) as Shadow['budget'],
  deploy: row.deploy,
  deployed_at: row.deployed_at,
  created_by: row.created_by,
  created_at: row.created_at,
  ended_at: row.ended_at,
  total: row.total,
  done: row.done,
  skipped: row.skipped,
});

type Common = Omit<ListedRequest, 'before_head' | 'after_head'>;
const common = (row: Common): Omit<Request, 'before' | 'after'> => ({
  run_id: row.run_id,
  state: row.state,
  reason: row.reason,
  method: row.method,
  path: row.path,
  received_at: row.received_at,
  stored: { outcome: row.stored_outcome, version: row.stored_version, response_status: row.stored_status },
  response: row.response,
  log: row.log,
  differs: row.differs,
});

export const describeRequest = (row: ListedRequest): Request => ({
  ...common(row),
  before: listed(row.before_outcome, row.before_ms, row.before_hosts, row.before_head),
  after: listed(row.after_outcome, row.after_ms, row.after_hosts, row.after_head),
});

function listed(
  outcome: ShadowRequestsTable['before_outcome'],
  duration_ms: number | null,
  hosts: string | null,
  head: string | null,
): Request['before'] {
  if (outcome === null || duration_ms === null || hosts === null || head === null) return null;
  const { response_status, error } = JSON.parse(head) as Pick<
    NonNullable<Request['before']>,
    'response_status' | 'error'
  >;
  return { outcome, response_status, duration_ms, error, hosts: JSON.parse(hosts) as string[] };
}

export const describeAnswered = (row: ShadowRequestsTable): Answered => ({
  ...common(row),
  before: answered(row.before_result),
  after: answered(row.after_result),
});

function answered(text: string | null): Answered['before'] {
  const result = readResult(text);
  if (!result) return null;
  const { body_sha256: _, log_sha256: __, ...shown } = result;
  return shown;
}

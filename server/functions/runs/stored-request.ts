/** The stored request of a run, to be made again. */
import type { Reply } from '../../../contract/operations.ts';
import type { Services } from '../../platform/context.ts';
import type { FunctionsTable, RunsTable } from '../../platform/database/tables/function-tables.ts';
import type { CallRequest } from '../calls/start-call.ts';

/** Without the parts that are never stored, such as credentials. Undefined if only the beginning was stored. */
export function storedCall(
  run: Pick<RunsTable, 'request'>,
  fn: Pick<FunctionsTable, 'label'>,
  { addresses }: Pick<Services['settings'], 'addresses'>,
): (CallRequest & { body: Buffer }) | undefined {
  const stored = JSON.parse(run.request) as Reply<'runGet'>['request'];
  if (stored.truncated) return undefined;
  const { functions_domain, functions_scheme } = addresses;
  return {
    method: stored.method,
    path: stored.raw_path + (stored.raw_query_string && `?${stored.raw_query_string}`),
    headers: Object.entries(stored.headers).filter(([, value]) => value !== 'REDACTED'),
    body: Buffer.from(stored.body, stored.is_base64_encoded ? 'base64' : 'utf8'),
    host: `${fn.label}.${functions_domain}`,
    scheme: functions_scheme === 'https' ? 'https' : 'http',
    protocol: stored.protocol,
    source_ip: stored.source_ip,
  };
}

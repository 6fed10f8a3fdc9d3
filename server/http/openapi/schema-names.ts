/** Names of the contract’s schemas: those of their exports. */
import { z } from 'zod';
import * as account from '../../../contract/account.ts';
import * as appEvents from '../../../contract/app-events.ts';
import * as appRegistration from '../../../contract/app-registration.ts';
import * as apps from '../../../contract/apps.ts';
import * as appPaths from '../../../contract/connections/app-paths.ts';
import * as bulk from '../../../contract/connections/bulk.ts';
import * as health from '../../../contract/connections/health.ts';
import * as openApi from '../../../contract/connections/openapi.ts';
import * as savedRequests from '../../../contract/connections/saved-requests.ts';
import * as sessions from '../../../contract/connections/sessions.ts';
import * as connectionUses from '../../../contract/connections/uses.ts';
import * as connections from '../../../contract/connections.ts';
import * as events from '../../../contract/events.ts';
import { Id, Timestamp, TimestampInput } from '../../../contract/fields.ts';
import * as gradual from '../../../contract/functions/gradual.ts';
import * as shadows from '../../../contract/functions/shadows.ts';
import * as functions from '../../../contract/functions.ts';
import * as appGateway from '../../../contract/gateway/app-gateway.ts';
import * as calls from '../../../contract/gateway/calls.ts';
import * as ingress from '../../../contract/ingress.ts';
import * as apiKeys from '../../../contract/keys/api-keys.ts';
import * as scopes from '../../../contract/keys/scopes.ts';
import * as lookup from '../../../contract/lookup.ts';
import * as failingPart from '../../../contract/problems/failing-part.ts';
import * as problemReplays from '../../../contract/problems/problem-replays.ts';
import * as problems from '../../../contract/problems/problems.ts';
import * as queues from '../../../contract/queues.ts';
import * as replays from '../../../contract/replays.ts';
import * as runs from '../../../contract/runs.ts';
import * as symbols from '../../../contract/search/function-symbols.ts';
import * as impact from '../../../contract/search/impact.ts';
import * as saved from '../../../contract/search/saved-searches.ts';
import * as searches from '../../../contract/search/search-all.ts';
import * as namedDestination from '../../../contract/shapes/named-destination.ts';
import * as identityProviders from '../../../contract/sign-in/identity-providers.ts';
import * as states from '../../../contract/states.ts';
import * as transform from '../../../contract/transforms/transform.ts';
import * as transformTest from '../../../contract/transforms/transform-test.ts';
import * as triggers from '../../../contract/triggers.ts';
import * as trust from '../../../contract/trust.ts';

/** A module with schemas that is missing here has derived names: `FunctionUsesCaller` for `callers` of `FunctionUses`. */
const MODULES: Record<string, unknown>[] = [
  { Id, Timestamp, TimestampInput },
  ...[
    account,
    apps,
    connections,
    appPaths,
    savedRequests,
    health,
    openApi,
    bulk,
    sessions,
    connectionUses,
    events,
    gradual,
    shadows,
    functions,
    appGateway,
    calls,
  ],
  ...[appEvents, appRegistration, ingress, apiKeys, scopes, lookup, failingPart, problemReplays, problems, queues],
  ...[replays, runs, symbols, impact, saved, searches, namedDestination, identityProviders, transform],
  ...[transformTest, triggers, trust],
];

const named = new Map<unknown, string>();
for (const module of MODULES)
  for (const [name, value] of Object.entries(module))
    if (value instanceof z.ZodType && name !== 'Params' && !named.has(value)) named.set(value, name);

/** The name of the export; a copy with a description has the name of its original. */
export function schemaName(schema: z.core.$ZodType): string | undefined {
  for (let each: z.core.$ZodType | undefined = schema; each; each = each._zod.parent) {
    const name = named.get(each);
    if (name !== undefined) return name;
  }
  return undefined;
}

const singular = (name: string) =>
  name.endsWith('SS')
    ? name
    : name
        .replace(/IES$/, 'Y')
        .replace(/(STATUS|SWITCH)ES$/, '$1')
        .replace(/(?<!STATU)S$/, '');
const pascal = (name: string) =>
  name
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

const enums = new Map<string, string>();
for (const [name, value] of Object.entries({ ...states, SCOPES: scopes.SCOPES }))
  if (Array.isArray(value) && value.length > 2) enums.set(JSON.stringify(value), pascal(singular(name)));

/** The name of a list of values, after its constant in states.ts: `DeliveryStatus` for DELIVERY_STATUSES. */
export const enumName = (values: unknown): string | undefined => enums.get(JSON.stringify(values));

import { WebUrl } from '../../contract/fields.ts';
import { findApp } from '../connections/apps/apps.ts';
import type { AppDefinition } from '../connections/apps/definition.ts';
import { dottedTypes, findEventType } from '../connections/apps/event-names.ts';
import { joinedIn } from '../connections/apps/source.ts';
import { http } from '../deliveries/targets/http.ts';
import { blanksIn } from '../deliveries/targets/targets.ts';
import { badRequest } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import { checkWebhookParameters, type WebhookParameters } from './ingress/checks.ts';
import { readParameters } from './parameters.ts';
import { checkSchedule, SCHEDULE_SOURCE, type Schedule } from './schedules/schedules.ts';

type JsonObject = Record<string, unknown>;

/** The source of the service's own events; server/conditions/ detects them. */
export const SLUICE_SOURCE = 'sluice';
/** Its event type that names a saved search. */
export const CODE_MATCHED = 'code.matched';

export type SourceEvent = {
  /** The dotted name. */
  event_type: string;
  parameters: JsonObject;
  sample: unknown;
  /** The app of the event type. */
  definition: AppDefinition;
};

/** The event type of a source by its dotted or native name. 400 names the unknown source or event type. */
export async function getEventType(ctx: Ctx, source: string, event_type: string): Promise<SourceEvent> {
  const app = await findApp(ctx, ctx.account_id, source);
  if (!app) throw badRequest(`source: unknown source "${source}"`);
  const { definition } = app;
  const found = findEventType(definition, event_type);
  if (found) return { ...found, definition };
  const known = dottedTypes(definition).map((each) => each.event_type);
  throw badRequest(
    known.length > 0
      ? `event_type: expected ${known.join(' or ')} for the source ${source}, got "${event_type}"`
      : `source: ${source} does not send events`,
  );
}

/** Rejects a URL that the egress rules block, as for destinations; the error names the parameter. */
export async function checkPolledUrls(
  ctx: Ctx,
  { parameters: schema, definition }: SourceEvent,
  parameters: JsonObject,
): Promise<void> {
  if (definition.source?.transport !== 'poll') return;
  const properties = (schema['properties'] ?? {}) as Record<string, { format?: string }>;
  for (const [name, { format }] of Object.entries(properties)) {
    const url = parameters[name];
    if (format !== 'uri' || typeof url !== 'string') continue;
    const refuse = (message: string) => badRequest(`parameters.${name}: ${message}`);
    const { error } = WebUrl.safeParse(url);
    if (error) throw refuse(error.issues[0]?.message ?? 'expected an absolute http or https URL');
    const problem = blanksIn(url) ?? (await http.check(ctx, new URL(url)));
    if (problem !== null) throw refuse(problem);
  }
}

/** Validates the parameters with the event type's schema and with the checks of the source. */
export function checkParameters({ parameters: schema, definition }: SourceEvent, given: JsonObject): JsonObject {
  const parameters = readParameters(schema, given);
  const { app, source } = definition;
  if (app === SCHEDULE_SOURCE) checkSchedule(parameters as Schedule);
  for (const [name, first] of joinedIn(source)) {
    if (parameters[first] !== undefined && String(parameters[name]).includes('/'))
      throw badRequest(`parameters.${name}: expected a name without a slash, because ${first} is also given`);
  }
  if (source?.transport === 'push' && source.checked === 'parameters')
    checkWebhookParameters(parameters as WebhookParameters);
  return parameters;
}

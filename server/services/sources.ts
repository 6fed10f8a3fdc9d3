import type { AppDefinition } from '../apps/definition.ts';
import { joinedIn } from '../apps/source.ts';
import { badRequest } from '../lib/failure.ts';
import { findApp } from './apps.ts';
import type { Ctx } from './context.ts';
import { checkWebhookParameters, type WebhookParameters } from './ingress/checks.ts';
import { readParameters } from './parameters.ts';
import { checkSchedule, SCHEDULE_SOURCE, type Schedule } from './schedules.ts';

type JsonObject = Record<string, unknown>;
export type SourceEvent = {
  event_type: string;
  parameters: JsonObject;
  sample: unknown;
  /** Of the app it is an event of. */
  definition: AppDefinition;
};

/** The event type of a source; a 400 names which of the two isn't known. */
export async function getEventType(ctx: Ctx, source: string, event_type: string): Promise<SourceEvent> {
  const app = await findApp(ctx, ctx.account_id, source);
  if (!app) throw badRequest(`source: unknown source "${source}"`);
  const { definition } = app;
  const found = definition.event_types.find((each) => each.event_type === event_type);
  if (found) return { ...found, definition };
  const known = definition.event_types.map((each) => each.event_type);
  throw badRequest(
    known.length > 0
      ? `event_type: expected ${known.join(' or ')} for the source ${source}, got "${event_type}"`
      : `source: ${source} sends no events`,
  );
}

/** The parameters to store: what the event type's schema takes, and what only the source itself can tell. */
export function checkParameters({ parameters: schema, definition }: SourceEvent, given: JsonObject): JsonObject {
  const parameters = readParameters(schema, given);
  const { app, source } = definition;
  if (app === SCHEDULE_SOURCE) checkSchedule(parameters as Schedule);
  for (const [name, first] of joinedIn(source)) {
    if (parameters[first] !== undefined && String(parameters[name]).includes('/'))
      throw badRequest(`parameters.${name}: expected a name alone, as ${first} is given, too`);
  }
  if (source?.transport === 'push' && source.checked === 'parameters')
    checkWebhookParameters(parameters as WebhookParameters);
  return parameters;
}

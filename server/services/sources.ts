import { badRequest } from '../lib/failure.ts';
import { findApp } from './apps.ts';
import type { Ctx } from './context.ts';
import { readParameters } from './parameters.ts';
import { checkSchedule, SCHEDULE_SOURCE, type Schedule } from './schedules.ts';

type JsonObject = Record<string, unknown>;
export type SourceEvent = { event_type: string; parameters: JsonObject; sample: unknown };

/** The event type of a source; a 400 names which of the two isn't known. */
export async function getEventType(ctx: Ctx, source: string, event_type: string): Promise<SourceEvent> {
  const app = await findApp(ctx, ctx.account_id, source);
  if (!app) throw badRequest(`source: unknown source "${source}"`);
  const { event_types } = app.definition;
  const found = event_types.find((each) => each.event_type === event_type);
  if (found) return found;
  const known = event_types.map((each) => each.event_type);
  throw badRequest(
    known.length > 0
      ? `event_type: expected ${known.join(' or ')} for the source ${source}, got "${event_type}"`
      : `source: ${source} sends no events`,
  );
}

/** The parameters to store: what the event type's schema takes, and what only the source itself can tell. */
export function checkParameters(source: string, type: SourceEvent, given: JsonObject): JsonObject {
  const parameters = readParameters(type.parameters, given);
  if (source === SCHEDULE_SOURCE) checkSchedule(parameters as Schedule);
  return parameters;
}

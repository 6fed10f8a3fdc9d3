/**
 * Each event type has two names. The native name is the app's: the catalogue, the definitions of custom apps, the app's
 * requests and its API use it (`push`). The dotted name is ours: responses, deliveries and stored triggers use it
 * (`github.push`). A native name with a dot is also the dotted name (`invoice.paid`).
 */
import type { AppDefinition } from './definition.ts';
import type { EventTypeDefinition } from './source.ts';

type Events = Pick<AppDefinition, 'app' | 'event_types'>;

/** `<app>.<native>`, or the native name if it has a dot. */
export const dottedName = (app: string, native: string): string => (native.includes('.') ? native : `${app}.${native}`);

/** The event types of an app under their dotted names. */
export const dottedTypes = ({ app, event_types }: Events): EventTypeDefinition[] =>
  event_types.map((each) => ({ ...each, event_type: dottedName(app, each.event_type) }));

/** The event type with this dotted or native name, under its dotted name. */
export function findEventType(events: Events, name: string): EventTypeDefinition | undefined {
  const types = dottedTypes(events);
  return (
    types.find(({ event_type }) => event_type === name) ??
    types.find(({ event_type }) => event_type === dottedName(events.app, name))
  );
}

/** The native name of an event type; returns the name unchanged if the app does not have it. */
export const nativeName = ({ app, event_types }: Events, dotted: string): string =>
  event_types.find(({ event_type }) => dottedName(app, event_type) === dotted)?.event_type ?? dotted;

/**
 * Two names of one event type. The native name is the app's: it is used in the catalogue, in the definitions of custom
 * apps, in the app's requests and in its API (`push`). The dotted name is ours: replies, deliveries and stored triggers
 * have it (`github.push`). A native name that has a dot already is its own dotted name (`invoice.paid`).
 */
import type { AppDefinition } from './definition.ts';
import type { EventTypeDefinition } from './source.ts';

type Events = Pick<AppDefinition, 'app' | 'event_types'>;

/** `<app>.<native>`, or the native name itself where it has a dot. */
export const dottedName = (app: string, native: string): string => (native.includes('.') ? native : `${app}.${native}`);

/** The event types of an app as they are read: under their dotted names. */
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

/** The app's own name of an event type; the name itself where the app has none such. */
export const nativeName = ({ app, event_types }: Events, dotted: string): string =>
  event_types.find(({ event_type }) => dottedName(app, event_type) === dotted)?.event_type ?? dotted;

/** The webhook APIs of the catalogue are consistent with its event types. */
import { expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { eventNames, type HookApi } from './hook-api.ts';

const apps = [...catalogue.values()].map(({ definition }) => definition).filter(({ hooks }) => hooks.length > 0);
const KNOWN = ['url', 'secret', 'events', 'event', 'id'];

const templatesOf = ({ before, add, list, remove }: HookApi) =>
  JSON.stringify([before?.request ?? null, add, list.request, remove]);

it('some apps register webhooks', () => {
  expect(apps.map(({ app }) => app)).toEqual(
    expect.arrayContaining(['github', 'gitlab', 'stripe', 'linear', 'shopify', 'calendly']),
  );
});

it.each(apps.map((definition) => [definition.app, definition] as const))(
  '%s: its templates use only available values',
  (_, definition) => {
    for (const api of definition.hooks) {
      const taken = Object.keys(api.before?.take ?? {});
      const parameters = definition.event_types.flatMap((type) => Object.keys(type.parameters['properties'] ?? {}));
      for (const name of api.needs) expect(parameters).toContain(name);
      const named = [...templatesOf(api).matchAll(/\{\+?(\w+)\}/g)].map((match) => match[1] ?? '');
      expect(named.filter((name) => ![...KNOWN, ...taken, ...api.needs].includes(name))).toEqual([]);
      expect(templatesOf(api)).toContain('{url}');
      expect(templatesOf(api).includes('{secret}')).toBe(api.secret === 'sent');
    }
  },
);

it.each(apps.map((definition) => [definition.app, definition] as const))(
  '%s: it has names for each event type',
  (_, definition) => {
    for (const { event_type } of definition.event_types)
      for (const api of definition.hooks) {
        if (api.events.without?.includes(event_type)) continue;
        expect(eventNames(api, event_type).length, event_type).toBeGreaterThan(0);
        if (api.events.otherwise === 'capitals') expect(eventNames(api, event_type)[0]).toMatch(/^[A-Z][A-Z0-9_]+$/);
      }
  },
);

import { defineApp } from '../definition.ts';
import { sluiceEvents } from '../events/sluice.ts';

/** What the service reports about itself, without a connection. server/conditions/ detects it. */
export const sluice = defineApp({
  app: 'sluice',
  name: 'Sluice',
  description: 'Failures and recoveries in this account: connections, destinations, sources, functions, storage.',
  category: 'built-in',
  base_url: null,
  docs_url: null,
  source: { transport: 'internal' },
  event_types: sluiceEvents,
});

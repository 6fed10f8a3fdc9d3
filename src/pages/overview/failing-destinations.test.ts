import { expect, test } from 'vitest';
import type { DestinationSummary } from '../../api/entities.ts';
import { failingDestinations } from './failing-destinations.ts';

const destination = (destination_id: string, status: DestinationSummary['status'] = 'ENABLED') =>
  ({ destination_id, name: destination_id, url: '', status, reason: null }) as DestinationSummary;
const failing = (destination_id: string, failing_since: string) => ({
  destination_id,
  failing_since,
  warning: 0 as const,
});
const NOTHING = { events: 0, succeeded: 0, failed: 0, open: 0, buckets: [], queues: [], disabled: [], paused: [] };

test('failing destinations have their auto-disable time, the earliest first; disabled ones are left out', () => {
  const found = failingDestinations(
    {
      triggers: [
        {
          ...NOTHING,
          trigger_id: 't',
          failing: [
            failing('new', '2026-11-21T00:00:00.000000Z'),
            failing('old', '2026-11-18T12:00:00.000000Z'),
            failing('off', '2026-11-17T00:00:00.000000Z'),
          ],
        },
        { ...NOTHING, trigger_id: 'unknown', failing: [failing('x', '2026-11-17T00:00:00.000000Z')] },
      ],
    },
    [
      {
        trigger_id: 't',
        name: 'orders',
        destinations: [destination('new'), destination('old'), destination('off', 'DISABLED')],
      },
    ],
  );
  expect(found.map(({ name, triggerName, disableAt }) => [triggerName, name, disableAt])).toEqual([
    ['orders', 'old', '2026-11-23T12:00:00.000Z'],
    ['orders', 'new', '2026-11-26T00:00:00.000Z'],
  ]);
});

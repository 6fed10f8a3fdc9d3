import { expect } from '@playwright/test';
import type { RunningService } from './service.ts';

/** Sends this number of test events one after another, numbered `order-001` and up; returns their IDs, oldest first. */
export async function sendEvents(service: RunningService, trigger_id: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const body = { payload: { order: `order-${String(number).padStart(3, '0')}` } };
    const { event } = await service.call('triggerTest', { params: { trigger_id }, body });
    ids.push(event.event_id);
  }
  return ids;
}

/** Sends events to a receiver that fails until the circuit breaker is open: from then on deliveries wait. */
export async function sendUntilHeld(service: RunningService, trigger_id: string): Promise<void> {
  await expect
    .poll(async () => {
      await sendEvents(service, trigger_id, 1);
      const { events } = await service.call('eventListAll', { query: { trigger_id, held: 'true' } });
      return events.length;
    })
    .toBeGreaterThan(0);
}

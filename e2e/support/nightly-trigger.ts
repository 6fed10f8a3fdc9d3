import type { RunningService } from './service.ts';
import type { Sink } from './sink.ts';

/** A schedule with one destination, `erp`. */
export async function nightlyTrigger(service: RunningService, sink: Sink) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Nightly',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: `${sink.url}/erp`, name: 'erp' }],
    },
  });
  const { trigger_id, destinations } = trigger;
  return { trigger_id, destination_id: destinations[0]?.destination_id ?? '' };
}

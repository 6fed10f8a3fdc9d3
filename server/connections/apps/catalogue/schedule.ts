import { defineApp } from '../definition.ts';

/** Events at the times of a cron expression, without a connection. */
export const schedule = defineApp({
  app: 'schedule',
  name: 'Schedule',
  description: 'Events at the times of a cron expression.',
  category: 'built-in',
  base_url: null,
  docs_url: null,
  source: { transport: 'clock' },
  event_types: [
    {
      event_type: 'schedule.elapsed',
      description: 'Fires at the times of a cron expression.',
      parameters: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          cron_expression: {
            type: 'string',
            title: 'Cron expression',
            description: 'Five fields: minute, hour, day of the month, month, day of the week.',
            minLength: 9,
            maxLength: 200,
            examples: ['*/5 * * * *', '0 9 * * 1-5'],
          },
          timezone: {
            type: 'string',
            title: 'Time zone',
            description: 'An IANA name. The rules of the zone apply to daylight saving time.',
            default: 'UTC',
            maxLength: 100,
            examples: ['UTC', 'Europe/Berlin'],
          },
        },
        required: ['cron_expression'],
        additionalProperties: false,
      },
      sample: { scheduled_for: '2026-01-05T09:00:00.000000Z', cron_expression: '0 9 * * 1-5', timezone: 'UTC' },
    },
  ],
});

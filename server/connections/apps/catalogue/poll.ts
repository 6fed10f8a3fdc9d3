import { defineApp } from '../definition.ts';

/** Polls a list of a connected app for new entries, for apps without webhooks. */
export const poll = defineApp({
  app: 'poll',
  name: 'Poll a connected app',
  description: 'New entries of a list in the API of a connected app.',
  category: 'built-in',
  base_url: null,
  docs_url: null,
  source: { transport: 'poll', needs_connection: true },
  event_types: [
    {
      event_type: 'poll.item',
      description: 'A new entry appeared in a list of a connected app.',
      parameters: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          path: {
            type: 'string',
            title: 'Native path',
            description: 'Path and query of the GET request through the connection.',
            pattern: '^/[\\x21-\\x7e]*$',
            maxLength: 2048,
            examples: ['/v1/orders?sort=-created'],
          },
          items: {
            type: 'string',
            title: 'Path of the list',
            description: 'A dotted path in the response, such as data.items. Leave empty if the response is the list.',
            default: '',
            maxLength: 200,
          },
          id: {
            type: 'string',
            title: 'Path of the entry ID',
            description: 'A dotted path in the entry. An entry without an ID is identified by its whole content.',
            default: 'id',
            maxLength: 200,
          },
          order: {
            type: 'string',
            title: 'Order of the list',
            enum: ['newest_first', 'oldest_first'],
            default: 'newest_first',
          },
          every_minutes: {
            type: 'integer',
            title: 'Interval in minutes',
            description: 'Entries that exist when the trigger is created are not sent.',
            minimum: 1,
            maximum: 1440,
            default: 15,
          },
        },
        required: ['path'],
        additionalProperties: false,
      },
      sample: { id: 'ord_1', total: 1200, currency: 'EUR' },
    },
  ],
});

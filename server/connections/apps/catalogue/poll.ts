import { defineApp } from '../definition.ts';

/** Lists of any connected app, asked for what is new: for apps that send nothing themselves. */
export const poll = defineApp({
  app: 'poll',
  name: 'Poll a connected app',
  description: 'New entries of a list that an app answers.',
  category: 'built-in',
  base_url: null,
  docs_url: null,
  source: { transport: 'poll', needs_connection: true },
  event_types: [
    {
      event_type: 'poll.item',
      description: 'An entry appears in a list of a connected app.',
      parameters: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          path: {
            type: 'string',
            title: 'Native path',
            description: 'Asked with GET through the connection, with its query.',
            pattern: '^/[\\x21-\\x7e]*$',
            maxLength: 2048,
            examples: ['/v1/orders?sort=-created'],
          },
          items: {
            type: 'string',
            title: 'Where the list is',
            description: 'A dotted path in the answer, such as data.items. Empty when the answer is the list.',
            default: '',
            maxLength: 200,
          },
          id: {
            type: 'string',
            title: 'What an entry is known by',
            description: 'A dotted path in the entry. An entry without it is known by all of it.',
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
            title: 'Minutes between looks',
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

import { defineApp } from '../definition.ts';

/** Polls a feed for new items, without a connection. */
export const rss = defineApp({
  app: 'rss',
  name: 'RSS and Atom',
  description: 'New items of a feed.',
  category: 'built-in',
  base_url: null,
  docs_url: null,
  source: { transport: 'poll', needs_connection: false },
  icon: 'siRss',
  event_types: [
    {
      event_type: 'feed.item',
      description: 'A new item appeared in an RSS, Atom, RDF or JSON feed.',
      parameters: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          url: {
            type: 'string',
            title: 'Feed URL',
            format: 'uri',
            pattern: '^https?://',
            maxLength: 2048,
            examples: ['https://example.com/feed.xml'],
          },
          every_minutes: {
            type: 'integer',
            title: 'Interval in minutes',
            description: 'Items that exist when the trigger is created are not sent.',
            minimum: 1,
            maximum: 1440,
            default: 15,
          },
        },
        required: ['url'],
        additionalProperties: false,
      },
      sample: {
        id: 'https://example.com/posts/1',
        title: 'A first post',
        link: 'https://example.com/posts/1',
        published_at: '2026-01-05T09:00:00Z',
        updated_at: null,
        summary: 'What it is about.',
        content: null,
        author: 'Ann',
        categories: ['news'],
        feed: { title: 'Example', link: 'https://example.com' },
      },
    },
  ],
});

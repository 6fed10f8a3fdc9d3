import { describe, expect, it } from 'vitest';
import { itemsOf } from './feed.ts';
import { itemsIn } from './json-items.ts';
import { advance, EVENTS_PER_POLL, NOTHING_SEEN } from './position.ts';
import { PollTrouble } from './trouble.ts';

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
  <title>Posts &amp; more</title><link>https://example.com</link>
  <item><guid isPermaLink="false">n-2</guid><title><![CDATA[<b>Two</b>]]></title><link>https://example.com/2</link>
    <pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate><category>a</category><dc:creator>Ann</dc:creator>
    <description>Second</description></item>
  <item><title>One</title><link>https://example.com/1</link></item>
</channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><entry><id>urn:1</id><title>A</title>
  <link rel="alternate" href="https://example.com/a"/><published>2026-11-20T08:00:00Z</published>
  <updated>2026-11-21T08:00:00Z</updated><author><name>Bo</name></author><category term="t"/><content>hi</content></entry></feed>`;
const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
  <channel rdf:about="https://example.com/"><title>Old</title><link>https://example.com/</link></channel>
  <item rdf:about="https://example.com/x"><title>X</title><link>https://example.com/x</link></item></rdf:RDF>`;
const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'J',
  items: [{ id: '7', url: 'https://example.com/7', title: 'Seven', content_text: 'x', tags: ['k'] }],
});

describe('a feed', () => {
  it('of RSS is read newest first; an item without an ID is identified by its link', () => {
    expect(itemsOf(RSS)).toEqual([
      {
        id: 'n-2',
        payload: {
          id: 'n-2',
          title: '<b>Two</b>',
          link: 'https://example.com/2',
          published_at: 'Sat, 21 Nov 2026 10:00:00 GMT',
          updated_at: null,
          summary: 'Second',
          content: null,
          author: 'Ann',
          categories: ['a'],
          feed: { title: 'Posts & more', link: 'https://example.com' },
        },
      },
      expect.objectContaining({ id: 'https://example.com/1' }),
    ]);
  });

  it.each([
    [
      'Atom',
      ATOM,
      { id: 'urn:1', title: 'A', link: 'https://example.com/a', author: 'Bo', categories: ['t'], content: 'hi' },
    ],
    ['RDF', RDF, { id: 'https://example.com/x', title: 'X' }],
    ['JSON', JSON_FEED, { id: '7', title: 'Seven', content: 'x', categories: ['k'] }],
  ])('of %s is parsed to the common form', (_, text, payload) => {
    expect(itemsOf(text)[0]?.payload).toMatchObject(payload);
  });

  it.each(['', '<html></html>', '{}', 'x'.repeat(10_000), `<rss><channel>${'<a>'.repeat(50_000)}`])(
    'that is invalid is rejected (%#)',
    (text) => {
      expect(() => itemsOf(text)).toThrow(PollTrouble);
    },
  );

  it('does not expand its entities', () => {
    const bomb = RSS.replace('<rss', '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><rss').replace(
      'One',
      '&b;&b;&b;',
    );
    expect(JSON.stringify(itemsOf(bomb)).length).toBeLessThan(2000);
  });
});

describe('a list', () => {
  const parameters = { path: '/x', items: 'data.list', id: 'key.id', order: 'newest_first' as const };
  const text = JSON.stringify({ data: { list: [{ key: { id: 2 } }, { key: { id: 1 } }, 'bare'] } });

  it('is found at its path; entries are identified by their ID or their whole content', () => {
    const items = itemsIn(text, parameters);
    expect(items.map(({ id }) => id)).toEqual(['2', '1', expect.stringMatching(/^[\w-]{43}$/)]);
    expect(items[2]?.payload).toEqual({ value: 'bare' });
    const ids = ['12345678901234567890', '12345678901234567891'];
    const long = `{"data":{"list":[${ids.map((id) => `{"key":{"id":${id}}}`)},12345678901234567892]}}`;
    const [one, two, three] = itemsIn(long, parameters);
    expect([one?.id, two?.id]).toEqual(ids);
    expect(JSON.stringify(three?.payload)).toBe('{"value":12345678901234567892}');
    expect(itemsIn(text, { ...parameters, order: 'oldest_first' }).map(({ id }) => id)[1]).toBe('1');
  });

  it.each([
    ['not JSON', '<'],
    ['Expected a list at data.list', '{"data":{}}'],
    ['deeper than 64', JSON.stringify({ data: { list: [JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`)] } })],
  ])('that is invalid ("%s") is rejected', (message, given) => {
    expect(() => itemsIn(given, parameters)).toThrow(message);
  });
});

describe('a position', () => {
  const items = (...ids: number[]) => ids.map((id) => ({ id: String(id), payload: id }));
  const marks = { etag: '"1"', last_modified: null };

  it('records the first items, then returns new ones, oldest first', () => {
    const first = advance(null, items(3, 2, 1), marks);
    expect(first.fresh).toEqual([]);
    const second = advance(first.position, items(5, 4, 3, 2), marks);
    expect(second.fresh.map(({ payload }) => payload)).toEqual([4, 5]);
    expect(advance(second.position, items(5, 4, 3), marks).fresh).toEqual([]);
    // An item that disappears and reappears is not new.
    expect(advance(advance(second.position, [], marks).position, items(1), marks).fresh).toEqual([]);
  });

  it('limits the items per poll, and continues with the next', () => {
    const many = items(...Array.from({ length: EVENTS_PER_POLL + 7 }, (_, i) => 1000 - i));
    const first = advance(NOTHING_SEEN, many, marks);
    expect([first.fresh.length, first.more, first.position.etag]).toEqual([EVENTS_PER_POLL, true, null]);
    const second = advance(first.position, many, marks);
    expect([second.fresh.length, second.more, second.position.etag]).toEqual([7, false, '"1"']);
    expect(second.fresh.at(-1)?.payload).toBe(1000);
  });

  it('counts a duplicate item once', () => {
    expect(advance(NOTHING_SEEN, items(1, 1, 1), marks).fresh).toHaveLength(1);
  });
});

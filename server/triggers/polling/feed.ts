/** Parses RSS, Atom, RDF and JSON feeds to one common form. */
import { parseFeed } from 'feedsmith';
import { type Agent, request } from 'undici';
import { BlockedAddress, type EgressPolicy } from '../../platform/egress/egress.ts';
import type { Item, Position } from './position.ts';
import { PollTrouble } from './trouble.ts';

const DEADLINE_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;
const REDIRECTS_MAX = 5;

export type ReadFeed = { items: Item[]; marks: Pick<Position, 'etag' | 'last_modified'> } | 'unchanged';

/** Fetches a feed and parses its items. Follows a few redirects; each URL is checked against the egress rules. */
export async function readFeed(egress: EgressPolicy, address: string, position: Position | null): Promise<ReadFeed> {
  const agent = egress.agent({ connections: 1, pipelining: 1 });
  try {
    const answer = await fetchFeed(agent, address, position);
    if (answer === 'unchanged') return answer;
    return { items: itemsOf(answer.text), marks: answer.marks };
  } finally {
    await agent.destroy();
  }
}

async function fetchFeed(agent: Agent, address: string, position: Position | null) {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const headers: Record<string, string> = {
    accept: 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
    'accept-encoding': 'identity',
    'user-agent': 'Sluice',
    ...(position?.etag ? { 'if-none-match': position.etag } : {}),
    ...(position?.last_modified ? { 'if-modified-since': position.last_modified } : {}),
  };
  let url = new URL(address);
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const reply = await request(url, { dispatcher: agent, headers, signal }).catch((error: unknown) => {
      throw signal.aborted ? new PollTrouble(`No response within ${DEADLINE_MS / 1000} seconds.`) : troubleOf(error);
    });
    const { location } = reply.headers;
    if ([301, 302, 303, 307, 308].includes(reply.statusCode) && typeof location === 'string') {
      reply.body.on('error', () => {}).destroy();
      const next = URL.parse(location, url.href);
      if (!next || !/^https?:$/.test(next.protocol)) throw new PollTrouble('The feed redirects to an invalid URL.');
      url = next;
      continue;
    }
    if (reply.statusCode === 304) {
      await reply.body.dump();
      return 'unchanged' as const;
    }
    if (reply.statusCode !== 200) {
      reply.body.on('error', () => {}).destroy();
      throw new PollTrouble(`The feed returned ${reply.statusCode}.`);
    }
    const text = await textOf(reply.body, signal);
    const mark = (name: string) => {
      const value = reply.headers[name];
      return typeof value === 'string' && value.length <= 1024 ? value : null;
    };
    return { text, marks: { etag: mark('etag'), last_modified: mark('last-modified') } };
  }
  throw new PollTrouble(`The feed redirects more than ${REDIRECTS_MAX} times.`);
}

async function textOf(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new PollTrouble(`The feed is larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof PollTrouble) throw error;
    throw new PollTrouble(
      signal.aborted ? `No complete response within ${DEADLINE_MS / 1000} seconds.` : messageOf(error),
    );
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The items, newest first as in the feed. Throws PollTrouble if the text is not a feed. */
export function itemsOf(text: string): Item[] {
  let parsed: ReturnType<typeof parseFeed>;
  try {
    parsed = parseFeed(text);
  } catch {
    throw new PollTrouble('Expected an RSS, Atom, RDF or JSON feed.');
  }
  const { format, feed } = parsed;
  if (format === 'atom') {
    const of = { title: textIn(feed.title), link: linkIn(feed.links) };
    return (feed.entries ?? []).map((entry) =>
      itemOf(of, {
        id: entry.id,
        title: textIn(entry.title),
        link: linkIn(entry.links),
        published_at: textIn(entry.published),
        updated_at: textIn(entry.updated),
        summary: textIn(entry.summary),
        content: textIn(entry.content),
        author: entry.authors?.[0]?.name ?? null,
        categories: (entry.categories ?? []).flatMap(({ term }) => term ?? []),
      }),
    );
  }
  if (format === 'json') {
    const of = { title: feed.title ?? null, link: feed.home_page_url ?? null };
    return (feed.items ?? []).map((item) =>
      itemOf(of, {
        id: item.id,
        title: item.title ?? null,
        link: item.url ?? null,
        published_at: textIn(item.date_published),
        updated_at: textIn(item.date_modified),
        summary: item.summary ?? null,
        content: item.content_html ?? item.content_text ?? null,
        author: item.authors?.[0]?.name ?? null,
        categories: item.tags ?? [],
      }),
    );
  }
  const of = { title: textIn(feed.title), link: textIn(feed.link) };
  return (feed.items ?? []).map((item) => {
    const guid = 'guid' in item ? item.guid?.value : undefined;
    const about = 'rdf' in item ? item.rdf?.about : undefined;
    return itemOf(of, {
      id: guid ?? about,
      title: textIn(item.title),
      link: textIn(item.link),
      published_at: textIn('pubDate' in item ? item.pubDate : undefined) ?? textIn(item.dc?.dates?.[0]),
      updated_at: null,
      summary: textIn(item.description),
      content: item.content?.encoded ?? null,
      author: ('authors' in item ? textIn(item.authors?.[0]) : null) ?? textIn(item.dc?.creators?.[0]),
      categories: 'categories' in item ? (item.categories ?? []).flatMap((each) => textIn(each) ?? []) : [],
    });
  });
}

type Entry = {
  id: string | undefined;
  title: string | null;
  link: string | null;
  published_at: string | null;
  updated_at: string | null;
  summary: string | null;
  content: string | null;
  author: string | null;
  categories: string[];
};

/** Without an ID, an item is identified by its link, else by its title and date. */
function itemOf(feed: { title: string | null; link: string | null }, { id, ...entry }: Entry): Item {
  const known = id ?? entry.link ?? `${entry.title} ${entry.published_at}`;
  return { id: known, payload: { id: known, ...entry, feed } };
}

/** A text is a string, or an object with a type. */
function textIn(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return null;
  const { value: inner, name } = value as { value?: unknown; name?: unknown };
  return typeof inner === 'string' ? inner : typeof name === 'string' ? name : null;
}

function linkIn(links: { href?: string; rel?: string }[] | undefined): string | null {
  return (links?.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links?.[0])?.href ?? null;
}

function troubleOf(error: unknown): PollTrouble {
  const isBlocked =
    error instanceof BlockedAddress || (error instanceof Error && error.cause instanceof BlockedAddress);
  return new PollTrouble(messageOf(error), { isBlocked });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

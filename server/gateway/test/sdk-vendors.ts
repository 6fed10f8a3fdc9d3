/** Local servers in place of vendors: what their API responds to the request of an SDK. */
import type { IncomingMessage, ServerResponse } from 'node:http';

type Handler = (req: IncomingMessage, res: ServerResponse, origin: string) => void;
type Vendor = {
  /** Where the app has its credential: the custom app gets it from here. */
  methods: object[];
  gateway?: object;
  handle: Handler;
  /** What each SDK prints, by its name. */
  prints: Record<string, string | RegExp>;
};

const bearer = [{ method: 'API_KEY', place: { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' } }];
const header = (name: string) => [{ method: 'API_KEY', place: { in: 'header', name } }];
const json = (res: ServerResponse, body: object, headers: Record<string, string> = {}) =>
  void res.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Two pages of one item, linked by URLs at the vendor. */
const pages =
  (path: string, items: object[], more: (page: number) => Record<string, string> = () => ({})): Handler =>
  (req, res, origin) => {
    const url = new URL(req.url ?? '/', origin);
    const page = Number(url.searchParams.get('page') ?? 1);
    const next = `<${origin}${path}?per_page=1&page=${page + 1}>; rel="next"`;
    json(res, [items[page - 1]], { ...(page < items.length ? { Link: next } : {}), ...more(page) });
  };

const events = (res: ServerResponse, parts: string[]) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const content of parts)
    res.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  res.end('data: [DONE]\n\n');
};

const repositories = pages('/user/repos', [{ name: 'one' }, { name: 'two' }]);
const projects = pages(
  '/api/v4/projects',
  [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ],
  (page) => ({
    'X-Page': String(page),
    'X-Next-Page': page < 2 ? String(page + 1) : '',
    'X-Per-Page': '1',
    'X-Total': '2',
    'X-Total-Pages': '2',
  }),
);

export const VENDORS: Record<string, Vendor> = {
  openai: { methods: bearer, handle: (_, res) => events(res, ['Hel', 'lo']), prints: { openai: 'Hel\nlo' } },
  anthropic: {
    methods: header('x-api-key'),
    handle: (_, res) =>
      json(res, { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }),
    prints: { '@anthropic-ai/sdk': 'Hello' },
  },
  github: {
    methods: bearer,
    gateway: { link_header: true },
    handle: (req, res, origin) =>
      req.url === '/graphql' ? json(res, { data: { viewer: { login: 'me' } } }) : repositories(req, res, origin),
    prints: { '@octokit/rest': 'one,two', '@octokit/graphql': 'me', requests: 'one\ntwo', httpx: 'one' },
  },
  stripe: {
    methods: bearer,
    handle: (req, res) => {
      const isSecond = req.url?.includes('starting_after=cus_1');
      json(res, {
        object: 'list',
        url: '/v1/customers',
        has_more: !isSecond,
        data: [{ id: isSecond ? 'cus_2' : 'cus_1' }],
      });
    },
    prints: { stripe: 'cus_1\ncus_2', curl: /"id":"cus_1"/ },
  },
  slack: {
    methods: bearer,
    handle: (_, res) => json(res, { ok: true, ts: '1.2' }),
    prints: { '@slack/web-api': '1.2' },
  },
  notion: {
    methods: bearer,
    handle: (_, res) => json(res, { object: 'user', id: 'u', name: 'Bot', type: 'bot', bot: {} }),
    prints: { '@notionhq/client': 'Bot' },
  },
  'google-drive': {
    methods: bearer,
    handle: (_, res) => json(res, { files: [{ name: 'Plan' }] }),
    prints: { 'google-auth-library': 'Plan', '@googleapis/drive': 'Plan' },
  },
  shopify: {
    methods: header('X-Shopify-Access-Token'),
    handle: (_, res) => json(res, { data: { shop: { name: 'Tea' } } }),
    prints: { '@shopify/admin-api-client': 'Tea' },
  },
  twilio: {
    methods: [{ method: 'BASIC' }],
    handle: (_, res) => json(res, { sid: 'SM1' }),
    prints: { twilio: 'SM1' },
  },
  hubspot: {
    methods: bearer,
    handle: (_, res) =>
      json(res, {
        results: [
          {
            id: '101',
            properties: {},
            createdAt: '2026-01-01T00:00:00Z',
            updatedAt: '2026-01-01T00:00:00Z',
            archived: false,
          },
        ],
      }),
    prints: { '@hubspot/api-client': '101' },
  },
  jira: {
    methods: [{ method: 'BASIC' }],
    handle: (_, res) => json(res, { id: '1', key: 'TEST-1', fields: {} }),
    prints: { 'jira.js': 'TEST-1' },
  },
  gitlab: { methods: header('PRIVATE-TOKEN'), handle: projects, prints: { '@gitbeaker/rest': 'one,two' } },
};

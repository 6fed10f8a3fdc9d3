/**
 * Performs every operation once in an account; then requests the same resources from another account, and as a viewer.
 * The test fails if an operation is missing.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operationNames, pathOf, routes } from '../../contract/routes.ts';
import { startIdentityProvider } from '../accounts/test/identity-provider.ts';
import { addMcpApp, connectMcp } from '../connections/test/mcp-support.ts';
import { addVendor, startHookApp } from '../triggers/test/hook-apps.ts';
import { type Browser, invite, signIn, tokenOf } from './browser.ts';
import { doCallOperations } from './calls-of-everything.ts';
import { bodyFor, CODE, LISTS } from './everything-bodies.ts';
import { startMcpServer } from './mcp-server.ts';
import { forAll, serviceForAll, sinkForAll } from './shared-set-up.ts';

type Params = Record<string, string>;
let viewer: Browser;
const done = new Map<Operation, Params>();

/** Performs one operation and stores its ids. */
async function does<T extends Record<string, never> | object>(
  name: Operation,
  params: Params = {},
  body?: unknown,
  query = '',
): Promise<T> {
  const answer = await owner.call<T>(routes[name].method, pathOf(name, params) + query, body);
  expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(200);
  done.set(name, params);
  return answer.body;
}

const sink = sinkForAll();
const everything = forAll(startMcpServer);
const hooked = forAll(() => startHookApp('github'));
const identity = forAll(() => startIdentityProvider({ callbacks: ['http://localhost/sign-in/callback'] }));
const service = serviceForAll({ env: { SLUICE_START: 'held' } });
const owner = forAll(() => signIn(service));
beforeAll(async () => {
  viewer = (await invite(owner, service, { email: 'vera@example.com', password: 'only reads things' }, 'VIEWER'))
    .browser;
});

it('does every operation', async () => {
  await does('holdGet');
  await does('holdDisconnect');
  await does('holdRelease');
  await does('accountGet');
  await does('accountUpdate', {}, { name: 'Northwind' });
  await does('overviewGet');
  await does('memberList');
  const invited = await does<{ member: { user_id: string }; invite_url: string }>(
    'memberCreate',
    {},
    { email: 'tom@example.com', role: 'ADMIN' },
  );
  await does('memberUpdate', { user_id: invited.member.user_id }, { role: 'VIEWER' });
  expect(tokenOf(invited.invite_url)).not.toBe('');
  const { identity_provider } = await does<{ identity_provider: { provider_id: string } }>(
    'identityProviderCreate',
    {},
    { name: 'Company', issuer: identity.issuer, ...identity.client, allowed_domains: ['example.com'] },
  );
  await does('identityProviderList');
  await does('identityProviderUpdate', { provider_id: identity_provider.provider_id }, { name: 'Company 2' });
  await does('identityProviderTest', { provider_id: identity_provider.provider_id });
  const { api_key } = await does<{ api_key: { key_id: string } }>('apiKeyCreate', {}, { name: 'ci' });
  await does('apiKeyList');
  await does('apiKeyUpdate', { key_id: api_key.key_id }, { name: 'ci 2' });

  await does('apiKeyRotate', { key_id: api_key.key_id }, { overlap_hours: 1 });
  await does('apiKeyUsage', { key_id: api_key.key_id });
  await does(
    'apiKeyTest',
    { key_id: api_key.key_id },
    undefined,
    '?limits=%7B%22scopes%22%3A%5B%22events%3Aread%22%5D%7D',
  );

  await does('appList');
  await does(
    'appCreate',
    {},
    {
      app: 'ledger',
      name: 'Ledger',
      base_url: sink.url,
      methods: [
        { method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } },
        { method: 'OAUTH2', authorize_url: `${sink.url}/authorize`, token_url: `${sink.url}/token` },
      ],
    },
  );
  await does('appGet', { app: 'ledger' });
  await does('appUpdate', { app: 'ledger' }, { name: 'Ledger 2' });
  await does('appPathList', { app: 'ledger' });
  await does('appCredentialPut', { app: 'ledger', method: 'OAUTH2' }, { client_id: 'ours', client_secret: 'secret' });
  await does('appCredentialList', { app: 'ledger' });
  await does('appCheckPut', { app: 'ledger' }, { every_minutes: 0 });
  await does('appCheckGet', { app: 'ledger' });
  const savedOne = await does<{ saved_request: { saved_request_id: string } }>(
    'savedRequestCreate',
    { app: 'ledger' },
    bodyFor('savedRequestCreate'),
  );
  await does('savedRequestList', { app: 'ledger' });
  const { saved_request_id } = savedOne.saved_request;
  await does('savedRequestUpdate', { app: 'ledger', saved_request_id }, { name: 'All' });
  const { connection_id } = await does<{ connection_id: string }>('connectionCreate', {}, { app: 'ledger' });
  await does('connectionList');
  await does('connectionGet', { connection_id });
  await does('connectionUpdate', { connection_id }, { name: 'main', is_default: true });
  await doCallOperations(service, does, connection_id, 'ledger');
  await does('connectionBulk', {}, { action: 'ADD_TAGS', connection_ids: [connection_id], tags: ['main'] });
  await does('connectionHealth', { connection_id });
  await does('connectionUses', { connection_id });
  await does('connectSettingsUpdate', {}, { accent: '#1f5bd0' });
  await does('connectSettingsGet');
  const { session } = await does<{ session: { session_id: string } }>('connectSessionCreate', {}, { apps: ['ledger'] });
  await does('connectSessionRead', { session_id: session.session_id });
  await does('connectionStats');
  await does('connectionReconnect', { connection_id });
  const reachedApp = await addMcpApp(service, everything.url);
  const reached = { connection_id: await connectMcp(service, reachedApp) };
  const other = await connectMcp(service, reachedApp);
  await does('connectionReplace', { connection_id: other }, { connection_id: reached.connection_id });
  await does('connectionTest', reached);
  await does('connectionRequest', reached, { method: 'GET', path: '/mcp' });
  await does('connectionToolList', reached);
  await does('connectionToolCall', reached, { tool: 'echo', arguments: { message: 'hello' } });
  const made = await does<{ function: { function_id: string; url: string } }>(
    'functionCreate',
    {},
    { name: 'counter', runtime: 'nodejs24.x', files: CODE },
  );
  const { function_id } = made.function;
  await does('functionList');
  await does('functionSearch', {}, undefined, '?q=%22ran%22');
  await does('functionSearchAll', {}, undefined, '?q=%22ran%22');
  await does('functionSearchExport', {}, undefined, '?q=%22ran%22');
  const saved = await does<{ saved_search: { saved_search_id: string } }>(
    'savedSearchCreate',
    {},
    { name: 'Ran', q: '"ran"' },
  );
  await does('savedSearchList');
  await does('savedSearchUpdate', { saved_search_id: saved.saved_search.saved_search_id }, { name: 'Ran once' });
  await does('functionGet', { function_id });
  await does('functionUses', { function_id });
  await does('functionUpdate', { function_id }, { description: 'counts' });
  await does('versionCreate', { function_id }, { files: { ...CODE, 'b.ts': 'export const b = 1;' }, message: 'two' });
  await does('versionList', { function_id });
  await does('versionStats', { function_id });
  await does('versionGet', { function_id, version: '1' });
  await does('functionCode', { function_id });
  await does('functionFiles', { function_id }, undefined, '?version=1');
  await does('functionTrust', { function_id }, undefined, '?since=1');
  await does('functionSymbols', { function_id }, undefined, '?version=1&name=fetch');
  await does('functionCopy', { function_id }, { name: 'an own copy' });
  await does('functionStar', { function_id });
  await does('functionUnstar', { function_id });
  await does('envCreate', { function_id }, { env: [{ key: 'A', value: '1' }] });
  await does('envPut', { function_id, key: 'A' }, { value: '2' });
  await does('envList', { function_id });
  const { run } = await does<{ run: { run_id: string } }>('functionInvoke', { function_id }, {});
  await does('functionLogList', { function_id });
  await does('runList', { function_id });
  await does('runListAll');
  await does('runStats');
  await does('functionStats');
  await does('runGet', { function_id, run_id: run.run_id });
  await does('runCallList', { function_id, run_id: run.run_id });
  await does('runLogList', { function_id, run_id: run.run_id });
  const tried = await does<{ shadow: { shadow_id: string } }>(
    'shadowCreate',
    { function_id },
    { files: { 'index.ts': 'export default { fetch: () => new Response("other") }' } },
  );
  const { shadow_id } = tried.shadow;
  await does('shadowList', { function_id });
  await does('shadowGet', { function_id, shadow_id });
  await does('shadowRequestList', { function_id, shadow_id });
  await does('shadowRequestGet', { function_id, shadow_id, run_id: run.run_id });
  await does('shadowCancel', { function_id, shadow_id });
  await does('gradualPut', { function_id }, { version: 1, percent: 10 });
  await does('gradualGet', { function_id });
  await does('gradualDelete', { function_id });
  const failed = await owner.call<{ version: { version: number } }>('POST', pathOf('versionCreate', { function_id }), {
    files: { 'index.ts': 'export default { fetch: () => { throw new Error("broken") } }' },
  });
  const bad = await owner.call<{ run: { run_id: string } }>('POST', pathOf('functionInvoke', { function_id }), {
    version: failed.body.version.version,
  });
  await does('runBisect', { function_id, run_id: bad.body.run.run_id });

  const created = await does<{ trigger: { trigger_id: string } }>(
    'triggerCreate',
    {},
    {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: made.function.url }],
    },
  );
  const { trigger_id } = created.trigger;
  await does('triggerList');
  await does('triggerStats');
  await does('triggerGet', { trigger_id });
  await does('triggerUpdate', { trigger_id }, { name: 'yearly' });
  const source = await owner.call<{ trigger: { trigger_id: string; ingress: { url: string } } }>('POST', '/triggers', {
    source: 'notion',
    event_type: '*',
  });
  const pushed = { trigger_id: source.body.trigger.trigger_id };
  const address = source.body.trigger.ingress.url.replace('localhost', '127.0.0.1');
  await fetch(address, { method: 'POST', body: '{"verification_token":"secret_1"}' });
  await does('triggerSecretReveal', pushed);
  await fetch(address, { method: 'POST', body: 'unsigned' });
  const { rejections } = await does<{ rejections: { rejection_id: string }[] }>('rejectionList', pushed);
  await does('rejectionAccept', { ...pushed, rejection_id: rejections[0]?.rejection_id ?? '' });
  const hook = await owner.call<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'header', header: 'X-Token' },
  });
  const { app, connection_id: through } = await addVendor(service, 'github', hooked.url);
  const registered = await owner.call<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
    source: app,
    event_type: 'push',
    connection_id: through,
    parameters: { owner: 'acme' },
  });
  await does('triggerRegister', { trigger_id: registered.body.trigger.trigger_id });
  await does('triggerSecretRotate', { trigger_id: hook.body.trigger.trigger_id });
  const { destination } = await does<{ destination: { destination_id: string } }>(
    'destinationCreate',
    { trigger_id },
    { url: `${sink.url}/in` },
  );
  const at = { trigger_id, destination_id: destination.destination_id };
  await does('destinationList', { trigger_id });
  await does('destinationGet', at);
  await does('destinationUpdate', at, { name: 'in' });
  await does('destinationTest', at);
  await does('destinationDoctor', at);
  await does('destinationUpdate', at, { transform: { function_id } });
  await does('destinationTransformTest', at);
  await does('destinationUpdate', at, { transform: null });
  await does('destinationSecretRotate', at, { overlap_hours: 1 });
  const { event } = await does<{ event: { event_id: string; deliveries: { delivery_id: string }[] } }>(
    'triggerTest',
    { trigger_id },
    {},
  );
  const here = { trigger_id, event_id: event.event_id };
  await does('eventList', { trigger_id });
  await does('eventListAll');
  await does('eventStats');
  await does('eventExport');
  await does('triggerFilterTest', { trigger_id }, undefined, '?filter=%7B%22a%22%3A1%7D');
  await does('eventGet', here);
  await does('eventReplay', here);
  await does('eventCancel', here);
  await does('eventPin', here, { note: 'for the audit' });
  await does('eventUnpin', here);
  const { saved_filter } = await does<{ saved_filter: { saved_filter_id: string } }>(
    'savedFilterCreate',
    {},
    { name: 'Failed', filter: { status: 'FAILED' } },
  );
  await does('savedFilterList');
  await does('savedFilterCounts');
  await does('savedFilterUpdate', { saved_filter_id: saved_filter.saved_filter_id }, { name: 'Failed events' });
  await does('deliveryCancel', {}, { filter: { trigger_id } });
  await does('attemptList', { ...here, delivery_id: event.deliveries[0]?.delivery_id ?? '' });
  await does('eventCreate', { trigger_id }, { payload: { edited: true }, replay_of: event.event_id });
  const bulk = await does<{ replay: { replay_id: string } }>(
    'replayCreate',
    {},
    { filter: { trigger_id }, rate_per_second: 0.1 },
  );
  const { replay_id } = bulk.replay;
  await does('replayList');
  await does('replayGet', { replay_id });
  await does('replayItemList', { replay_id });
  await does('replayPause', { replay_id });
  await does('replayResume', { replay_id });
  await does('replayCancel', { replay_id });
  const listed = () => does<{ problems: { problem_id: string }[] }>('problemList');
  await expect.poll(async () => (await listed()).problems.length).toBeGreaterThan(0);
  const problem_id = (await listed()).problems[0]?.problem_id ?? '';
  await does('problemGet', { problem_id });
  await does('problemFailureList', { problem_id });
  await does('problemAcknowledge', { problem_id }, { note: 'On it' });
  await does('problemIgnore', { problem_id }, {});
  await does('problemResolve', { problem_id }, {});
  await does('problemReopen', { problem_id });
  sink.answer('/failing', { status: 500 });
  const failing = await does<{ destination: { destination_id: string } }>(
    'destinationCreate',
    { trigger_id },
    { url: `${sink.url}/failing`, retry_schedule: [] },
  );
  await does('triggerTest', { trigger_id }, {});
  const found = async () => {
    const query = `?resource_ids=${failing.destination.destination_id}`;
    return (await does<{ problems: { problem_id: string }[] }>('problemList', {}, undefined, query)).problems[0];
  };
  await expect.poll(found, { timeout: 20_000 }).toBeDefined();
  const replayed = { problem_id: (await found())?.problem_id ?? '' };
  const started = await does<{ replay: { replay_id: string } }>('problemReplayCreate', replayed, { canary: 0 });
  const receipt = { ...replayed, replay_id: started.replay.replay_id };
  await does('receiptGet', receipt);
  await does('receiptLineList', receipt);
  await does('receiptExport', receipt);
  await does('auditList');
  await does('lookup', {}, undefined, `?id=${invited.member.user_id}`);
  await does('impactGet', {}, undefined, `?kind=FUNCTION&id=${function_id}`);
});

describe('afterwards', () => {
  /** Covered by other tests, or without ids: streams, sessions, links, and deletions. */
  const elsewhere: Operation[] = [
    'eventStream',
    'functionLogTail',
    'appDraft',
    ...operationNames.filter((name) => routes[name].auth !== 'account' || routes[name].method === 'DELETE'),
  ];

  it('no operation is missing', () => {
    expect(operationNames.filter((name) => !done.has(name) && !elsewhere.includes(name))).toEqual([]);
  });

  it('every change has an audit entry with its operation, actor and request', async () => {
    const { body } = await owner.call<{
      entries: { operation: string; actor_name: string; request_id: string; resource_id: string }[];
    }>('GET', '/audit?limit=200');
    const changes = [...done.keys()].filter((name) => routes[name].method !== 'GET');
    const logged = new Set(body.entries.map(({ operation }) => operation));
    expect(changes.filter((name) => !logged.has(name))).toEqual([]);
    for (const entry of body.entries)
      expect(entry).toMatchObject({ actor_name: expect.stringMatching(/./), request_id: expect.any(String) });
  });

  it('another account gets 404 for all of it', async () => {
    const { key } = await service.secondAccount();
    for (const [name, params] of done) {
      if (!routes[name].path.includes('_id}') || routes[name].role === 'OWNER') continue;
      const answer = await service.api(routes[name].method, pathOf(name, params), bodyFor(name), { key });
      expect(answer.status, name).toBe(404);
      expect(JSON.stringify(answer.body)).not.toContain('counter');
    }
    for (const list of LISTS) {
      const { status, body } = await service.api('GET', list, undefined, { key });
      expect(status, list).toBe(200);
      expect(JSON.stringify(body), list).not.toMatch(/counter|ledger|mira|admin@example/);
    }
  });

  it('a viewer can read all of it except what is the owners’, and change none of it', async () => {
    const needed: Partial<Record<Operation, string>> = {
      functionSearch: '?q=x',
      functionSearchAll: '?q=%22x%22',
      functionSearchExport: '?q=%22x%22',
      lookup: `?id=${done.get('functionGet')?.['function_id']}`,
      impactGet: '?kind=HOST&id=api.example.com',
    };
    for (const [name, params] of done) {
      const answer = await viewer.call(routes[name].method, pathOf(name, params) + (needed[name] ?? ''), bodyFor(name));
      expect(answer.status, name).toBe(routes[name].method === 'GET' && routes[name].role === 'VIEWER' ? 200 : 403);
    }
  });

  it('deletions delete the resources', async () => {
    const gone: Operation[] = [
      'savedFilterDelete',
      'savedRequestDelete',
      'savedSearchDelete',
      'destinationDelete',
      'triggerDelete',
      'envDelete',
      'functionDelete',
      'connectSessionDelete',
      'connectionDelete',
      'appCredentialDelete',
      'apiKeyDelete',
      'memberDelete',
    ];
    const ids = Object.assign({}, ...done.values(), { key: 'A', app: 'ledger', method: 'OAUTH2' }) as Params;
    const ofKey = done.get('apiKeyUpdate') ?? {};
    for (const name of gone) {
      const params = { ...ids, ...ofKey };
      const answer = await owner.call('DELETE', pathOf(name, params));
      expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(200);
      expect((await owner.call('DELETE', pathOf(name, params))).status, `${name} again`).toBe(404);
    }
  });
});

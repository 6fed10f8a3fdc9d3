/** Every page of the console with real data: one of each resource, created once per service. */
import type { RunningService } from './service.ts';
import type { Sink } from './sink.ts';

const CODE = {
  'index.ts':
    "import { hello } from './lib/hello.ts';\n\nexport default {\n  fetch(request: Request) {\n    console.log('called');\n    if (request.url.endsWith('/broken')) throw new Error('broken');\n    return Response.json({ message: hello('page') });\n  },\n};\n",
  'lib/hello.ts': "export const hello = (name: string) => 'Hello, ' + name;\n",
};

export type Seeded = Record<
  | 'function_id'
  | 'shadow_id'
  | 'run_id'
  | 'failed_id'
  | 'trigger_id'
  | 'event_id'
  | 'destination_id'
  | 'connection_id'
  | 'replay_id',
  string
>;

async function seed(service: RunningService, sink: Sink): Promise<Seeded> {
  const made = await service.call('functionCreate', {
    body: { name: 'page-walk', runtime: 'nodejs24.x', files: CODE },
  });
  const { function_id } = made.function;
  await service.call('versionCreate', {
    params: { function_id },
    body: { files: { ...CODE, 'lib/more.ts': 'export const more = 1;\n' }, message: 'more' },
  });
  await service.call('envCreate', {
    params: { function_id },
    body: {
      env: [
        { key: 'REGION', value: 'eu', type: 'PLAIN' },
        { key: 'TOKEN', value: 'x' },
      ],
    },
  });
  const { run } = await service.call('functionInvoke', { params: { function_id }, body: {} });
  const { run: failed } = await service.call('functionInvoke', { params: { function_id }, body: { path: '/broken' } });
  const { shadow } = await service.call('shadowCreate', {
    params: { function_id },
    body: { files: { ...CODE, 'lib/more.ts': 'export const more = 2;\n' } },
  });
  await service.call('appCreate', {
    body: {
      app: 'page-ledger',
      name: 'Page ledger',
      base_url: sink.url,
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }],
    },
  });
  const { connection_id } = await service.call('connectionCreate', { body: { app: 'page-ledger', name: 'Ledger' } });
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'page-walk',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [
        { url: made.function.url, name: 'own' },
        { url: `${sink.url}/broken`, name: 'erp' },
      ],
    },
  });
  const { event } = await service.call('triggerTest', { params: { trigger_id: trigger.trigger_id } });
  const filter = { trigger_id: trigger.trigger_id };
  const { replay } = await service.call('replayCreate', { body: { filter } });
  const [destination] = trigger.destinations;
  return {
    function_id,
    shadow_id: shadow.shadow_id,
    run_id: run.run_id,
    failed_id: failed.run_id,
    trigger_id: trigger.trigger_id,
    event_id: event.event_id,
    destination_id: destination?.destination_id ?? '',
    connection_id,
    replay_id: replay?.replay_id ?? '',
  };
}

export const pagesOf = (ids: Seeded): [name: string, path: string][] => [
  ['overview', '/'],
  ['connections', '/connections'],
  ['new connection', '/connections/new'],
  ['custom app', '/connections/new?custom=on'],
  ['app', '/connections/apps/github'],
  ['app of the account', '/connections/apps/page-ledger'],
  ['editing an app', '/connections/apps/page-ledger/edit'],
  ['connection', `/connections/${ids.connection_id}`],
  ['connection requests', `/connections/${ids.connection_id}/try?method=POST`],
  ['connection calls', `/connections/${ids.connection_id}/calls`],
  ['connection settings', `/connections/${ids.connection_id}/settings`],
  ['triggers', '/triggers'],
  ['new trigger', '/triggers/new'],
  ['new webhook', '/triggers/new?source=webhook'],
  ['trigger events', `/triggers/${ids.trigger_id}/events`],
  ['trigger event', `/triggers/${ids.trigger_id}/events/${ids.event_id}`],
  ['destinations', `/triggers/${ids.trigger_id}/destinations`],
  ['destination editor', `/triggers/${ids.trigger_id}/destinations/${ids.destination_id}`],
  ['a transformation chosen', `/triggers/${ids.trigger_id}/destinations/${ids.destination_id}/transform`],
  ['destination health', `/triggers/${ids.trigger_id}/destinations/${ids.destination_id}?figures=table`],
  ['trigger settings', `/triggers/${ids.trigger_id}/settings`],
  ['events', '/events'],
  ['event', `/events/${ids.trigger_id}/${ids.event_id}`],
  ['events of a filter', `/events?trigger=${ids.trigger_id}&status=FAILED`],
  ['bulk replay', `/events?trigger=${ids.trigger_id}&bulk=all`],
  ['problems', '/problems'],
  ['replays', '/replays'],
  ['replay', `/replays/${ids.replay_id}`],
  ['functions', '/functions'],
  ['search', '/functions/search?q=%22hello%22&context=1'],
  ['environment', `/functions/${ids.function_id}/environment`],
  ['function settings', `/functions/${ids.function_id}/settings`],
  ['function runs', `/functions/${ids.function_id}/runs`],
  ['run', `/functions/${ids.function_id}/runs/${ids.run_id}`],
  ['failed run', `/functions/${ids.function_id}/runs/${ids.failed_id}`],
  ['try a version', `/functions/${ids.function_id}/versions/1/try`],
  ['shadow', `/functions/${ids.function_id}/shadows/${ids.shadow_id}`],
  ['function logs', `/functions/${ids.function_id}/logs`],
  ['runs', '/runs'],
  ['account', '/settings/account'],
  ['keys', '/settings/keys'],
  ['members', '/settings/members'],
  ['your sign-in', '/settings/security'],
  ['single sign-on', '/settings/sso'],
  ['audit', '/settings/audit'],
  ['documentation', '/docs'],
  ['page of the documentation', '/docs/reference/connections'],
  ['not found', '/no-such-page'],
];
/** These load Monaco. */
export const codePagesOf = (ids: Seeded): [name: string, path: string][] => [
  ['new function', '/functions/new'],
  ['code', `/functions/${ids.function_id}`],
  ['versions', `/functions/${ids.function_id}/versions`],
  ['test panel', `/functions/${ids.function_id}?test=on`],
  ['diff', `/functions/${ids.function_id}/versions?from=1&to=2`],
  ['runs compared', `/functions/${ids.function_id}/runs/${ids.run_id}/compare/${ids.failed_id}`],
  ['request of a shadow', `/functions/${ids.function_id}/shadows/${ids.shadow_id}/${ids.failed_id}`],
  [
    'transformation',
    `/triggers/${ids.trigger_id}/destinations/${ids.destination_id}/transform?function=${ids.function_id}`,
  ],
  ['first failing version', `/functions/${ids.function_id}/runs/${ids.failed_id}/bisect?passing=1&failing=2`],
];

let kept: { url: string; ids: Seeded } | undefined;
export async function seeded(service: RunningService, sink: Sink): Promise<Seeded> {
  if (kept?.url !== service.url) kept = { url: service.url, ids: await seed(service, sink) };
  return kept.ids;
}

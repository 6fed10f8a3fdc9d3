/** The examples of Heroku's documentation of webhook events, shortened. */
import { eventTypes, parameters } from '../../source.ts';

const version = 'application/vnd.heroku+json; version=3';
const metadata = (id: string, include: string) => ({
  attempt: { id: '8a44f820-2354-489d-9a11-a793cbf49979' },
  delivery: { id: 'd244009a-670f-4340-88e9-789a4f9002d5' },
  event: { id, include },
  webhook: { id: 'b54e6a7e-d162-4bd7-ab42-1011582c19cc' },
});
const releaseCreated = {
  action: 'create',
  id: 'b6a68e77-8c13-41c8-b30c-b50cca7a608a',
  data: {
    addon_plan_names: ['heroku-postgresql:hobby-dev'],
    app: { id: '44dc9c7a-771c-4a9e-bfe9-a8dbc1c55f4d', name: 'sample-app-0339' },
    created_at: '2016-10-26T22:50:29Z',
    description: 'Update DATABASE by heroku-postgresql',
    status: 'succeeded',
    id: '5f1463a4-0210-43ba-b906-52599e246482',
    slug: null,
    updated_at: '2016-10-26T22:50:29Z',
    user: { email: 'heroku-postgresql@addons.heroku.com', id: 'f87b5e7e-4631-46cc-9912-9fcdbbb6c985' },
    version: 3,
    current: true,
  },
  previous_data: {},
  resource: 'release',
  updated_at: '2016-10-26T22:50:29Z',
  version,
  webhook_metadata: metadata('b6a68e77-8c13-41c8-b30c-b50cca7a608a', 'api:release'),
};
const releaseUpdated = {
  action: 'update',
  actor: { email: 'user-0008@example.com', id: '125f0179-2fc8-4833-9e20-6e9314f2b233' },
  created_at: '2016-05-10T07:30:32Z',
  id: '4273290b-193c-42fa-8931-7f2c92c5b28f',
  data: {
    app: { id: '61cfe066-573f-45b4-a566-138323880eeb', name: 'sample-app-0008' },
    created_at: '2016-05-10T07:30:32Z',
    description: null,
    status: 'failed',
    id: 'ddc2fba2-b2ad-41f5-bf7c-6e9b4614a53b',
    slug: null,
    updated_at: '2016-05-10T07:30:32Z',
    user: { email: 'user-0008@example.com', id: '125f0179-2fc8-4833-9e20-6e9314f2b233' },
    version: 1,
  },
  previous_data: { status: null },
  resource: 'release',
  updated_at: '2016-05-10T07:30:32Z',
  version,
  webhook_metadata: metadata('4273290b-193c-42fa-8931-7f2c92c5b28f', 'api:release'),
};
const appCreated = {
  action: 'create',
  actor: { email: 'user-0278@example.com', id: '4c66e6a9-f574-4f51-9fa7-2d743d8ab713' },
  created_at: '2016-10-26T22:49:22Z',
  id: 'c27a5f4b-c9b7-4636-9645-48a5f7066c27',
  data: {
    archived_at: null,
    created_at: '2016-10-26T22:49:22Z',
    id: '7c454377-91c6-44e3-87a2-ecb16437ced9',
    git_url: 'https://git.heroku.com/polar-wildwood-81034.git',
    maintenance: false,
    name: 'polar-wildwood-81034',
    region: { id: '7044c05a-0873-42c2-abbe-6841c5481ba7', name: 'us' },
    stack: { id: '5e854079-da33-475b-a209-77f527c0e2fb', name: 'cedar-14' },
    updated_at: '2016-10-26T22:49:22Z',
    web_url: 'https://polar-wildwood-81034.herokuapp.com/',
  },
  previous_data: {},
  resource: 'app',
  updated_at: '2016-10-26T22:49:22Z',
  version,
  webhook_metadata: metadata('c27a5f4b-c9b7-4636-9645-48a5f7066c27', 'api:app'),
};
const formationUpdated = {
  action: 'update',
  actor: { email: 'user-0297@example.com', id: '2530e242-a531-4d37-99ab-d8997e2335d0' },
  created_at: '2016-10-26T22:49:29Z',
  id: '89d9e649-1ecf-464e-a15d-86c15365fc40',
  data: {
    app: { id: 'b225a8d2-1602-42c3-a1a2-98c3c266cc0d', name: 'sample-app-0197' },
    command: 'ruby server.rb',
    created_at: '2016-10-26T22:49:29Z',
    id: '13f27e47-df06-48a1-92be-f521babd9060',
    type: 'web',
    quantity: 0,
    size: '1X',
    updated_at: '2016-10-26T22:49:29Z',
  },
  previous_data: { quantity: 1 },
  resource: 'formation',
  updated_at: '2016-10-26T22:49:29Z',
  version,
};
const dynoCreated = {
  action: 'create',
  actor: { email: 'user-0243@example.com', id: 'f5e62416-fd74-4d01-ba84-487479cff6b8' },
  created_at: '2016-10-26T22:49:12Z',
  id: '76481a35-e44b-4b47-9708-77a724cb5d3a',
  data: {
    attach_url: null,
    command: 'ls',
    created_at: '2016-10-26T22:44:12Z',
    id: '7600c07e-b329-4f1d-977a-49559c26efb2',
    name: 'run.1',
    app: { id: '39c3f6bd-af8f-4714-95f5-d865a2f23b71', name: 'sample-app-0146' },
    release: { id: '9f52b70f-fc76-4092-ab9c-a1d75075a507', version: 1 },
    size: '1X',
    state: 'up',
    type: 'run',
    updated_at: '2016-10-26T22:44:12Z',
  },
  previous_data: {},
  resource: 'dyno',
  updated_at: '2016-10-26T22:49:12Z',
  version,
  webhook_metadata: metadata('76481a35-e44b-4b47-9708-77a724cb5d3a', 'api:dyno'),
};

const ofApp = (example: string) =>
  parameters({
    app: {
      type: 'string',
      title: 'App',
      description: 'Only events of the Heroku app with this name.',
      pattern: '^[a-z][a-z0-9-]{1,28}[a-z0-9]$',
      examples: [example],
    },
  });

export const herokuEvents = [
  ...eventTypes(ofApp('sample-app-0339'), {
    release: ['Anything that happens to a release.', releaseCreated],
    'release.create': ['A release started.', releaseCreated],
  }),
  ...eventTypes(ofApp('sample-app-0008'), { 'release.update': ['A release succeeded or failed.', releaseUpdated] }),
  ...eventTypes(ofApp('sample-app-0197'), { 'formation.update': ['Dynos were scaled.', formationUpdated] }),
  ...eventTypes(ofApp('sample-app-0146'), { 'dyno.create': ['A dyno started.', dynoCreated] }),
  ...eventTypes(parameters({}), {
    'app.create': ['An app was created.', appCreated],
    '*': ['Every event that is sent to the URL.', releaseCreated],
  }),
];

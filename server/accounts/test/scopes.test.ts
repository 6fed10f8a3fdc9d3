/** Every operation × every scope: an API key with one scope may use exactly the operations of that scope. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../../contract/keys/scopes.ts';
import { type Operation, operationNames, pathOf, routes } from '../../../contract/routes.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

/** Written by hand, so that a new operation needs a decision. FULL: never with a limited key. */
const EVERYTHING = 'connections:read triggers:read events:read functions:read settings:read';
const NEEDS: Partial<Record<Operation, string>> = {
  accountGet: '',
  accountUpdate: 'FULL',
  overviewGet: EVERYTHING,
  holdGet: 'settings:read',
  holdRelease: 'FULL',
  holdDisconnect: 'FULL',
  memberList: 'settings:read',
  memberCreate: 'FULL',
  memberUpdate: 'FULL',
  memberDelete: 'FULL',
  identityProviderList: 'FULL',
  identityProviderCreate: 'FULL',
  identityProviderUpdate: 'FULL',
  identityProviderDelete: 'FULL',
  identityProviderTest: 'FULL',
  apiKeyList: 'settings:read',
  apiKeyCreate: 'FULL',
  apiKeyUpdate: 'FULL',
  apiKeyDelete: 'FULL',
  apiKeyRotate: 'FULL',
  apiKeyUsage: 'settings:read',
  apiKeyTest: 'settings:read',
  auditList: 'settings:read',
  lookup: EVERYTHING,
  impactGet: EVERYTHING,
  problemList: EVERYTHING,
  problemGet: EVERYTHING,
  problemFailureList: EVERYTHING,
  problemAcknowledge: `${EVERYTHING} events:write`,
  problemIgnore: `${EVERYTHING} events:write`,
  problemResolve: `${EVERYTHING} events:write`,
  problemReopen: `${EVERYTHING} events:write`,
  problemReplayCreate: `${EVERYTHING} events:write`,
  receiptGet: EVERYTHING,
  receiptLineList: EVERYTHING,
  receiptExport: EVERYTHING,
  appList: 'connections:read',
  appGet: 'connections:read',
  appCreate: 'connections:write',
  appDraft: 'connections:write',
  appPathList: 'connections:read',
  appUpdate: 'connections:write',
  appDelete: 'connections:write',
  appCredentialList: 'connections:read',
  appCredentialPut: 'connections:write',
  appCredentialDelete: 'connections:write',
  appCheckGet: 'connections:read',
  appCheckPut: 'connections:write',
  connectionList: 'connections:read',
  connectionCreate: 'connections:write',
  connectionBulk: 'connections:write',
  connectionStats: 'connections:read',
  connectionGet: 'connections:read',
  connectionUpdate: 'connections:write',
  connectionDelete: 'connections:write',
  connectionCallList: 'connections:read',
  connectionCallStats: 'connections:read',
  connectionHealth: 'connections:read',
  connectionUses: 'connections:read',
  connectionReplace: 'connections:write',
  connectSessionCreate: 'connections:write',
  connectSessionRead: 'connections:read',
  connectSessionDelete: 'connections:write',
  connectSettingsGet: 'settings:read',
  connectSettingsUpdate: 'FULL',
  connectionTest: 'connections:write',
  connectionRequest: 'gateway:call',
  connectionToolList: 'connections:read',
  connectionToolCall: 'gateway:call',
  connectionReconnect: 'connections:write',
  triggerList: 'triggers:read',
  triggerStats: 'triggers:read',
  triggerCreate: 'triggers:write',
  triggerGet: 'triggers:read',
  triggerUpdate: 'triggers:write',
  triggerDelete: 'triggers:write',
  triggerRegister: 'triggers:write',
  triggerTest: 'triggers:write',
  triggerFilterTest: 'triggers:read events:read',
  triggerSecretRotate: 'triggers:write',
  triggerSecretReveal: 'triggers:write',
  rejectionList: 'triggers:read',
  rejectionAccept: 'triggers:write',
  destinationList: 'triggers:read',
  destinationCreate: 'triggers:write',
  destinationGet: 'triggers:read',
  destinationUpdate: 'triggers:write',
  destinationDelete: 'triggers:write',
  destinationTest: 'triggers:write',
  destinationDoctor: 'triggers:write',
  destinationTransformTest: 'triggers:write events:read',
  destinationSecretRotate: 'triggers:write',
  eventList: 'events:read',
  eventListAll: 'events:read',
  eventExport: 'events:read',
  eventGet: 'events:read',
  eventReplay: 'events:write',
  eventCancel: 'events:write',
  eventPin: 'events:write',
  eventUnpin: 'events:write',
  savedFilterList: 'events:read',
  savedFilterCounts: 'events:read',
  savedFilterCreate: 'events:write',
  savedFilterUpdate: 'events:write',
  savedFilterDelete: 'events:write',
  deliveryCancel: 'events:write',
  eventCreate: 'events:write',
  attemptList: 'events:read',
  replayCreate: 'events:write',
  replayList: 'events:read',
  replayGet: 'events:read',
  replayItemList: 'events:read',
  replayPause: 'events:write',
  replayResume: 'events:write',
  replayCancel: 'events:write',
  eventStats: 'events:read',
  eventStream: EVERYTHING,
  functionList: 'functions:read',
  functionStats: 'functions:read',
  functionSearch: 'functions:read',
  functionSearchAll: 'functions:read',
  functionSearchExport: 'functions:read',
  savedRequestList: 'connections:read',
  savedRequestCreate: 'connections:write',
  savedRequestUpdate: 'connections:write',
  savedRequestDelete: 'connections:write',
  savedSearchList: 'functions:read',
  savedSearchCreate: 'functions:write',
  savedSearchUpdate: 'functions:write',
  savedSearchDelete: 'functions:write',
  functionCreate: 'functions:write',
  functionGet: 'functions:read',
  functionUpdate: 'functions:write',
  functionUses: 'functions:read',
  functionDelete: 'functions:write',
  functionCode: 'functions:read',
  functionFiles: 'functions:read',
  functionTrust: 'functions:read',
  functionSymbols: 'functions:read',
  functionCopy: 'functions:write',
  functionInvoke: 'functions:invoke',
  functionStar: 'functions:write',
  functionUnstar: 'functions:write',
  versionList: 'functions:read',
  versionStats: 'functions:read',
  versionGet: 'functions:read',
  versionCreate: 'functions:write',
  gradualGet: 'functions:read',
  gradualPut: 'functions:write',
  gradualDelete: 'functions:write',
  shadowCreate: 'functions:invoke functions:write',
  shadowList: 'functions:read',
  shadowGet: 'functions:read',
  shadowCancel: 'functions:write',
  shadowRequestList: 'functions:read',
  shadowRequestGet: 'functions:read',
  envList: 'functions:read',
  envCreate: 'functions:write',
  envPut: 'functions:write',
  envDelete: 'functions:write',
  functionLogList: 'functions:read',
  functionLogTail: 'functions:read',
  runList: 'functions:read',
  runStats: 'functions:read',
  runListAll: 'functions:read',
  runGet: 'functions:read',
  callList: 'connections:read',
  callGet: 'connections:read gateway:call',
  captureList: 'connections:read',
  captureCreate: 'connections:write',
  captureDelete: 'connections:write',
  runCallList: 'functions:read',
  runBisect: 'functions:invoke',
  runLogList: 'functions:read',
};

const service = serviceForAll();
const keyed = operationNames.filter((name) => routes[name].auth === 'account');
const keyWith = async (scopes: Scope[]) => {
  const made = await service.api<{ key: string }>('POST', '/api-keys', { name: scopes.join(' ').slice(0, 90), scopes });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.key;
};
const keys = new Map<Scope, string>();
beforeAll(async () => {
  for (const scope of SCOPES) keys.set(scope, await keyWith([scope]));
});

/** A request that gets as far as the check of ids or of the body. */
async function ask(name: Operation, key: string) {
  const known: Record<string, string> = { version: '1', key: 'KEY', app: 'no-such-app', method: 'OAUTH2' };
  const names = [...routes[name].path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const path = pathOf(name, Object.fromEntries(names.map((each) => [each, known[each] ?? newId()])));
  return service.api<{ message: string }>(routes[name].method, path, undefined, { key });
}

/** Whether a key with this scope only may use it. */
const isEnough = (scope: Scope, needs: string): boolean =>
  needs.split(' ').every((each) => each === scope || each === scope.replace(/write$/, 'read'));

it('decides for every operation', () => {
  expect(Object.keys(NEEDS).sort()).toEqual([...keyed].sort());
});

describe.each(keyed)('%s', (name) => {
  const needs = NEEDS[name] ?? '';

  it(`needs ${needs || 'no scope'}`, async () => {
    for (const [scope, key] of keys) {
      const { status, body } = await ask(name, key);
      const isAllowed = needs === '' || isEnough(scope, needs);
      if (isAllowed) {
        expect([200, 400, 404], `${scope}: ${status} ${body.message}`).toContain(status);
        continue;
      }
      expect(status, scope).toBe(403);
      expect(body).toMatchObject({ type: 'Forbidden', code: 403 });
      if (routes[name].role === 'OWNER') expect(body.message).toMatch(/^Your role is ADMIN; this needs OWNER/);
      else if (needs === 'FULL') expect(body.message).toMatch(/full access\.$/);
      else expect(needs).toContain(/lacks the scope (\S+)\.$/.exec(body.message)?.[1]);
    }
  });
});

it('has operations that need several scopes', async () => {
  const key = await keyWith(EVERYTHING.split(' ') as Scope[]);
  expect((await ask('overviewGet', key)).status).toBe(200);
  const opened = await fetch(`${service.url}/api/events:stream`, { headers: { authorization: `Bearer ${key}` } });
  expect(opened.status).toBe(200);
  await opened.body?.cancel();
});

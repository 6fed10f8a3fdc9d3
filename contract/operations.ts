/**
 * Schemas of every operation: parameters, query, body and reply. `routes.ts` names the operations. The two files define
 * the server's routes, validation and handler map, the console's client and query keys, the OpenAPI document and the
 * test of every operation. An operation without an entry here is a type error.
 */
import { z } from 'zod';
import * as account from './account.ts';
import * as apps from './apps.ts';
import { AppPaths } from './connections/app-paths.ts';
import * as connectionBulk from './connections/bulk.ts';
import * as connectionHealth from './connections/health.ts';
import * as openapi from './connections/openapi.ts';
import * as savedRequests from './connections/saved-requests.ts';
import * as sessions from './connections/sessions.ts';
import * as connectionUses from './connections/uses.ts';
import * as connections from './connections.ts';
import * as events from './events.ts';
import { Id, Timestamp } from './fields.ts';
import { releaseOperations } from './functions/releases.ts';
import * as functions from './functions.ts';
import { callOperations } from './gateway/call-operations.ts';
import * as ingress from './ingress.ts';
import * as apiKeys from './keys/api-keys.ts';
import * as lookup from './lookup.ts';
import { problemOperations } from './problems/problem-operations.ts';
import * as problems from './problems/problems.ts';
import * as replays from './replays.ts';
import type { Operation } from './routes.ts';
import * as runs from './runs.ts';
import * as symbols from './search/function-symbols.ts';
import * as impact from './search/impact.ts';
import * as saved from './search/saved-searches.ts';
import * as searches from './search/search-all.ts';
import { type Shape, takes } from './shapes/takes.ts';
import { signInOperations } from './sign-in/sign-in-operations.ts';
import * as transforms from './transforms/transform-test.ts';
import * as triggers from './triggers.ts';
import * as trust from './trust.ts';

const done = z.object({});
const userParams = z.object({ user_id: Id });
const keyParams = z.object({ key_id: Id });
const credentialParams = z.object({ app: z.string(), method: apps.ClientMethod });
const appParams = z.object({ app: z.string() });
const connectionParams = z.object({ connection_id: Id });
const triggerParams = z.object({ trigger_id: Id });
const rejectionParams = z.object({ trigger_id: Id, rejection_id: Id });
const destinationParams = z.object({ trigger_id: Id, destination_id: Id });
const eventParams = z.object({ trigger_id: Id, event_id: Id });
const savedFilterParams = z.object({ saved_filter_id: Id });
const replayParams = z.object({ replay_id: Id });
const functionParams = z.object({ function_id: Id });
const runParams = z.object({ function_id: Id, run_id: Id });
const version = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: 999_999_999 });

const one = {
  account: z.object({ account: account.Account }),
  member: z.object({ member: account.Member }),
  apiKey: z.object({ api_key: apiKeys.ApiKey }),
  app: z.object({ app: apps.App }),
  connection: z.object({ connection: connections.Connection }),
  connectSession: z.object({ session: connections.ConnectSession }),
  trigger: z.object({ trigger: triggers.Trigger }),
  destination: z.object({ destination: triggers.Destination }),
  event: z.object({ event: events.EventDetail }),
  savedFilter: z.object({ saved_filter: events.SavedFilter }),
  savedRequest: z.object({ saved_request: savedRequests.SavedRequest }),
  savedSearch: z.object({ saved_search: saved.SavedSearch }),
  replay: z.object({ replay: replays.Replay }),
  fn: z.object({ function: functions.HostedFunction }),
};
const newKey = one.apiKey.extend({ key: z.string().meta({ description: 'The API key. It is not returned again.' }) });

export const operations = {
  ...signInOperations,

  accountGet: takes({ reply: one.account }),
  accountUpdate: takes({ body: account.AccountUpdate, reply: one.account }),
  /** Each part is the reply of the operation that lists it. */
  overviewGet: takes({
    reply: z.object({
      api_keys: z.object({ api_keys: z.array(apiKeys.ApiKey) }),
      functions: functions.FunctionPage.meta({ description: 'The newest function.' }),
      connections: connections.ConnectionPage.meta({ description: 'The newest 100 connections.' }),
      attention_connections: connections.ConnectionPage.meta({
        description: 'Connections that need attention, at most 200.',
      }),
      failed_connections: connections.ConnectionPage.meta({ description: 'FAILED connections, at most 200.' }),
      triggers: triggers.TriggerPage.meta({ description: 'The newest 100 triggers.' }),
      failing_triggers: triggers.TriggerPage.meta({ description: 'Triggers with a failing destination, at most 100.' }),
      trigger_stats: events.TriggerStats.meta({ description: 'Statistics of the last 24 hours.' }),
      events: events.EventPage,
      failed_events: events.EventPage,
      open_problems: problems.ProblemPage,
      retrying_events: events.EventPage,
      runs: runs.RunPage,
      /** The first gateway call of the last 24 hours. */
      first_call_at: Timestamp.nullable(),
    }),
  }),
  holdGet: takes({ reply: z.object({ hold: account.Hold.nullable() }) }),
  holdRelease: takes({ reply: done }),
  holdDisconnect: takes({ reply: z.object({ disconnected: z.int() }) }),
  memberList: takes({ reply: z.object({ members: z.array(account.Member) }) }),
  memberCreate: takes({ body: account.MemberCreate, reply: one.member.extend({ invite_url: z.string() }) }),
  memberUpdate: takes({ params: userParams, body: account.MemberUpdate, reply: one.member }),
  memberDelete: takes({ params: userParams, query: account.MemberDeleteQuery, reply: done }),
  apiKeyList: takes({ reply: z.object({ api_keys: z.array(apiKeys.ApiKey) }) }),
  apiKeyCreate: takes({ body: apiKeys.ApiKeyCreate, reply: newKey }),
  apiKeyUpdate: takes({ params: keyParams, body: apiKeys.ApiKeyUpdate, reply: one.apiKey }),
  apiKeyDelete: takes({ params: keyParams, reply: done }),
  apiKeyRotate: takes({ params: keyParams, body: apiKeys.ApiKeyRotate.optional(), reply: newKey }),
  apiKeyUsage: takes({ params: keyParams, reply: apiKeys.KeyUsage }),
  apiKeyTest: takes({ params: keyParams, query: apiKeys.KeyTestQuery, reply: apiKeys.KeyTest }),
  auditList: takes({ query: account.AuditQuery, reply: account.AuditPage }),
  lookup: takes({ query: lookup.LookupQuery, reply: lookup.LookupReply }),
  impactGet: takes({ query: impact.ImpactQuery, reply: z.object({ impact: impact.Impact }) }),

  ...problemOperations,

  appList: takes({ reply: z.object({ apps: z.array(apps.App) }) }),
  appGet: takes({ params: appParams, reply: one.app }),
  appCreate: takes({ body: apps.AppCreate, reply: one.app }),
  appDraft: takes({ body: openapi.AppDraftCreate, reply: openapi.AppDraft }),
  appPathList: takes({ params: appParams, reply: z.object({ paths: AppPaths }) }),
  appUpdate: takes({ params: appParams, body: apps.AppUpdate, reply: one.app }),
  appDelete: takes({ params: appParams, reply: done }),

  appCredentialList: takes({
    params: appParams,
    reply: z.object({ credentials: z.array(apps.AppCredential) }),
  }),
  appCredentialPut: takes({
    params: credentialParams,
    body: apps.AppCredentialPut,
    reply: z.object({ credential: apps.AppCredential }),
  }),
  appCredentialDelete: takes({ params: credentialParams, reply: done }),
  appCheckGet: takes({ params: appParams, reply: connectionHealth.AppCheckReply }),
  appCheckPut: takes({ params: appParams, body: connectionHealth.AppCheckPut, reply: connectionHealth.AppCheckReply }),

  connectionList: takes({
    query: connections.ConnectionQuery,
    reply: connections.ConnectionPage,
  }),
  connectionCreate: takes({ body: connections.ConnectionCreate, reply: z.object({ connection_id: Id }) }),
  connectionBulk: takes({ body: connectionBulk.ConnectionBulk, reply: connectionBulk.ConnectionBulkReply }),
  connectionStats: takes({ query: connections.CallStatsQuery, reply: connections.AppCallStats }),
  connectionGet: takes({ params: connectionParams, reply: one.connection }),
  connectionUpdate: takes({ params: connectionParams, body: connections.ConnectionUpdate, reply: one.connection }),
  connectionDelete: takes({ params: connectionParams, reply: done }),
  connectionCallList: takes({ params: connectionParams, query: connections.CallQuery, reply: connections.CallPage }),
  connectionCallStats: takes({
    params: connectionParams,
    query: connections.CallStatsQuery,
    reply: connections.CallStats,
  }),
  connectionUses: takes({ params: connectionParams, reply: connectionUses.ConnectionUses }),
  connectionReplace: takes({
    params: connectionParams,
    body: connectionUses.ConnectionReplace,
    reply: connectionUses.ConnectionReplaceReply,
  }),
  connectionHealth: takes({ params: connectionParams, reply: connectionHealth.ConnectionHealth }),
  connectionTest: takes({
    params: connectionParams,
    reply: one.connection.extend({ test: connections.ConnectionTest }),
  }),
  connectionRequest: takes({
    params: connectionParams,
    body: connections.ConnectionRequest,
    reply: connections.ConnectionResponse,
  }),
  savedRequestList: takes({
    params: appParams,
    reply: z.object({ saved_requests: z.array(savedRequests.SavedRequest) }),
  }),
  savedRequestCreate: takes({ params: appParams, body: savedRequests.SavedRequestCreate, reply: one.savedRequest }),
  savedRequestUpdate: takes({
    params: savedRequests.Params,
    body: savedRequests.SavedRequestUpdate,
    reply: one.savedRequest,
  }),
  savedRequestDelete: takes({ params: savedRequests.Params, reply: done }),
  connectionToolList: takes({ params: connectionParams, reply: connections.ToolList }),
  connectionToolCall: takes({
    params: connectionParams,
    body: connections.ToolCall,
    reply: z.object({ result: connections.ToolResult }),
  }),
  connectionReconnect: takes({ params: connectionParams, reply: one.connection }),
  connectSessionCreate: takes({ body: sessions.ConnectSessionCreate, reply: sessions.ConnectSessionCreated }),
  connectSessionRead: takes({ params: sessions.Params, reply: sessions.ConnectSessionReply }),
  connectSessionDelete: takes({ params: sessions.Params, reply: done }),
  connectSettingsGet: takes({ reply: sessions.ConnectSettingsReply }),
  connectSettingsUpdate: takes({ body: sessions.ConnectSettingsUpdate, reply: sessions.ConnectSettingsReply }),
  connectChoiceGet: takes({ reply: sessions.ConnectChoiceReply }),
  connectChoiceSubmit: takes({ body: sessions.ConnectChoose, reply: sessions.ConnectChosen }),
  connectSessionGet: takes({ reply: one.connectSession }),
  connectSessionSubmit: takes({ body: connections.ConnectSubmit, reply: connections.ConnectSubmitReply }),
  connectSessionPoll: takes({ body: connections.ConnectPoll, reply: connections.ConnectPollReply }),

  triggerList: takes({ query: triggers.TriggerQuery, reply: triggers.TriggerPage }),
  triggerStats: takes({ query: events.TriggerStatsQuery, reply: events.TriggerStats }),
  triggerCreate: takes({
    body: triggers.TriggerCreate,
    reply: one.trigger.extend({ signing_secrets: z.array(triggers.SigningSecret) }),
  }),
  triggerGet: takes({ params: triggerParams, reply: one.trigger }),
  triggerUpdate: takes({ params: triggerParams, body: triggers.TriggerUpdate, reply: one.trigger }),
  triggerDelete: takes({ params: triggerParams, reply: z.object({ hook: ingress.HookEnd.optional() }) }),
  triggerRegister: takes({ params: triggerParams, reply: one.trigger }),
  triggerTest: takes({ params: triggerParams, body: events.EventTest.optional(), reply: one.event }),
  triggerFilterTest: takes({
    params: triggerParams,
    query: triggers.FilterTest,
    reply: triggers.FilterTestReply,
  }),
  triggerSecretRotate: takes({
    params: triggerParams,
    body: triggers.SecretRotate.optional(),
    reply: one.trigger,
  }),
  triggerSecretReveal: takes({ params: triggerParams, reply: one.trigger }),
  rejectionList: takes({ params: triggerParams, query: ingress.RejectionQuery, reply: ingress.RejectionPage }),
  rejectionAccept: takes({ params: rejectionParams, reply: ingress.RejectionAccepted }),
  destinationList: takes({
    params: triggerParams,
    reply: z.object({ destinations: z.array(triggers.DestinationSummary) }),
  }),
  destinationCreate: takes({ params: triggerParams, body: triggers.DestinationCreate, reply: one.destination }),
  destinationGet: takes({ params: destinationParams, reply: one.destination }),
  destinationUpdate: takes({ params: destinationParams, body: triggers.DestinationUpdate, reply: one.destination }),
  destinationDelete: takes({ params: destinationParams, reply: done }),
  destinationTest: takes({
    params: destinationParams,
    body: events.EventTest.optional(),
    reply: z.object({ result: events.TrialResult }),
  }),
  destinationDoctor: takes({
    params: destinationParams,
    reply: z.object({ steps: z.array(triggers.ExaminationStep) }),
  }),
  destinationTransformTest: takes({
    params: destinationParams,
    body: transforms.TransformTest.optional(),
    reply: transforms.TransformTestReply,
  }),
  destinationSecretRotate: takes({
    params: destinationParams,
    body: triggers.SecretRotate.optional(),
    reply: one.destination,
  }),

  eventList: takes({ params: triggerParams, query: events.TriggerEventQuery, reply: events.EventPage }),
  eventListAll: takes({ query: events.EventQuery, reply: events.EventPage }),
  /** `reply` is one line of the file. */
  eventExport: takes({ query: events.EventExportQuery, reply: events.ExportedEvent }),
  eventGet: takes({ params: eventParams, query: events.EventGetQuery, reply: one.event }),
  eventReplay: takes({
    params: eventParams,
    body: events.EventReplay.optional(),
    reply: one.event.extend({ skipped: z.array(events.Skipped) }),
  }),
  eventCancel: takes({
    params: eventParams,
    body: events.EventCancel.optional(),
    reply: one.event.extend({ canceled: z.int() }),
  }),
  eventPin: takes({ params: eventParams, body: events.EventPin.optional(), reply: one.event }),
  eventUnpin: takes({ params: eventParams, reply: one.event }),
  savedFilterList: takes({ reply: z.object({ saved_filters: z.array(events.SavedFilter) }) }),
  savedFilterCounts: takes({ reply: events.SavedFilterCounts }),
  savedFilterCreate: takes({ body: events.SavedFilterCreate, reply: one.savedFilter }),
  savedFilterUpdate: takes({ params: savedFilterParams, body: events.SavedFilterUpdate, reply: one.savedFilter }),
  savedFilterDelete: takes({ params: savedFilterParams, reply: done }),
  deliveryCancel: takes({ body: replays.DeliveryCancel, reply: replays.DeliveryCancelReply }),
  eventCreate: takes({ params: triggerParams, body: events.EventCreate, reply: one.event }),
  attemptList: takes({
    params: eventParams.extend({ delivery_id: Id }),
    query: events.AttemptQuery,
    reply: events.AttemptPage,
  }),
  replayCreate: takes({ body: replays.ReplayCreate, reply: replays.ReplayReply }),
  replayList: takes({ query: replays.ReplayQuery, reply: replays.ReplayPage }),
  replayGet: takes({ params: replayParams, reply: replays.ReplayDetail }),
  replayItemList: takes({ params: replayParams, query: replays.ReplayItemQuery, reply: replays.ReplayItemPage }),
  replayPause: takes({ params: replayParams, reply: one.replay }),
  replayResume: takes({ params: replayParams, reply: one.replay }),
  replayCancel: takes({ params: replayParams, reply: one.replay }),
  eventStats: takes({ query: events.EventStatsQuery, reply: events.EventStats }),
  eventStream: takes({ query: events.StreamQuery, reply: z.string() }),

  functionList: takes({ query: functions.FunctionQuery, reply: functions.FunctionPage }),
  functionStats: takes({ reply: runs.FunctionStats }),
  functionSearch: takes({ query: functions.SearchQuery, reply: functions.SearchReply }),
  functionSearchAll: takes({ query: searches.SearchAllQuery, reply: searches.SearchAllReply }),
  /** `reply` is one line of the file. */
  functionSearchExport: takes({ query: searches.SearchExportQuery, reply: searches.ExportedHit }),
  savedSearchList: takes({ reply: z.object({ saved_searches: z.array(saved.SavedSearch) }) }),
  savedSearchCreate: takes({ body: saved.SavedSearchCreate, reply: one.savedSearch }),
  savedSearchUpdate: takes({ params: saved.Params, body: saved.SavedSearchUpdate, reply: one.savedSearch }),
  savedSearchDelete: takes({ params: saved.Params, reply: done }),
  functionCreate: takes({ body: functions.FunctionCreate, reply: one.fn }),
  functionGet: takes({ params: functionParams, reply: one.fn }),
  functionUpdate: takes({ params: functionParams, body: functions.FunctionUpdate, reply: one.fn }),
  functionUses: takes({ params: functionParams, reply: functions.FunctionUses }),
  functionDelete: takes({ params: functionParams, reply: done }),
  functionCode: takes({ params: functionParams, query: functions.WhichVersion, reply: functions.CodeDownload }),
  functionFiles: takes({ params: functionParams, query: functions.WhichVersion, reply: functions.FilesReply }),
  functionTrust: takes({ params: functionParams, query: trust.TrustQuery, reply: z.object({ trust: trust.Trust }) }),
  functionSymbols: takes({ params: functionParams, query: symbols.SymbolsQuery, reply: symbols.CodeSymbols }),
  functionCopy: takes({
    params: functionParams,
    body: trust.FunctionCopy,
    reply: one.fn.extend(trust.FunctionCopied.shape),
  }),
  functionInvoke: takes({ params: functionParams, body: runs.Invoke.optional(), reply: z.object({ run: runs.Run }) }),
  functionStar: takes({ params: functionParams, reply: done }),
  functionUnstar: takes({ params: functionParams, reply: done }),
  versionList: takes({ params: functionParams, query: functions.VersionQuery, reply: functions.VersionPage }),
  versionStats: takes({ params: functionParams, query: runs.VersionStatsQuery, reply: runs.VersionStats }),
  versionGet: takes({ params: functionParams.extend({ version }), reply: functions.FunctionVersion }),
  versionCreate: takes({
    params: functionParams,
    body: functions.VersionCreate,
    reply: z.object({ version: functions.FunctionVersion }),
  }),
  ...releaseOperations,
  envList: takes({ params: functionParams, reply: z.object({ env: z.array(functions.EnvVariable) }) }),
  envCreate: takes({ params: functionParams, body: functions.EnvCreate, reply: done }),
  envPut: takes({ params: functionParams.extend({ key: functions.OwnEnvKey }), body: functions.EnvPut, reply: done }),
  envDelete: takes({ params: functionParams.extend({ key: functions.EnvKeyParam }), reply: done }),
  functionLogList: takes({ params: functionParams, query: runs.FunctionLogQuery, reply: runs.FunctionLogPage }),
  functionLogTail: takes({ params: functionParams, query: runs.LogTailQuery, reply: z.string() }),
  runList: takes({ params: functionParams, query: runs.RunQuery, reply: runs.RunPage }),
  runStats: takes({ query: runs.RunStatsQuery, reply: runs.RunStats }),
  runListAll: takes({ query: runs.RunAllQuery, reply: runs.RunPage }),
  runGet: takes({ params: runParams, reply: runs.Run }),
  ...callOperations,
  runCallList: takes({ params: runParams, reply: z.object({ calls: z.array(connections.GatewayCall) }) }),
  runBisect: takes({ params: runParams, body: runs.Bisect.optional(), reply: runs.BisectReply }),
  runLogList: takes({ params: runParams, query: runs.LogQuery, reply: runs.LogPage }),
} satisfies Record<Operation, Shape>;

type Operations = typeof operations;
/** The validated input of an operation. */
export type Input<O extends Operation> = {
  params: z.output<Operations[O]['params']>;
  query: z.output<Operations[O]['query']>;
  body: Operations[O]['body'] extends z.ZodType ? z.output<Operations[O]['body']> : undefined;
};
/** The body as a client sends it, before defaults. */
export type Body<O extends Operation> = Operations[O]['body'] extends z.ZodType
  ? z.input<Operations[O]['body']>
  : undefined;
export type QueryNames<O extends Operation> = keyof z.input<Operations[O]['query']>;
export type Params<O extends Operation> = keyof z.input<Operations[O]['params']>;
export type Reply<O extends Operation> = z.output<Operations[O]['reply']>;

/** Maps each operation to its verb. Both maps are complete: an operation without a verb is a type error. */
import type { Input, Reply } from '../../contract/operations.ts';
import type { Operation, routes } from '../../contract/routes.ts';
import * as account from '../accounts/account.ts';
import * as apiKeys from '../accounts/api-keys.ts';
import * as audit from '../accounts/audit.ts';
import type { PublicCtx } from '../accounts/auth.ts';
import * as authenticator from '../accounts/factors/authenticator.ts';
import * as factors from '../accounts/factors/factors.ts';
import * as assertions from '../accounts/factors/passkey-assertions.ts';
import * as passkeys from '../accounts/factors/passkeys.ts';
import * as secondStep from '../accounts/factors/second-step.ts';
import * as invitations from '../accounts/invitations.ts';
import * as members from '../accounts/members.ts';
import * as memberships from '../accounts/memberships.ts';
import * as identityProviders from '../accounts/openid/identity-providers.ts';
import * as signIns from '../accounts/openid/sign-in.ts';
import * as passwordChanges from '../accounts/password-changes.ts';
import * as sessions from '../accounts/sessions.ts';
import * as appCredentials from '../connections/app-credentials.ts';
import * as apps from '../connections/apps/apps.ts';
import * as customApps from '../connections/apps/custom-apps.ts';
import * as appChecks from '../connections/checks/schedule.ts';
import * as connectSessions from '../connections/connect/connect-sessions.ts';
import * as connectSettings from '../connections/connect/connect-settings.ts';
import * as deviceFlows from '../connections/connect/device-flows.ts';
import * as endUserSessions from '../connections/connect/end-user-sessions.ts';
import * as connectionBulk from '../connections/connection-bulk.ts';
import * as connectionRequests from '../connections/connection-requests.ts';
import * as connectionTests from '../connections/connection-tests.ts';
import * as connections from '../connections/connections.ts';
import * as appDrafts from '../connections/openapi/app-drafts.ts';
import * as destinations from '../deliveries/destinations/destinations.ts';
import * as cancellations from '../deliveries/events/cancellations.ts';
import * as eventExport from '../deliveries/events/event-export.ts';
import * as eventStats from '../deliveries/events/event-stats.ts';
import * as events from '../deliveries/events/events.ts';
import * as pins from '../deliveries/events/pins.ts';
import * as savedFilters from '../deliveries/events/saved-filters.ts';
import * as replays from '../deliveries/replays/replays.ts';
import * as environment from '../functions/environment.ts';
import * as symbols from '../functions/facts/symbols.ts';
import * as functions from '../functions/functions.ts';
import * as tail from '../functions/logs/log-tail.ts';
import * as logs from '../functions/logs/logs.ts';
import * as bisect from '../functions/runs/bisect.ts';
import * as runStats from '../functions/runs/run-stats.ts';
import * as runs from '../functions/runs/runs.ts';
import * as shadows from '../functions/shadows/shadows.ts';
import * as stars from '../functions/stars.ts';
import * as trust from '../functions/trust.ts';
import * as gradual from '../functions/versions/gradual.ts';
import * as versions from '../functions/versions/versions.ts';
import * as captures from '../gateway/captures/captures.ts';
import * as connectionCalls from '../gateway/connection-calls.ts';
import * as connectionHealth from '../gateway/connection-health.ts';
import * as keyChanges from '../gateway/keys/key-changes.ts';
import * as keyUsage from '../gateway/keys/key-usage.ts';
import * as loggedCalls from '../gateway/logged-calls.ts';
import * as savedRequests from '../gateway/saved-requests.ts';
import * as tools from '../gateway/tools.ts';
import type { Feed, FeedStart, FileFeed } from '../lib/feed.ts';
import * as hold from '../maintenance/hold.ts';
import * as connectionUses from '../overview/connection-uses.ts';
import * as functionUses from '../overview/function-uses.ts';
import * as impact from '../overview/impact.ts';
import * as lookup from '../overview/lookup.ts';
import * as overview from '../overview/overview.ts';
import type { Ctx } from '../platform/context.ts';
import * as problemChanges from '../problems/problem-changes.ts';
import * as problems from '../problems/problems.ts';
import * as problemReplays from '../problems/replays/problem-replays.ts';
import * as receiptExport from '../problems/replays/receipt-export.ts';
import * as receipts from '../problems/replays/receipts.ts';
import * as searchAll from '../search/all/search-all.ts';
import * as searchExport from '../search/all/search-export.ts';
import * as savedSearches from '../search/saved-searches.ts';
import * as search from '../search/search.ts';
import { acceptRejection } from '../triggers/ingress/accept-rejection.ts';
import * as rejections from '../triggers/ingress/rejections.ts';
import * as destinationTrial from '../triggers/trial/destination-trial.ts';
import * as testEvents from '../triggers/trial/test-event.ts';
import * as transformTrial from '../triggers/trial/transform-trial.ts';
import * as triggers from '../triggers/triggers.ts';

export type PublicOperation = { [O in Operation]: (typeof routes)[O]['auth'] extends 'public' ? O : never }[Operation];
type StreamOperation = { [O in Operation]: (typeof routes)[O]['stream'] extends true ? O : never }[Operation];
type AlsoStreamOperation = { [O in Operation]: (typeof routes)[O]['alsoStream'] extends true ? O : never }[Operation];
/** `eventStream` is implemented in stream.ts. */
export type FeedOperation = Exclude<StreamOperation, 'eventStream'> | AlsoStreamOperation;
export type FileOperation = { [O in Operation]: (typeof routes)[O]['file'] extends true ? O : never }[Operation];
type Ordinary = Exclude<Operation, PublicOperation | StreamOperation | FileOperation>;

/** `left` aborts when the caller disconnects, for operations that can also be streamed. */
type Handlers<C, O extends Operation> = {
  [N in O]: (ctx: C, input: Input<N>, left?: AbortSignal) => Promise<Reply<N>>;
};

export const publicHandlers: Handlers<PublicCtx, PublicOperation> = {
  sessionGet: sessions.get,
  sessionCreate: sessions.create,
  sessionDelete: sessions.remove,
  sessionList: sessions.list,
  sessionRevoke: sessions.revoke,
  sessionSwitch: memberships.switchTo,
  accountCreate: memberships.create,
  passwordChange: passwordChanges.change,
  passwordConfirm: passwordChanges.confirm,
  passwordForgotten: passwordChanges.forgotten,
  sessionFactor: secondStep.complete,
  sessionPasskey: secondStep.withPasskey,
  passkeyRequest: assertions.request,
  factorList: factors.list,
  passkeyOptions: passkeys.options,
  passkeyCreate: passkeys.create,
  passkeyUpdate: passkeys.update,
  passkeyDelete: passkeys.remove,
  authenticatorCreate: authenticator.create,
  authenticatorConfirm: authenticator.confirm,
  authenticatorDelete: authenticator.remove,
  recoveryCodeCreate: factors.replaceRecoveryCodes,
  invitationRead: invitations.read,
  invitationAccept: invitations.accept,
  signInProviders: signIns.providers,
  signInStart: signIns.start,
  signInFinish: signIns.finish,
  signInLink: signIns.link,
};

/** Verbs that return a feed of messages. They are called before the stream opens, so errors are ordinary responses. */
export const feeds: { [N in FeedOperation]: (ctx: Ctx, input: Input<N>, from: FeedStart) => Promise<Feed> } = {
  connectionRequest: connectionRequests.follow,
  functionLogTail: tail.open,
  functionSearch: search.follow,
  functionSearchAll: searchAll.follow,
};

/** Verbs that return a file. They are called before the response begins. */
export const files: {
  [N in FileOperation]: (ctx: Ctx, input: Input<N>, from: Pick<FeedStart, 'signal'>) => Promise<FileFeed>;
} = {
  eventExport: eventExport.open,
  functionSearchExport: searchExport.open,
  receiptExport: receiptExport.open,
};

export const handlers: Handlers<Ctx, Ordinary> = {
  accountGet: account.get,
  accountUpdate: account.update,
  overviewGet: overview.get,
  holdGet: hold.get,
  holdRelease: hold.release,
  holdDisconnect: hold.disconnect,
  memberList: members.list,
  memberCreate: members.create,
  memberUpdate: members.update,
  memberDelete: members.remove,
  identityProviderList: identityProviders.list,
  identityProviderCreate: identityProviders.create,
  identityProviderUpdate: identityProviders.update,
  identityProviderDelete: identityProviders.remove,
  identityProviderTest: identityProviders.test,
  apiKeyList: apiKeys.list,
  apiKeyCreate: keyChanges.create,
  apiKeyUpdate: keyChanges.update,
  apiKeyDelete: apiKeys.remove,
  apiKeyRotate: apiKeys.rotate,
  apiKeyUsage: keyUsage.usage,
  apiKeyTest: keyUsage.test,
  auditList: audit.list,
  lookup: lookup.lookup,
  impactGet: impact.get,

  problemList: problems.list,
  problemGet: problems.get,
  problemFailureList: problems.listFailures,
  problemAcknowledge: problemChanges.acknowledge,
  problemIgnore: problemChanges.ignore,
  problemResolve: problemChanges.resolve,
  problemReopen: problemChanges.reopen,
  problemReplayCreate: problemReplays.create,
  receiptGet: receipts.get,
  receiptLineList: receipts.listLines,

  appList: apps.list,
  appGet: apps.get,
  appCreate: customApps.create,
  appDraft: appDrafts.draft,
  appPathList: appDrafts.paths,
  appUpdate: customApps.update,
  appDelete: customApps.remove,
  appCredentialList: appCredentials.list,
  appCredentialPut: appCredentials.put,
  appCheckGet: appChecks.get,
  appCheckPut: appChecks.put,
  appCredentialDelete: appCredentials.remove,

  connectionList: connections.list,
  connectionCreate: connections.create,
  connectionBulk: connectionBulk.bulk,
  connectionStats: connectionCalls.ofApps,
  connectionGet: connections.get,
  connectionUpdate: connections.update,
  connectionDelete: connections.remove,
  connectionCallList: connectionCalls.list,
  connectionCallStats: connectionCalls.stats,
  connectionUses: connectionUses.list,
  connectionReplace: connectionUses.replace,
  connectionHealth: connectionHealth.get,
  connectionTest: connectionTests.test,
  connectionRequest: connectionRequests.send,
  savedRequestList: savedRequests.list,
  savedRequestCreate: savedRequests.create,
  savedRequestUpdate: savedRequests.update,
  savedRequestDelete: savedRequests.remove,
  connectionToolList: tools.list,
  connectionToolCall: tools.call,
  connectionReconnect: connections.reconnect,
  connectSessionCreate: endUserSessions.create,
  connectSessionRead: endUserSessions.read,
  connectSessionDelete: endUserSessions.remove,
  connectSettingsGet: connectSettings.get,
  connectSettingsUpdate: connectSettings.update,
  connectChoiceGet: endUserSessions.choices,
  connectChoiceSubmit: endUserSessions.choose,
  connectSessionGet: connectSessions.get,
  connectSessionSubmit: connectSessions.submit,
  connectSessionPoll: deviceFlows.poll,

  triggerList: triggers.list,
  triggerStats: eventStats.ofTriggers,
  triggerCreate: triggers.create,
  triggerGet: triggers.get,
  triggerUpdate: triggers.update,
  triggerDelete: triggers.remove,
  triggerRegister: triggers.register,
  triggerTest: triggers.test,
  triggerFilterTest: eventStats.testFilter,
  triggerSecretRotate: triggers.rotateSecret,
  triggerSecretReveal: triggers.revealSecret,
  rejectionList: rejections.list,
  rejectionAccept: acceptRejection,
  destinationList: destinations.list,
  destinationCreate: destinations.create,
  destinationGet: destinations.get,
  destinationUpdate: destinations.update,
  destinationDelete: destinations.remove,
  destinationTest: destinationTrial.test,
  destinationDoctor: destinationTrial.doctor,
  destinationTransformTest: transformTrial.test,
  destinationSecretRotate: destinations.rotateSecret,

  eventList: events.list,
  eventListAll: events.listAll,
  eventGet: events.get,
  eventReplay: events.replay,
  eventCancel: cancellations.cancel,
  eventPin: pins.pin,
  eventUnpin: pins.unpin,
  savedFilterList: savedFilters.list,
  savedFilterCounts: savedFilters.counts,
  savedFilterCreate: savedFilters.create,
  savedFilterUpdate: savedFilters.update,
  savedFilterDelete: savedFilters.remove,
  deliveryCancel: cancellations.cancelMatching,
  eventCreate: testEvents.create,
  attemptList: events.listAttempts,

  eventStats: eventStats.stats,
  replayCreate: replays.create,
  replayList: replays.list,
  replayGet: replays.get,
  replayItemList: replays.listItems,
  replayPause: replays.pause,
  replayResume: replays.resume,
  replayCancel: replays.cancel,

  functionList: functions.list,
  functionStats: runStats.ofFunctions,
  functionSearch: search.search,
  functionSearchAll: searchAll.search,
  savedSearchList: savedSearches.list,
  savedSearchCreate: savedSearches.create,
  savedSearchUpdate: savedSearches.update,
  savedSearchDelete: savedSearches.remove,
  functionCreate: functions.create,
  functionGet: functions.get,
  functionUpdate: functions.update,
  functionUses: functionUses.list,
  functionDelete: functions.remove,
  functionCode: versions.download,
  functionFiles: versions.files,
  functionTrust: trust.get,
  functionSymbols: symbols.list,
  functionCopy: trust.copy,
  functionInvoke: runs.invoke,
  functionStar: stars.add,
  functionUnstar: stars.remove,
  versionList: versions.list,
  versionStats: runStats.ofVersions,
  versionGet: versions.get,
  versionCreate: versions.create,
  gradualGet: gradual.get,
  gradualPut: gradual.put,
  gradualDelete: gradual.remove,
  shadowCreate: shadows.create,
  shadowList: shadows.list,
  shadowGet: shadows.get,
  shadowCancel: shadows.cancel,
  shadowRequestList: shadows.listRequests,
  shadowRequestGet: shadows.getRequest,
  envList: environment.list,
  envCreate: environment.create,
  envPut: environment.put,
  envDelete: environment.remove,
  functionLogList: logs.listOfFunction,
  runList: runs.list,
  runStats: runStats.stats,
  runListAll: runs.listAll,
  runGet: runs.get,
  callList: loggedCalls.list,
  callGet: loggedCalls.get,
  captureList: captures.list,
  captureCreate: captures.create,
  captureDelete: captures.remove,
  runCallList: connectionCalls.listOfRun,
  runBisect: bisect.bisect,
  runLogList: logs.list,
};

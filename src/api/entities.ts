/** The nouns of the replies, by name. */
import type { Reply } from './operation.ts';

export type Account = Reply<'accountGet'>['account'];
export type Member = Reply<'memberList'>['members'][number];
export type ApiKey = Reply<'apiKeyList'>['api_keys'][number];
export type AuditEntry = Reply<'auditList'>['entries'][number];
export type App = Reply<'appGet'>['app'];
export type Connection = Reply<'connectionGet'>['connection'];
export type Tool = Reply<'connectionToolList'>['tools'][number];
export type ToolResult = Reply<'connectionToolCall'>['result'];
export type GatewayCall = Reply<'connectionCallList'>['calls'][number];
export type Trigger = Reply<'triggerGet'>['trigger'];
export type DestinationSummary = Trigger['destinations'][number];
export type Destination = Reply<'destinationGet'>['destination'];
export type EventRow = Reply<'eventListAll'>['events'][number];
export type EventDetail = Reply<'eventGet'>['event'];
export type Delivery = EventDetail['deliveries'][number];
export type Outcome = EventRow['outcomes'][number];
export type Attempt = Reply<'attemptList'>['attempts'][number];
export type HostedFunction = Reply<'functionGet'>['function'];
export type FunctionVersion = Reply<'versionGet'>;
export type EnvVariable = Reply<'envList'>['env'][number];
export type SearchReply = Reply<'functionSearch'>;
export type Run = Reply<'runGet'>;
export type RunRow = Reply<'runListAll'>['runs'][number];
export type LogEvent = Reply<'runLogList'>['events'][number];

/** Hosted functions, their versions and environment. */
import { z } from 'zod';
import { AppId } from './apps.ts';
import {
  Description,
  Id,
  limit,
  Name,
  NextToken,
  NextTokenReply,
  StringMap,
  Timestamp,
  VersionNumber,
  VersionParameter,
  wholeNumber,
  YesNo,
} from './fields.ts';
import {
  CODE_MAX_BYTES,
  CODE_MAX_FILES,
  GATEWAY_GRANTS_MAX,
  PAGE,
  SEARCH_CONTEXT_MAX,
  SEARCH_QUERY_MAX_CHARS,
  TIMEOUT_SECONDS,
} from './limits.ts';
import { NamedDestination } from './shapes/named-destination.ts';
import { ENV_TYPES, INVOKE_ACCESS, NETWORK_POLICIES, RUNTIMES, SEARCH_SORTS, VISIBILITIES } from './states.ts';

export const Runtime = z.enum(RUNTIMES);
export const Visibility = z.enum(VISIBILITIES);
export const NetworkPolicy = z.enum(NETWORK_POLICIES);

export const HostedFunction = z.object({
  function_id: Id,
  name: z.string(),
  description: z.string(),
  runtime: Runtime,
  visibility: Visibility,
  account_id: Id,
  /** Name of the owning account. */
  account_name: z.string(),
  url: z.string(),
  star_count: z.number().int(),
  view_count: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: z.number().int(),
  network_policy: NetworkPolicy,
  allowed_hosts: z.array(z.string()),
  /** Which connections its runs may use through the gateway. */
  gateway_policy: NetworkPolicy,
  /** With ALLOW_LIST. Other accounts see none. */
  gateway_grants: z.array(z.object({ app: z.string(), connection_id: Id.nullable() })),
  invoke_access: z.enum(INVOKE_ACCESS),
  timeout_seconds: z.number().int(),
  /** Whether the calling account starred it. */
  starred: z.boolean(),
});

const encoder = new TextEncoder();
const PATH = /^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!.*\/\/)[^\u0000-\u001f\u007f\\:*?"<>|]{1,255}(?<!\/)$/;
/** Paths are relative, with forward slashes, no empty, `.` or `..` segments. */
export const Files = z.record(z.string(), z.string()).superRefine((files, issue) => {
  const paths = Object.keys(files);
  if (paths.length === 0) issue.addIssue({ code: 'custom', message: 'expected at least one file' });
  if (paths.length > CODE_MAX_FILES)
    issue.addIssue({ code: 'custom', message: `expected at most ${CODE_MAX_FILES} files` });
  let sizeBytes = 0;
  for (const path of paths) {
    sizeBytes += encoder.encode(files[path] ?? '').byteLength;
    if (!PATH.test(path))
      issue.addIssue({ code: 'custom', path: [path], message: 'expected a relative path such as src/index.ts' });
    if (files[path]?.includes('\u0000'))
      issue.addIssue({ code: 'custom', path: [path], message: 'expected text without NUL characters' });
    if (!path.isWellFormed() || !files[path]?.isWellFormed())
      issue.addIssue({ code: 'custom', path: [path], message: 'expected text without lone surrogates' });
  }
  if (sizeBytes > CODE_MAX_BYTES)
    issue.addIssue({ code: 'custom', message: `expected at most ${CODE_MAX_BYTES} bytes of code` });
});
export const Handler = z
  .string()
  .max(300)
  .regex(/^[^\s]+\.[A-Za-z_$][\w$]*$/, 'expected file.export, such as index.default');
const Host = z
  .string()
  .regex(/^(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'expected a host name such as api.example.com or *.example.com');
const settings = {
  description: Description.optional(),
  visibility: Visibility.optional(),
  network_policy: NetworkPolicy.optional(),
  allowed_hosts: z.array(Host).max(100).optional(),
  gateway_policy: NetworkPolicy.optional(),
  /** Without `connection_id`: every connection of the app. */
  gateway_grants: z
    .array(z.strictObject({ app: AppId, connection_id: Id.nullable().default(null) }))
    .max(GATEWAY_GRANTS_MAX, `expected at most ${GATEWAY_GRANTS_MAX} grants`)
    .optional(),
  invoke_access: z.enum(INVOKE_ACCESS).optional(),
  timeout_seconds: z.number().int().min(TIMEOUT_SECONDS.min).max(TIMEOUT_SECONDS.max).optional(),
  handler: Handler.optional(),
};
export const FunctionCreate = z.strictObject({
  name: Name,
  runtime: Runtime,
  files: Files,
  message: Description.optional(),
  ...settings,
});
export const FunctionUpdate = z.strictObject({
  name: Name.optional(),
  ...settings,
  /** Makes this version the live version: rolls back or forward. */
  version: VersionNumber.optional(),
});
export const FunctionQuery = z.object({
  owner: z.enum(['SELF', 'ALL']).default('SELF'),
  visibility: Visibility.optional(),
  limit: limit(PAGE.functions),
  next_token: NextToken,
});
export const FunctionPage = z.object({ functions: z.array(HostedFunction), next_token: NextTokenReply });

export const FunctionVersion = z.object({
  version: z.number().int(),
  code_size: z.number().int(),
  runtime: Runtime,
  created_at: Timestamp,
  code_sha256: z.string(),
  handler: z.string(),
  message: z.string().nullable(),
  created_by: z.string(),
  serving: z.boolean(),
  /** Whether other accounts can read it: it was live while the function was PUBLIC, since it last became PUBLIC. */
  public: z.boolean(),
});
export const VersionQuery = z.object({ limit: limit(PAGE.versions), next_token: NextToken });
export const VersionPage = z.object({ versions: z.array(FunctionVersion), next_token: NextTokenReply });
export const VersionCreate = z.strictObject({
  files: Files,
  handler: Handler.optional(),
  message: Description.optional(),
  /** The version that the change is based on. 409 without a deploy if it is no longer the live version. */
  replaces: VersionNumber.optional(),
  /** False: the version is published and does not become live. */
  serve: z.boolean().default(true),
});
/** Users of a function in the last seven days. */
export const FunctionUses = z.object({
  since: Timestamp,
  /** Destinations of the account's triggers that deliver to it, or transform their requests with it. */
  destinations: z.array(
    NamedDestination.extend({
      /** It uses the function to transform its requests, instead of delivering to it. */
      transforms: z.boolean(),
    }),
  ),
  /** At most 100,000 are counted. */
  runs: z.int(),
  /** Runs that a delivery caused. */
  deliveries: z.int(),
  /** The most frequent callers among the newest 500 runs without a delivery. */
  callers: z.array(z.object({ source_ip: z.string(), user_agent: z.string(), runs: z.int(), last_at: Timestamp })),
  /** Other accounts that starred it. */
  stars_elsewhere: z.int(),
  /** Number of versions, and of those that other accounts can read. */
  versions: z.object({ all: z.int(), public: z.int() }),
});
export const WhichVersion = z.object({ version: VersionParameter.optional() });
export const CodeDownload = z.object({ download_url: z.string(), sha256: z.string(), size: z.number().int() });
export const FilesReply = z.object({ version: z.number().int(), handler: z.string(), files: StringMap });

const EnvKey = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    'expected a letter or _ followed by letters, digits or _, at most 128 characters',
  );
/** The service sets these two in every run. */
export const OwnEnvKey = EnvKey.refine(
  (key) => key !== 'GATEWAY_URL' && key !== 'GATEWAY_TOKEN',
  'expected another name: the service sets this one',
);
const EnvValue = z
  .string()
  .max(32_768, 'expected at most 32768 characters')
  .refine((text) => !text.includes('\u0000'), 'expected no NUL character')
  .refine((text) => text.isWellFormed(), 'expected text without lone surrogates');
export const EnvKeyParam = EnvKey;
export const EnvVariable = z.object({
  key: z.string(),
  type: z.enum(ENV_TYPES),
  /** Null for SENSITIVE: those are write-only. */
  value: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export const EnvCreate = z.strictObject({
  env: z
    .array(z.strictObject({ key: OwnEnvKey, value: EnvValue, type: z.enum(ENV_TYPES).default('SENSITIVE') }))
    .min(1)
    .max(128)
    .superRefine((env, issue) => {
      const seen = new Set<string>();
      for (const [index, { key }] of env.entries()) {
        if (seen.has(key))
          issue.addIssue({
            code: 'custom',
            path: [index, 'key'],
            message: `expected each key once, ${key} appears twice`,
          });
        seen.add(key);
      }
    }),
});
export const EnvPut = z.strictObject({ value: EnvValue, type: z.enum(ENV_TYPES).optional() });

export const SearchQuery = z.object({
  q: z
    .string()
    .min(1, 'expected something to search for')
    .max(SEARCH_QUERY_MAX_CHARS, `expected at most ${SEARCH_QUERY_MAX_CHARS} characters`),
  owner: z.enum(['SELF', 'ALL']).default('SELF'),
  visibility: Visibility.optional(),
  case: z.enum(['auto', 'yes', 'no']).default('auto'),
  context: wholeNumber(0, SEARCH_CONTEXT_MAX).optional().meta({ default: 0 }),
  limit: limit(PAGE.search),
  /** All versions, not only the live version. */
  history: YesNo,
  /** Searches the code of this function only. The reply has up to 1,000 hits of it. */
  function_id: Id.optional(),
  /** Searches this version of the function instead of the live one. */
  version: VersionParameter.optional(),
  /** With `fold`, copies of a function are listed with the oldest of them, and `limit` counts them once. */
  copies: z.enum(['all', 'fold']).default('all'),
  sort: z.enum(SEARCH_SORTS).default('relevance'),
});
/** Functions with the same code, except for comments, formatting, prose and names. */
export const SearchCopies = z.object({
  count: z.number().int(),
  /** There are more than these. */
  has_more: z.boolean(),
  functions: z.array(
    HostedFunction.pick({ function_id: true, name: true, account_id: true, account_name: true, version: true }),
  ),
});
export const SearchHit = z.object({
  path: z.string(),
  line: z.number().int(),
  /** The last line of a match that has several. */
  end_line: z.number().int().optional(),
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
  /** In history: the first and the last version that have the line. */
  first_version: z.number().int().optional(),
  last_version: z.number().int().optional(),
});
export const FoundFunction = HostedFunction.extend({
  hit_count: z.number().int(),
  hits: z.array(SearchHit),
  /** In history: the first and the last version with a hit. */
  first_version: z.number().int().optional(),
  last_version: z.number().int().optional(),
  copies: SearchCopies.optional(),
});
/** `count`: the number of functions. */
const Counted = z.object({ value: z.string(), count: z.number().int() });
export const SearchReply = z.object({
  query: z.string(),
  mode: z.enum(['ranked', 'literal', 'regex', 'boolean']),
  count: z.number().int(),
  truncated: z.boolean(),
  functions: z.array(FoundFunction),
  /** What the live code of these functions defines and uses, the most frequent first; absent in the course of a stream. */
  facets: z
    .object({
      /** Kinds of definitions. */
      symbol: z.array(Counted),
      imports: z.array(Counted),
      host: z.array(Counted),
      env: z.array(Counted),
    })
    .optional(),
});

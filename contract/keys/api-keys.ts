/** API keys: their limits, what they were used for, and the test of limits on past use. */
import { z } from 'zod';
import { AppId } from '../apps.ts';
import { Id, Name, Timestamp, TimestampInput } from '../fields.ts';
import { KEY_OVERLAP_HOURS } from '../limits.ts';
import {
  GATEWAY_METHODS,
  GATEWAY_RULES_MAX,
  IP_RANGES_MAX,
  KEY_FUNCTIONS_MAX,
  KEY_LIMITS_MAX_CHARS,
  PATH_PATTERN_MAX_CHARS,
  RULE_ENTRIES_MAX,
} from './key-limits.ts';
import { KEY_ACCESS, SCOPES } from './scopes.ts';

const Scopes = z
  .array(z.enum(SCOPES))
  .min(1, 'expected at least one scope')
  .max(SCOPES.length, `expected each scope once, at most ${SCOPES.length}`);
const entries = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .min(1, 'expected at least one entry, or null for no limit')
    .max(RULE_ENTRIES_MAX, `expected at most ${RULE_ENTRIES_MAX} entries`)
    .nullable()
    .default(null);
/** `*` is one segment, `**` at the end any rest. */
const PathPattern = z
  .string()
  .max(PATH_PATTERN_MAX_CHARS, `expected at most ${PATH_PATTERN_MAX_CHARS} characters`)
  .regex(
    /^(?:\/(?!\.{1,2}(?:\/|$))(?:\*|[^\s/?#*\\\u0000-\u001f\u007f]+))*(?:\/|\/\*\*)?$/,
    'expected a path such as /user/repos, where * is one segment and ** at the end any rest',
  )
  .min(1, 'expected a path such as /user/repos');
export const GatewayRuleInput = z.strictObject({
  app: AppId,
  connection_ids: entries(Id),
  methods: entries(z.enum(GATEWAY_METHODS)),
  paths: entries(PathPattern),
});
const IpRange = z
  .union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()], 'expected an IP address or range such as 203.0.113.0/24')
  .refine((range) => !/^::ffff:/i.test(range), 'expected an IPv4 address without ::ffff:');
const Gateway = z
  .array(GatewayRuleInput)
  .min(1, 'expected at least one rule, or null for no limit')
  .max(GATEWAY_RULES_MAX, `expected at most ${GATEWAY_RULES_MAX} rules`)
  .nullable();
const Functions = z
  .array(Id)
  .min(1, 'expected at least one function, or null for no limit')
  .max(KEY_FUNCTIONS_MAX, `expected at most ${KEY_FUNCTIONS_MAX} functions`)
  .nullable();
const IpRanges = z
  .array(IpRange)
  .min(1, 'expected at least one range, or null for no limit')
  .max(IP_RANGES_MAX, `expected at most ${IP_RANGES_MAX} ranges`)
  .nullable();

/** A part that is missing keeps its value; null removes that limit. */
const limits = {
  access: z.enum(KEY_ACCESS).optional(),
  scopes: Scopes.nullable().optional(),
  gateway: Gateway.optional(),
  functions: Functions.optional(),
  ip_ranges: IpRanges.optional(),
};

const GatewayRule = z.object({
  app: z.string(),
  connection_ids: z.array(Id).nullable(),
  methods: z.array(z.enum(GATEWAY_METHODS)).nullable(),
  paths: z.array(z.string()).nullable(),
});
export const KeyLimits = z.object({
  /** Null with full access. */
  scopes: z.array(z.enum(SCOPES)).nullable(),
  /** Calls of apps that the key may make with `gateway:call`. Null: all. */
  gateway: z.array(GatewayRule).nullable(),
  /** Functions that it may use with a scope of `functions`. Null: all. */
  functions: z.array(Id).nullable(),
  /** IP addresses that may use it. Null: all. */
  ip_ranges: z.array(z.string()).nullable(),
});

export const ApiKey = KeyLimits.extend({
  key_id: Id,
  name: z.string(),
  /** The first characters of the key, to distinguish keys. */
  prefix: z.string(),
  access: z.enum(KEY_ACCESS),
  created_at: Timestamp,
  /** Name of the member or key that created it, or rotated it last, as it was then. */
  created_by: z.string(),
  /** That member; null if a key or the service created it. */
  created_by_user_id: Id.nullable(),
  /** Whether this member was removed since, and so may still know a key that works. */
  creator_removed: z.boolean(),
  last_used_at: Timestamp.nullable(),
  /** The IP address of the last use. */
  last_used_ip: z.string().nullable(),
  expires_at: Timestamp.nullable(),
  /** After a rotation: the old secret, and until when it works. */
  old: z.object({ prefix: z.string(), expires_at: Timestamp }).nullable(),
});
export const ApiKeyCreate = z.strictObject({
  name: Name,
  expires_at: TimestampInput.nullable().optional(),
  ...limits,
});
export const ApiKeyUpdate = z.strictObject({
  name: Name.optional(),
  expires_at: TimestampInput.nullable().optional(),
  ...limits,
});
const { min, max } = KEY_OVERLAP_HOURS;
export const ApiKeyRotate = z.strictObject({
  /** How long the old secret works. */
  overlap_hours: z
    .int(`expected a whole number from ${min} to ${max}`)
    .min(min, `expected a whole number from ${min} to ${max}`)
    .max(max, `expected a whole number from ${min} to ${max}`)
    .default(KEY_OVERLAP_HOURS.default),
});

/** Limits to test on past use, as they would be sent to create a key. */
const DraftLimits = z.strictObject(limits);
export type DraftLimits = z.output<typeof DraftLimits>;
export const KeyTestQuery = z.object({
  limits: z
    .string()
    .max(KEY_LIMITS_MAX_CHARS, `expected at most ${KEY_LIMITS_MAX_CHARS} characters of JSON`)
    .transform((text, issue): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        issue.addIssue({ code: 'custom', message: 'expected JSON' });
        return z.NEVER;
      }
    })
    .pipe(DraftLimits)
    .optional()
    .meta({
      type: 'string',
      description: 'Limits as JSON: `scopes`, `gateway`, `functions`, `ip_ranges`. None by default.',
    }),
});

const AppCalls = z.object({
  app: z.string(),
  connection_id: Id,
  method: z.string(),
  path: z.string(),
  calls: z.int(),
});
const OperationCalls = z.object({ operation: z.string(), function_id: Id.nullable(), calls: z.int() });
const FunctionCalls = z.object({ function_id: Id, calls: z.int() });
const AddressCalls = z.object({ ip: z.string(), calls: z.int() });

/** What a key was used for since `since`, the most frequent first. */
export const KeyUsage = z.object({
  /** At most 30 days ago; later if the key is younger, or uses were not recorded yet. */
  since: Timestamp,
  calls: z.int(),
  /** Calls of apps through the gateway, at most 100 kinds. */
  gateway: z.array(AppCalls),
  /** Operations of the API. */
  operations: z.array(OperationCalls),
  /** Functions called by their URL. */
  functions: z.array(FunctionCalls),
  addresses: z.array(AddressCalls),
  /** Limits that permit all of this and little else; null if there are none: `reason` has why. */
  proposal: KeyLimits.nullable(),
  reason: z.string().nullable(),
});
/** Result of a test: what the limits would have refused. */
export const KeyTest = z.object({
  since: Timestamp,
  calls: z.int(),
  refused: z.int(),
  /** Calls that could not be tested: too many different paths, or an operation that no longer exists. */
  untested: z.int(),
  /** The most frequent refused ones, at most 20, each with the reason. */
  examples: z.array(z.object({ what: z.string(), calls: z.int(), reason: z.string() })),
  /** Calls from IP addresses outside the ranges. They may be among `refused`, too. */
  refused_addresses: z.array(AddressCalls),
});

/** What breaks when something is removed: the code, functions, triggers, destinations and traffic that use it. */
import { z } from 'zod';
import { Id, Timestamp } from '../fields.ts';
import { NamedDestination } from '../shapes/named-destination.ts';
import { IMPACT_CAUSES, IMPACT_KINDS, TRIGGER_STATUSES } from '../states.ts';

const LONGEST_CHARS = 253;

export const ImpactQuery = z.object({
  kind: z.enum(IMPACT_KINDS),
  id: z
    .string({ error: 'expected what is to be removed' })
    .trim()
    .min(1, 'expected what is to be removed')
    .max(LONGEST_CHARS, `expected at most ${LONGEST_CHARS} characters`)
    .meta({
      description:
        'The ID of an API key, connection or function; the name of an app; a host such as api.example.com; the key of an environment variable.',
    }),
  function_id: Id.optional().meta({ description: 'The function of an environment variable.' }),
});

const Calls = z.int().meta({ description: 'Calls through the gateway in seven days.' });

export const Impact = z.object({
  kind: z.enum(IMPACT_KINDS),
  id: z.string(),
  name: z.string(),
  /** Runs and calls are counted from then on: seven days. */
  since: Timestamp,
  /** Lines of the account's code that name it, in the versions that serve. At most 50, and 5 of a function. */
  code: z.array(
    z.object({
      function_id: Id,
      name: z.string(),
      version: z.int(),
      path: z.string(),
      line: z.int(),
      text: z.string(),
    }),
  ),
  /** All lines of the functions in `code`. */
  line_count: z.int(),
  /** At most 50. */
  functions: z.array(
    z.object({
      function_id: Id,
      name: z.string(),
      /** Why the function is affected. */
      causes: z.array(z.enum(IMPACT_CAUSES)),
      /** Runs in seven days, counted up to 10,000. */
      runs: z.int(),
    }),
  ),
  /** API keys that are limited to it, or whose calls use it. At most 50. */
  api_keys: z.array(z.object({ key_id: Id, name: z.string(), calls: Calls })),
  /** Triggers that use it, or that deliver to an affected function or destination. At most 50. */
  triggers: z.array(
    z.object({ trigger_id: Id, name: z.string(), source: z.string(), status: z.enum(TRIGGER_STATUSES) }),
  ),
  /** Destinations that deliver to it or to an affected function, and those of affected triggers. At most 50. */
  destinations: z.array(NamedDestination),
  /** Calls through the gateway in seven days, counted up to 100,000. */
  gateway: z.object({ calls: Calls, last_at: Timestamp.nullable() }),
  /** Some list is cut, or not all code could be searched. */
  truncated: z.boolean(),
});

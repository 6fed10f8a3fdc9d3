/** What a function's code asks of the outside, for who thinks of using it; and copies of it. */
import { z } from 'zod';
import { Description, Id, Name, VersionNumber, VersionParameter } from './fields.ts';
import { NetworkPolicy } from './functions.ts';

const Place = z.object({ path: z.string(), line: z.number().int() });
/** The first places of each. */
const Named = z.object({ name: z.string(), places: z.array(Place) });
const NamedChange = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });

export const TrustQuery = z.object({
  version: VersionParameter.optional(),
  /** The version it is compared with: the one seen last. */
  since: VersionParameter.optional(),
});

export const Trust = z.object({
  version: z.number().int(),
  /** As they are now, whatever the version. */
  network_policy: NetworkPolicy,
  allowed_hosts: z.array(z.string()),
  /** Variables of its environment that it reads. */
  env: z.array(Named),
  /** Hosts in addresses that it names. */
  hosts: z.array(Named),
  /** Apps that it calls through the gateway. */
  apps: z.array(Named),
  packages: z.array(Named),
  /** What can't be known from reading the code: a name put together at run time, code made of text, a file not read. */
  unknown: z.array(Place.extend({ about: z.enum(['ENV', 'ADDRESS', 'CODE', 'FILE']), text: z.string() })),
  changes: z
    .object({
      since: z.number().int(),
      files: z.array(z.object({ path: z.string(), change: z.enum(['ADDED', 'REMOVED', 'CHANGED']) })),
      env: NamedChange,
      hosts: NamedChange,
      apps: NamedChange,
      packages: NamedChange,
    })
    .nullable(),
});

export const FunctionCopy = z.strictObject({
  name: Name,
  description: Description.optional(),
  /** The live version by default. */
  version: VersionNumber.optional(),
});
/** `env`: the variables that the code reads; the copy has none of them yet. */
export const FunctionCopied = z.object({
  env: z.array(z.string()),
  copied_from: z.object({ function_id: Id, version: z.number().int() }),
});

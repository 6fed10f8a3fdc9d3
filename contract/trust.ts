/** Analysis of a function's code, for users who consider a copy of it; and the copy. */
import { z } from 'zod';
import { Description, Id, Name, VersionNumber, VersionParameter } from './fields.ts';
import { NetworkPolicy } from './functions.ts';

const Place = z.object({ path: z.string(), line: z.number().int() });
/** A name, with the first places in the code. */
const Named = z.object({ name: z.string(), places: z.array(Place) });
const NamedChange = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });

export const TrustQuery = z.object({
  version: VersionParameter.optional(),
  /** The version to compare with: the one seen last. */
  since: VersionParameter.optional(),
});

export const Trust = z.object({
  version: z.number().int(),
  /** Current settings of the function, for any version. */
  network_policy: NetworkPolicy,
  allowed_hosts: z.array(z.string()),
  /** Environment variables that the code reads. */
  env: z.array(Named),
  /** Hosts of URLs in the code. */
  hosts: z.array(Named),
  /** Apps that the code calls through the gateway. */
  apps: z.array(Named),
  packages: z.array(Named),
  /** Code that can't be analyzed: a name built at run time, code built from text, a file that was not read. */
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
/**
 * `env`: the variables that the code reads, `apps`: the apps that it calls; the copy has none of them yet. A copy of a
 * function of the same account is granted the same connections.
 */
export const FunctionCopied = z.object({
  env: z.array(z.string()),
  apps: z.array(z.string()),
  copied_from: z.object({ function_id: Id, version: z.number().int() }),
});

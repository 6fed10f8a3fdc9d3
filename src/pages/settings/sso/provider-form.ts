import * as z from 'zod/mini';
import type { Body } from '../../../../contract/operations.ts';
import { ROLES, type Role } from '../../../../contract/states.ts';
import type { IdentityProvider } from '../../../api/entities.ts';

const text = (message: string) => z.string().check(z.trim(), z.minLength(1, message));

/** `ops = ADMIN`, one a line. The value may contain an equals sign. */
const MAPPING = /^(.+?)\s*=\s*(\w+)$/;

function isMapping(typed: string): boolean {
  return linesOf(typed).every((line) => ROLES.includes(MAPPING.exec(line)?.[2]?.toUpperCase() as Role));
}

export const schema = z.object({
  name: text('Enter a name.'),
  issuer: text('Enter the issuer URL.'),
  client_id: text('Enter the client ID.'),
  client_secret: z.string(),
  allowed_domains: text('Enter at least one domain.'),
  scopes: z.string(),
  creates_members: z.boolean(),
  default_role: z.enum(ROLES),
  role_claim: z.string().check(z.trim()),
  role_mapping: z
    .string()
    .check(z.refine(isMapping, 'Write one value a line, such as: ops = ADMIN. Roles: OWNER, ADMIN, VIEWER.')),
});
export type Typed = z.infer<typeof schema>;

const linesOf = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
const wordsOf = (typed: string): string[] => typed.split(/[\s,]+/).filter(Boolean);

/** The fields of the form for a provider, or for a new one. */
export const typedOf = (provider: IdentityProvider | undefined): Typed => ({
  name: provider?.name ?? '',
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  allowed_domains: provider?.allowed_domains.join(', ') ?? '',
  scopes: provider?.scopes.join(' ') ?? '',
  creates_members: provider?.creates_members ?? false,
  default_role: provider?.default_role ?? 'VIEWER',
  role_claim: provider?.role_claim ?? '',
  role_mapping: provider?.role_mapping.map(({ value, role }) => `${value} = ${role}`).join('\n') ?? '',
});

/** The body of the request that creates a provider. An empty secret is omitted. */
export function bodyOf(typed: Typed): Body<'identityProviderCreate'> {
  const { client_secret, role_claim, allowed_domains, scopes, role_mapping, ...plain } = typed;
  return {
    ...plain,
    ...(client_secret === '' ? {} : { client_secret }),
    role_claim: role_claim || null,
    allowed_domains: wordsOf(allowed_domains),
    scopes: wordsOf(scopes),
    role_mapping: linesOf(role_mapping).map((line) => {
      const [, value = '', role = ''] = MAPPING.exec(line) ?? [];
      return { value, role: role.toUpperCase() as Role };
    }),
  };
}

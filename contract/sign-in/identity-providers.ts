/** Identity providers (OpenID Connect), and the steps of a sign-in through one. */
import { z } from 'zod';
import { Email, Role, Session, SignIn } from '../account.ts';
import { Id, Name, Timestamp } from '../fields.ts';
import { IDENTITY_PROVIDER } from '../limits.ts';
import { SIGN_IN_PURPOSES, SIGN_IN_RESULTS } from '../states.ts';

const Issuer = z
  .string()
  .trim()
  .max(500, 'expected at most 500 characters')
  .refine(
    (text) => URL.canParse(text) && /^https?:\/\/[^\s?#@\\\u0000-\u001f]+$/i.test(text),
    'expected an https URL without a query',
  );
const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
    'expected a domain of email addresses, such as example.com',
  );
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'expected at least one character')
    .max(max, `expected at most ${max} characters`)
    .refine((text) => !/[\u0000-\u001f\u007f]/.test(text), 'expected one line without control characters');
const Claim = line(200);
const ClientText = line(1000);
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'expected a scope such as groups');
const RoleMapping = z
  .array(z.strictObject({ value: Claim, role: Role }))
  .max(IDENTITY_PROVIDER.mappings, `expected at most ${IDENTITY_PROVIDER.mappings} values`);

const providerFields = {
  name: Name,
  issuer: Issuer,
  client_id: ClientText,
  /** Null for a public client. */
  client_secret: ClientText.nullable(),
  /** Beside `openid`, `email` and `profile`. */
  scopes: z.array(Scope).max(20, 'expected at most 20 scopes'),
  allowed_domains: z
    .array(Domain)
    .min(1, 'expected at least one domain')
    .max(IDENTITY_PROVIDER.domains, `expected at most ${IDENTITY_PROVIDER.domains} domains`),
  /** The claim with the roles: its name, or a path with dots such as `realm_access.roles`. Null: no mapping. */
  role_claim: Claim.nullable(),
  /** The highest role of the claim's values applies. */
  role_mapping: RoleMapping,
  /** The role of new members, and of members whose claim has none of the values. */
  default_role: Role,
  /** Whether a person who is not a member becomes one at the first sign-in. */
  creates_members: z.boolean(),
};

export const IdentityProvider = z.object({
  provider_id: Id,
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  scopes: z.array(z.string()),
  allowed_domains: z.array(z.string()),
  role_claim: z.string().nullable(),
  role_mapping: z.array(z.object({ value: z.string(), role: Role })),
  default_role: Role,
  creates_members: z.boolean(),
  enabled: z.boolean(),
  /** Members who have signed in through it. */
  members: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export const IdentityProviderList = z.object({
  identity_providers: z.array(IdentityProvider),
  /** Those that the operator configured for the whole installation. */
  installation_providers: z.array(z.object({ name: z.string(), issuer: z.string() })),
  /** To register at each provider of this account. */
  redirect_url: z.string(),
  sign_out_url: z.string(),
  /** A sign-in page with the buttons of this account. */
  sign_in_url: z.string(),
});
const givenProvider = z.strictObject(providerFields);
const providerDefaults = {
  client_secret: providerFields.client_secret.optional(),
  scopes: providerFields.scopes.optional(),
  role_claim: providerFields.role_claim.optional(),
  role_mapping: providerFields.role_mapping.optional(),
  default_role: providerFields.default_role.optional(),
  creates_members: providerFields.creates_members.optional(),
};
export const IdentityProviderCreate = givenProvider.extend(providerDefaults);
/** The issuer of a provider does not change: its subjects would mean other people. */
export const IdentityProviderUpdate = givenProvider
  .omit({ issuer: true })
  .partial()
  .extend({ enabled: z.boolean().optional() });
/** The result of reading the provider's metadata and keys. `message` says what failed. */
export const IdentityProviderTest = z.object({ succeeded: z.boolean(), message: z.string() });

/** A provider in `SLUICE_OIDC_PROVIDERS`. */
export const InstallationProvider = givenProvider.extend(providerDefaults).extend({
  id: z.string().regex(/^[a-z0-9-]{1,30}$/, 'expected 1 to 30 characters of a-z, 0-9 and -'),
  /** The account of new members, and of the role mapping; the installation's first account by default. */
  account_id: Id.optional(),
});

export type InstallationProvider = z.infer<typeof InstallationProvider>;

const ProviderId = z.string().min(1).max(40);
/** Without an email address and an account: the providers of the installation. */
export const SignInProviders = z.strictObject({ email: Email.optional(), account_id: Id.optional() });
export const SignInProvider = z.object({
  provider_id: z.string(),
  name: z.string(),
  /** Of the page that the browser is sent to first. */
  host: z.string(),
});
/** `next` is the path of the console to open afterwards. `CONFIRM` confirms the session instead of the password. */
export const SignInStart = z.strictObject({
  provider_id: ProviderId,
  next: z
    .string()
    .max(2000, 'expected at most 2000 characters')
    .regex(/^\/(?![/\\])[^\u0000-\u001f\\]*$/, 'expected a path of the console, such as /events')
    .optional(),
  purpose: z.enum(SIGN_IN_PURPOSES).optional(),
});
/** The parameters of the callback. `account_id` is the account in its path. */
export const SignInFinish = z.strictObject({
  account_id: Id.optional(),
  state: z.string().min(1).max(500),
  code: z.string().max(8000).optional(),
  iss: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
});
/**
 * SIGNED_IN and CONFIRMED: `session` is open. CONFIRM_MEMBER: the address belongs to a member who has signed in without
 * the provider so far, and who has to confirm that once (`POST /session:link`).
 */
export const SignInFinished = z.object({
  result: z.enum(SIGN_IN_RESULTS),
  session: Session.nullable(),
  next: z.string(),
  member: z.object({ email: z.string(), account_name: z.string(), provider: z.string() }).nullable(),
});
/** The password of the member; without it, a recently confirmed session of the same person. */
export const SignInLink = z.strictObject({ password: SignIn.shape.password.optional() });

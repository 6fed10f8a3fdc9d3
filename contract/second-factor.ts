/** Second factors of a person: passkeys (WebAuthn), an authenticator app (TOTP) and recovery codes. */
import { z } from 'zod';
import { Id, Name, Timestamp } from './fields.ts';
import { FACTORS, PASSKEY_PURPOSES } from './states.ts';

export const Factor = z.enum(FACTORS);

/** Base64url without padding, as in the JSON forms of WebAuthn. */
const base64url = (maxChars: number) =>
  z
    .string()
    .max(maxChars, `expected at most ${maxChars} characters`)
    .regex(/^[A-Za-z0-9_-]*$/, 'expected base64url');

const credentialId = base64url(1400).min(1, 'expected the id of a credential');

/** The JSON form of a new credential (WebAuthn, RegistrationResponseJSON). Other fields are ignored. */
export const NewCredential = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(16_000),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
});

/** The JSON form of the use of a credential (WebAuthn, AuthenticationResponseJSON). Other fields are ignored. */
export const Assertion = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: base64url(200).nullable().optional(),
  }),
});

export const Passkey = z.object({
  passkey_id: Id,
  name: z.string(),
  /** Whether its provider copies it to the person's other devices. */
  synced: z.boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});

export const SecondFactors = z.object({
  passkeys: z.array(Passkey),
  /** Null: passkeys can be used. Otherwise why not. */
  passkeys_unavailable: z.string().nullable(),
  /** The authenticator app, once a code of it was entered. */
  authenticator: z.object({ created_at: Timestamp, last_used_at: Timestamp.nullable() }).nullable(),
  recovery_codes_left: z.int(),
  /** Names of the person's accounts that require a second factor. */
  required_by: z.array(z.string()),
  /** Whether the person has a password. */
  has_password: z.boolean(),
});

const code = z
  .string()
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'expected the 6 digits that the authenticator app shows'))
  .meta({ type: 'string', description: 'The 6 digits of the authenticator app. Spaces are ignored.' });

export const AuthenticatorCode = z.strictObject({ code });
export const NewAuthenticator = z.object({
  key: z.string().meta({ description: 'The secret in base32, for typing. It is not returned again.' }),
  url: z.string().meta({ description: 'The same as an otpauth: URL, for a QR code.' }),
});
/** Recovery codes are shown once. Null if the person has some already. */
export const NewRecoveryCodes = z.array(z.string()).nullable();

/** Exactly one of the three. */
export const SecondFactor = z
  .strictObject({
    code: code.optional(),
    recovery_code: z.string().min(1, 'expected a recovery code').max(100).optional(),
    passkey: Assertion.optional(),
  })
  .refine(
    (body) => Object.values(body).filter((value) => value !== undefined).length === 1,
    'expected exactly one of code, recovery_code and passkey',
  );

export const PasskeySignIn = z.strictObject({ passkey: Assertion });
export const PasskeyCreate = z.strictObject({ name: Name, passkey: NewCredential });
export const PasskeyUpdate = z.strictObject({ name: Name });
/** SIGN_IN: without a password. SECOND_FACTOR: after the password. CONFIRM: in place of the password, signed in. */
export const PasskeyRequest = z.strictObject({ purpose: z.enum(PASSKEY_PURPOSES) });

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});
/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
  allowCredentials: z.array(descriptor),
});

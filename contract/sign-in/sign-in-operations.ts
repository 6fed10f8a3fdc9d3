/** Schemas of the operations of signing in: sessions, passwords, second factors, invitations and identity providers. */
import { z } from 'zod';
import * as account from '../account.ts';
import { Id } from '../fields.ts';
import { takes } from '../shapes/takes.ts';
import * as identityProviders from './identity-providers.ts';

const done = z.object({});
const passkeyParams = z.object({ passkey_id: Id });
const providerParams = z.object({ provider_id: Id });
const session = z.object({ session: account.Session.nullable() });
const passkey = z.object({ passkey: account.Passkey });
const identityProvider = z.object({ identity_provider: identityProviders.IdentityProvider });

export const signInOperations = {
  sessionGet: takes({ reply: session }),
  sessionCreate: takes({ body: account.SignIn, reply: session }),
  sessionDelete: takes({ reply: account.SignedOut }),
  sessionList: takes({ reply: z.object({ sessions: z.array(account.OpenSession) }) }),
  sessionRevoke: takes({ body: account.SessionRevoke, reply: z.object({ ended: z.int() }) }),
  sessionSwitch: takes({ body: account.SessionSwitch, reply: session }),
  accountCreate: takes({ body: account.AccountCreate, reply: session }),
  passwordChange: takes({ body: account.PasswordChange, reply: session }),
  passwordConfirm: takes({ body: account.PasswordConfirm, reply: done }),
  passwordForgotten: takes({ body: account.PasswordForgotten, reply: account.PasswordForgottenReply }),
  sessionFactor: takes({ body: account.SecondFactor, reply: session }),
  sessionPasskey: takes({ body: account.PasskeySignIn, reply: session }),
  passkeyRequest: takes({ body: account.PasskeyRequest, reply: z.object({ options: account.RequestOptions }) }),
  factorList: takes({ reply: account.SecondFactors }),
  passkeyOptions: takes({ reply: z.object({ options: account.CreationOptions }) }),
  passkeyCreate: takes({
    body: account.PasskeyCreate,
    reply: passkey.extend({ recovery_codes: account.NewRecoveryCodes }),
  }),
  passkeyUpdate: takes({ params: passkeyParams, body: account.PasskeyUpdate, reply: passkey }),
  passkeyDelete: takes({ params: passkeyParams, reply: done }),
  authenticatorCreate: takes({ reply: z.object({ authenticator: account.NewAuthenticator }) }),
  authenticatorConfirm: takes({
    body: account.AuthenticatorCode,
    reply: z.object({ recovery_codes: account.NewRecoveryCodes }),
  }),
  authenticatorDelete: takes({ reply: done }),
  recoveryCodeCreate: takes({ reply: z.object({ recovery_codes: z.array(z.string()) }) }),
  invitationRead: takes({ body: account.InvitationRead, reply: z.object({ invitation: account.Invitation }) }),
  invitationAccept: takes({ body: account.InvitationAccept, reply: session }),

  signInProviders: takes({
    body: identityProviders.SignInProviders,
    reply: z.object({ providers: z.array(identityProviders.SignInProvider) }),
  }),
  signInStart: takes({ body: identityProviders.SignInStart, reply: z.object({ url: z.string() }) }),
  signInFinish: takes({ body: identityProviders.SignInFinish, reply: identityProviders.SignInFinished }),
  signInLink: takes({ body: identityProviders.SignInLink, reply: session.extend({ next: z.string() }) }),

  identityProviderList: takes({ reply: identityProviders.IdentityProviderList }),
  identityProviderCreate: takes({ body: identityProviders.IdentityProviderCreate, reply: identityProvider }),
  identityProviderUpdate: takes({
    params: providerParams,
    body: identityProviders.IdentityProviderUpdate,
    reply: identityProvider,
  }),
  identityProviderDelete: takes({ params: providerParams, reply: done }),
  identityProviderTest: takes({
    params: providerParams,
    reply: z.object({ test: identityProviders.IdentityProviderTest }),
  }),
};

/** Connect sessions: an end user connects one of several apps on a page of the service. */
import { z } from 'zod';
import { AppId } from '../apps.ts';
import { EndUser, EndUserInput, PlainText, Tags } from '../connections.ts';
import { Id, StringMap, Timestamp, WebUrl } from '../fields.ts';
import { CONNECT_LOGO, CONNECT_ORIGINS_MAX, CONNECT_SESSION, CONNECT_SESSION_MINUTES } from '../limits.ts';

/** Scheme, host and port, as in the header `Origin`. https, or http on the loopback interface. */
export const Origin = z
  .string()
  .max(300, 'expected at most 300 characters')
  .refine((text) => isOrigin(text), 'expected an origin such as https://app.example.com, or http://localhost:3000');

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || !/^[a-z0-9.-]+$|^\[::1\]$/.test(hostname)) return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname));
}

/** `#rrggbb`. */
export const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'expected a colour such as #1f5bd0');

const Values = StringMap.refine((map) => Object.keys(map).length <= 20, 'expected at most 20 parameters');

export const ConnectSessionCreate = z.strictObject({
  /** The apps that the end user may choose from. */
  apps: z
    .array(AppId)
    .min(1, 'expected at least one app')
    .max(CONNECT_SESSION.apps, `expected at most ${CONNECT_SESSION.apps} apps`)
    .transform((apps) => [...new Set(apps)])
    .pipe(z.array(z.string())),
  /** Values of fields by app, which the end user neither sees nor enters. None of a secret field. */
  parameters: z.record(AppId, Values).default({}),
  /** Given to each connection of the session. */
  end_user: EndUserInput.nullable().optional(),
  tags: Tags.default([]),
  /** Where the browser goes afterwards. Its origin is one of the account's connect settings. */
  redirect_url: WebUrl.nullable().default(null),
  /** Returned in the query of `redirect_url`. */
  state: PlainText(500).nullable().default(null),
  /** Origins of the pages that open the window and receive its messages; default: all of the connect settings. */
  allowed_origins: z
    .array(Origin)
    .max(CONNECT_ORIGINS_MAX, `expected at most ${CONNECT_ORIGINS_MAX} origins`)
    .optional(),
  expires_in_minutes: z.int().min(1).max(CONNECT_SESSION.minutes).default(CONNECT_SESSION_MINUTES),
  /** How many connections can be completed. */
  max_uses: z.int().min(1).max(CONNECT_SESSION.uses).default(1),
  /** In place of the colour of the connect settings. */
  accent: Colour.nullable().default(null),
});

export const EndUserSession = z.object({
  session_id: Id,
  apps: z.array(z.string()),
  end_user: EndUser.nullable(),
  tags: z.array(z.string()),
  redirect_url: z.string().nullable(),
  allowed_origins: z.array(z.string()),
  created_at: Timestamp,
  expires_at: Timestamp,
  max_uses: z.int(),
  uses: z.int(),
  /** `OPEN`: it can be used. `USED`: `max_uses` connections were completed. */
  status: z.enum(['OPEN', 'USED', 'EXPIRED']),
  /** The connections that were completed, in that order. */
  connections: z.array(z.object({ app: z.string(), connection_id: Id, at: Timestamp })),
});
export const ConnectSessionReply = z.object({ session: EndUserSession });
export const Params = z.object({ session_id: Id });
/** The URL and its token are returned only here. They authorize the use of the session. */
export const ConnectSessionCreated = z.object({ session: EndUserSession, url: z.string(), token: z.string() });

/** How the connect window looks: the colour of its button and links, and the account's logo. */
export const ConnectTheme = z.object({ accent: z.string().nullable(), logo: z.string().nullable() });

/** What the connect page shows to the holder of a session before an app is chosen. */
export const ConnectChoice = z.object({
  account_name: z.string(),
  apps: z.array(z.object({ app: z.string(), name: z.string(), icon: z.string().nullable(), description: z.string() })),
  theme: ConnectTheme,
  opener_origins: z.array(z.string()),
  /** Why no app can be chosen any longer; then `apps` is empty. */
  problem: z.object({ code: z.enum(['USED', 'EXPIRED']), message: z.string() }).nullable(),
  /** Where "Cancel" leads. */
  cancel_url: z.string().nullable(),
});
export const ConnectChoiceReply = z.object({ choice: ConnectChoice });
export const ConnectChosen = z.object({ token: z.string() });
export const ConnectChoose = z.strictObject({ app: AppId });

const LOGO_CHARS = Math.ceil(CONNECT_LOGO.bytes / 3) * 4 + 40;
export const ConnectSettings = z.object({
  /** Origins of the account's pages that may open connect sessions, and that their redirects may lead to. */
  allowed_origins: z.array(z.string()),
  accent: z.string().nullable(),
  /** A data URL of a PNG or JPEG image. */
  logo: z.string().nullable(),
  updated_at: Timestamp.nullable(),
});
export const ConnectSettingsReply = z.object({ settings: ConnectSettings });
/** Replaces the fields that are present. */
export const ConnectSettingsUpdate = z.strictObject({
  allowed_origins: z
    .array(Origin)
    .max(CONNECT_ORIGINS_MAX, `expected at most ${CONNECT_ORIGINS_MAX} origins`)
    .transform((origins) => [...new Set(origins)])
    .pipe(z.array(z.string()))
    .optional(),
  accent: Colour.nullable().optional(),
  logo: z
    .string()
    .max(LOGO_CHARS, `expected an image of at most ${CONNECT_LOGO.bytes / 1024} KiB`)
    .nullable()
    .optional(),
});

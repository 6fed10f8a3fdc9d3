/**
 * The account's settings of the connect window: the origins of its pages, its colour and its logo.
 *
 * An origin is a page that may open connect sessions, receives their messages, and to which their redirects may lead.
 * A session names some of them and no others, so a redirect URL from a request of an end user leads to no other site.
 * The logo is a PNG or JPEG file: an SVG may contain scripts and links.
 */
import { CONNECT_LOGO } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import * as store from '../store/connect-sessions.ts';
import { imageSize } from './image-size.ts';

type Settings = Reply<'connectSettingsGet'>['settings'];

const NONE: Settings = { allowed_origins: [], accent: null, logo: null, updated_at: null };

export async function get(ctx: Ctx, _input: Input<'connectSettingsGet'>): Promise<Reply<'connectSettingsGet'>> {
  return { settings: await settingsOf(ctx, ctx.account_id) };
}

/** Replaces the fields that are present. Sessions that were created before keep their origins. */
export async function update(
  ctx: Ctx,
  { body }: Input<'connectSettingsUpdate'>,
): Promise<Reply<'connectSettingsUpdate'>> {
  if (body.logo) checkLogo(body.logo);
  const settings = await write(ctx, async (tx, about) => {
    about(ctx.account_id, { noun: 'account' });
    const before = describe(await store.settings(tx, ctx.account_id));
    const after = {
      allowed_origins: body.allowed_origins ?? before.allowed_origins,
      accent: body.accent === undefined ? before.accent : body.accent,
      logo: body.logo === undefined ? before.logo : body.logo,
      updated_at: now(),
    };
    await store.putSettings(tx, ctx.account_id, { ...after, allowed_origins: JSON.stringify(after.allowed_origins) });
    return after;
  });
  return { settings };
}

export async function settingsOf({ db }: Pick<Services, 'db'>, account_id: string): Promise<Settings> {
  return describe(await store.settings(db, account_id));
}

function describe(row: Awaited<ReturnType<typeof store.settings>>): Settings {
  if (!row) return NONE;
  const { accent, logo, updated_at } = row;
  return { allowed_origins: JSON.parse(row.allowed_origins) as string[], accent, logo, updated_at };
}

/** The type that the data URL declares has to be the type of its bytes. */
function checkLogo(logo: string): void {
  const [, type, base64] = /^data:(image\/(?:png|jpeg));base64,([A-Za-z0-9+/]+={0,2})$/.exec(logo) ?? [];
  if (!type || !base64) throw badRequest('logo: expected a data URL of a PNG or JPEG image, in base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > CONNECT_LOGO.bytes)
    throw badRequest(`logo: expected an image of at most ${CONNECT_LOGO.bytes / 1024} KiB`);
  const size = imageSize(bytes);
  if (!size || size.type !== type) throw badRequest(`logo: expected the bytes of an ${type} file`);
  if (Math.max(size.width, size.height) > CONNECT_LOGO.pixels || Math.min(size.width, size.height) < 1)
    throw badRequest(`logo: expected 1 to ${CONNECT_LOGO.pixels} pixels on each side`);
}

/** Downloads of code by signed URL: the URL grants access to these bytes until it expires. */
import { DOWNLOAD_MINUTES } from '../../../contract/limits.ts';
import type { Services } from '../../platform/context.ts';
import { readBlob } from '../read-blob.ts';

const PURPOSE = 'download';
const CONTEXT = 'code';

type Ticket = { sha256: string; until_ms: number };

export function downloadUrl({ vault, settings }: Pick<Services, 'vault' | 'settings'>, sha256: string): string {
  const ticket: Ticket = { sha256, until_ms: Date.now() + DOWNLOAD_MINUTES * 60_000 };
  return `${settings.addresses.console_url}/downloads/${vault.sealToken(PURPOSE, CONTEXT, JSON.stringify(ticket))}`;
}

/** The bytes for a token; null when it is invalid or has expired, or the code was removed. */
export async function serveDownload(
  services: Pick<Services, 'vault' | 'blobs' | 'log'>,
  token: string,
): Promise<Buffer | null> {
  const text = services.vault.openToken(PURPOSE, CONTEXT, token);
  if (text === null) return null;
  const { sha256, until_ms } = JSON.parse(text) as Ticket;
  if (Date.now() > until_ms || !(await services.blobs.has(sha256))) return null;
  return readBlob(services, sha256);
}

/** Unpacks a package's tarball in memory: regular files only, with paths inside the package. */
import path from 'node:path/posix';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export class TarballError extends Error {
  override name = 'TarballError';
}

const BLOCK = 512;
const inflate = promisify(gunzip);

/** Path without the top folder ("package/") → content. Throws when the content exceeds `maxBytes`. */
export async function unpack(tarball: Buffer, maxBytes: number): Promise<Map<string, Buffer>> {
  const headers = maxBytes + 64 * 1024 * 1024;
  const tar = await inflate(tarball, { maxOutputLength: Math.max(headers, BLOCK) }).catch((error: unknown) => {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new TarballError(isTooLong ? `it unpacks to more than ${maxBytes} bytes` : 'its tarball is damaged');
  });
  return filesOf(tar);
}

function filesOf(tar: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  /** A long name for the next entry. */
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const sizeBytes = sizeOf(header);
    const content = tar.subarray(at + BLOCK, at + BLOCK + sizeBytes);
    if (content.length < sizeBytes) throw new TarballError('its tarball ends too early');
    at += BLOCK + Math.ceil(sizeBytes / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x') longName = paxPath(content) ?? longName;
    else if (type === 'L') longName = textOf(content);
    else if (type !== 'g') {
      const name = inside(longName ?? nameOf(header));
      // Links and devices are skipped: they have no meaning in memory.
      if (name && (type === '0' || type === '\0')) files.set(name, content);
      longName = undefined;
    }
  }
  return files;
}

/** Octal text. Packages do not need the binary form, for entries above 8 GB. */
function sizeOf(header: Buffer): number {
  const text = textOf(header.subarray(124, 136)).trim();
  if (!/^[0-7]{1,11}$/.test(text)) throw new TarballError('its tarball is damaged');
  return Number.parseInt(text, 8);
}

function nameOf(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  const prefix = textOf(header.subarray(257, 262)) === 'ustar' ? textOf(header.subarray(345, 500)) : '';
  return prefix ? `${prefix}/${name}` : name;
}

/** Reads "<length> path=<name>\n" from the records of an extended header. */
function paxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at);
    const length = Number(content.toString('latin1', at, space));
    if (space < at || !Number.isInteger(length) || length < 1) return undefined;
    const record = content.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return undefined;
}

function inside(name: string): string | undefined {
  const clean = path.normalize(name);
  if (path.isAbsolute(clean) || clean.startsWith('..') || clean.includes('\0')) return undefined;
  return clean.slice(clean.indexOf('/') + 1) || undefined;
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

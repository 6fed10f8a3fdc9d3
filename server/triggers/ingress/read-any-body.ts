/**
 * Bodies of the source `webhook`, which accepts any content type. The payload of its event:
 *
 *   JSON, whatever its content type          the JSON itself, as for every source
 *   no body                                  the parameters of the query
 *   application/x-www-form-urlencoded        the fields; one that is given several times is an array
 *   multipart/form-data                      the same; a file is {filename, content_type, size, base64}
 *   any other text                           {content_type, text}
 *   anything else                            {content_type, base64}
 *
 * A body with the type JSON that does not parse is rejected, as is a multipart body that is malformed.
 */
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { FORM_FIELDS_MAX, JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { queryValues } from '../../../contract/text/request-values.ts';
import type { PushSource } from '../../connections/apps/source.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import type { Seen } from './incoming.ts';
import { shownQuery } from './kept-request.ts';
import { type Bodies, isForm, readBody, readJson, Unreadable } from './read-body.ts';

type Given = Pick<Seen, 'method' | 'query' | 'headers' | 'body'>;

/** Reads the events of a request to a source. Throws Unreadable. */
export async function readEvents(source: PushSource, request: Given): Promise<Bodies> {
  if (!source.anyBody) return readBody(source, request);
  const { method, headers, body, query } = request;
  const type = headers['content-type'];
  const isEmpty = body.length === 0;
  if (isEmpty && (!isJson(type) || BODYLESS.test(method))) return only(queryValues(shownQuery(query)));
  if (isJson(type)) return readBody(source, request);
  if (isMultipart(type)) return only(await readMultipart(type, body));
  return readOther(source, type, body);
}

/** The same for a request that a user accepts although it was rejected: a malformed body is text or bytes. */
export async function acceptEvents(source: PushSource, request: Given): Promise<Bodies> {
  try {
    return await readEvents(source, request);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return only(textOrBytes(request.headers['content-type'], request.body));
  }
}

const BODYLESS = /^(?:GET|DELETE)$/;
type ContentType = string | string[] | undefined;
const isJson = (type: ContentType) => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(String(type ?? ''));
const isMultipart = (type: ContentType): type is string =>
  typeof type === 'string' && /^multipart\/form-data\s*(?:;|$)/i.test(type);

const only = (payload: object): Bodies => ({
  whole: payload,
  items: [{ json: JSON.stringify(payload), body: payload }],
});

function readOther(source: PushSource, type: ContentType, body: Buffer): Bodies {
  const text = textIn(body, 'utf-8');
  if (text !== undefined && isJsonText(text)) return readJson(source, text);
  if (text === undefined || !isForm(type)) return only(textOrBytes(type, body));
  if (countOf(text, '&') >= FORM_FIELDS_MAX) throw tooManyFields();
  return only(queryValues(text));
}

function isJsonText(text: string): boolean {
  if (!/^\s*["{[\d\-tfn]/.test(text) || isDeeperThan(text, JSON_MAX_DEPTH)) return false;
  try {
    parseExactly(text);
    return true;
  } catch {
    return false;
  }
}

function textOrBytes(type: ContentType, body: Buffer): object {
  const content_type = type === undefined ? null : String(type);
  const text = textIn(body, charsetOf(content_type));
  // Control characters take six characters in JSON: such a body is not a text.
  if (text !== undefined && JSON.stringify(text).length <= 2 * body.length + 2) return { content_type, text };
  return { content_type, base64: body.toString('base64') };
}

const charsetOf = (type: string | null) => /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type ?? '')?.[1] ?? 'utf-8';

/** The text of bytes in a charset; undefined if they are none, or if the charset is unknown. */
function textIn(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function countOf(text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count++;
  return count;
}

const tooManyFields = () => new Unreadable('TOO_LARGE', `The form has more than ${FORM_FIELDS_MAX} fields.`);
const malformed = (why: string) => new Unreadable('MALFORMED', `The multipart body is malformed: ${why}.`);

type File = { filename: string | null; content_type: string; size: number; base64: string };

/** The fields and files of a multipart body, by name. */
async function readMultipart(type: string, body: Buffer): Promise<object> {
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(type);
  const { length } = boundary?.[1] ?? boundary?.[2] ?? '';
  // RFC 2046 §5.1.1
  if (length < 1 || length > 70) throw malformed('the content type has no boundary of 1 to 70 characters');
  const values = new Map<string, (string | File)[]>();
  const note = (name: string, value: string | File) => {
    const own = values.get(name);
    if (own) own.push(value);
    else values.set(name, [value]);
  };
  await parsed(type, body, note);
  return Object.fromEntries([...values].map(([name, own]) => [name, own.length === 1 ? own[0] : own]));
}

function parsed(type: string, body: Buffer, note: (name: string, value: string | File) => void): Promise<void> {
  return new Promise((ok, refuse) => {
    const fail = (error: unknown) =>
      refuse(malformed(error instanceof Error ? lowerFirst(error.message) : String(error)));
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { 'content-type': type },
        limits: { parts: FORM_FIELDS_MAX, headerPairs: 100, headerSize: 16_384 },
        isPartAFile: () => true,
      });
    } catch (error) {
      return fail(error);
    }
    parser.on(
      'file',
      (
        name: string | undefined,
        stream: BusboyFileStream,
        filename: string | undefined,
        _: string,
        partType: string,
      ) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', fail);
        stream.on('end', () => {
          if (name === undefined) return refuse(malformed('a part has no name'));
          note(name, partValue(Buffer.concat(chunks), filename, partType));
        });
      },
    );
    parser.on('partsLimit', () => refuse(tooManyFields()));
    parser.on('error', fail);
    parser.on('finish', ok);
    parser.end(body);
  });
}

function partValue(bytes: Buffer, filename: string | undefined, content_type: string): string | File {
  const text = filename === undefined ? textIn(bytes, 'utf-8') : undefined;
  return text ?? { filename: filename ?? null, content_type, size: bytes.length, base64: bytes.toString('base64') };
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

/** Request bodies with files: several parts, or one file. The files are read when the request is sent. */
import { base64Of } from '../../../../../contract/text/base64.ts';
import type { SnippetCall } from '../snippets.ts';
import { filledParts, type Outgoing, type TypedRequest, takesBody } from '../typed-request.ts';

/** What a snippet has of a body with files. */
export function snippetFiles(typed: TypedRequest): Pick<SnippetCall, 'parts' | 'fileName'> {
  if (!takesBody(typed.method)) return {};
  if (typed.kind === 'file') return { fileName: typed.file?.name };
  if (typed.kind !== 'multipart') return {};
  const parts = filledParts(typed).map(({ name, value, file }) =>
    file ? { name, value: '', fileName: file.name, type: file.type } : { name, value },
  );
  return { parts };
}

/** The request with its files as Base64; one without files is returned as it is. Rejects if a file cannot be read. */
export async function withFiles(typed: TypedRequest, request: Outgoing): Promise<Outgoing> {
  if (!takesBody(typed.method)) return request;
  if (typed.kind === 'file' && typed.file)
    return { ...request, body: base64Of(await bytesOf(typed.file)), body_encoding: 'base64' };
  if (typed.kind !== 'multipart') return request;
  const form = new FormData();
  for (const { name, value, file } of filledParts(typed)) {
    if (file) form.append(name, file);
    else form.append(name, value);
  }
  // the browser chooses the boundary, and names it in the type
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? 'multipart/form-data';
  const body = base64Of(await bytesOf(encoded));
  return { ...request, headers: [...(request.headers ?? []), ['content-type', type]], body, body_encoding: 'base64' };
}

const bytesOf = async (given: Blob | Response): Promise<Uint8Array> => new Uint8Array(await given.arrayBuffer());

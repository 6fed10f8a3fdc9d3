/** A request as it is saved for the account, and the form values of a saved one. */
import { MASK } from '../../../../../contract/limits.ts';
import type { CallInput, Reply } from '../../../../api/operation.ts';
import type { Sent } from '../history.ts';
import { type Pair, queryRows } from '../query-rows.ts';
import { sentPath, type TypedRequest } from '../typed-request.ts';

export type SavedRequest = Reply<'savedRequestList'>['saved_requests'][number];
export type Opened = TypedRequest & Pick<Sent, 'leftOut'>;

/** Without files: they are not saved. */
export function toSave({ method, path, headers, kind, text, form, parts = [] }: TypedRequest, name: string) {
  const rows = headers.filter((row) => row.name.trim() !== '');
  return {
    name,
    method,
    path: sentPath(path),
    headers: rows.map((row): [string, string] => [row.name.trim(), row.value]),
    body_kind: kind,
    body: bodyOf({ kind, text, form, parts }),
  } satisfies CallInput<'savedRequestCreate'>['body'];
}

function bodyOf({
  kind,
  text,
  form,
  parts,
}: Required<Pick<TypedRequest, 'kind' | 'text' | 'form'>> & { parts: readonly Pair[] }) {
  if (kind === 'json' || kind === 'text') return text;
  if (kind === 'form' || kind === 'multipart') return encoded(kind === 'form' ? form : parts);
  return '';
}

const encoded = (pairs: readonly Pair[]): string =>
  new URLSearchParams(
    pairs.filter(({ name }) => name !== '').map(({ name, value }): [string, string] => [name, value]),
  ).toString();

/** Masked values are empty, and `leftOut` names their places. */
export function ofSaved({ method, path, headers, body_kind, body }: SavedRequest): Opened {
  const isMasked = (text: string) => text.includes(MASK);
  const unmasked = (text: string) => text.replaceAll(MASK, '');
  const pairs = queryRows(`?${unmasked(body)}`);
  return {
    method,
    path: unmasked(path),
    headers: headers.map(([name, value]) => ({ name, value: unmasked(value) })),
    kind: body_kind,
    text: body_kind === 'json' || body_kind === 'text' ? unmasked(body) : '',
    form: body_kind === 'form' ? pairs : [],
    ...(body_kind === 'multipart' ? { parts: pairs } : {}),
    leftOut: [
      ...(isMasked(path) || isMasked(body) ? ['secrets' as const] : []),
      ...(body_kind === 'file' ? ['files' as const] : []),
      ...(headers.some(([, value]) => isMasked(value)) ? ['header values' as const] : []),
    ],
  };
}

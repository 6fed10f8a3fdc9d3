/** The form values of a captured request, to send it again. */
import { MASK } from '../../../../contract/limits.ts';
import type { Reply } from '../../../api/operation.ts';
import { type Pair, queryRows } from './query-rows.ts';
import { type BodyKind, type TypedRest, takesBody, whyNotSent } from './typed-request.ts';

type Captured = NonNullable<Reply<'callGet'>['capture']>;

export interface FilledRequest extends TypedRest {
  /** Names of headers that were masked, and so are left out. */
  readonly masked: readonly string[];
  /** Why the body is not the one that was sent. */
  readonly body: 'whole' | 'masked' | 'truncated' | 'binary';
}

/** Headers that clients add. */
const USUAL = /^(?:user-agent|accept-encoding|accept-language|sec-fetch-mode|traceparent|tracestate)$/;

/** Undefined without a captured request. */
export function requestOfCall(capture: Captured | null | undefined): FilledRequest | undefined {
  if (!capture) return undefined;
  const { method, headers: sent, body } = capture.request;
  const own = sent.filter(([name]) => whyNotSent(name) === undefined && !USUAL.test(name.toLowerCase()));
  const masked = own.filter(([, value]) => value.includes(MASK)).map(([name]) => name);
  const headers = own.filter(([, value]) => !value.includes(MASK)).map(([name, value]): Pair => ({ name, value }));
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const text = body.kept === 'WHOLE' ? (body.text ?? '') : '';
  return {
    headers,
    ...bodyOf(takesBody(method) ? text : '', type),
    masked,
    body:
      body.kept === 'TRUNCATED'
        ? 'truncated'
        : body.kept === 'BINARY'
          ? 'binary'
          : text.includes(MASK)
            ? 'masked'
            : 'whole',
  };
}

function bodyOf(text: string, type: string): Pick<TypedRest, 'kind' | 'text' | 'form'> {
  if (text === '') return { kind: 'none', text: '', form: [] };
  if (/^application\/x-www-form-urlencoded/i.test(type)) return { kind: 'form', text: '', form: queryRows(`?${text}`) };
  const kind: BodyKind = /json/i.test(type) ? 'json' : 'text';
  return { kind, text, form: [] };
}

/** Manual setup steps at the source for a trigger's webhook URL. */
import type { RejectionCause } from '../../../../contract/states.ts';
import type { Trigger } from '../../../api/entities.ts';
import type { Reply } from '../../../api/operation.ts';

export type Ingress = NonNullable<Trigger['ingress']>;
export type Rejection = Reply<'rejectionList'>['rejections'][number];

/** A part of a step: text, or a value to copy. */
export type StepPiece = { readonly text: string } | { readonly copy: 'url' | 'secret' };

/** Splits `Paste {url} there.` into its parts. */
export function stepPieces(step: string): readonly StepPiece[] {
  return step.split(/(\{url\}|\{secret\})/).flatMap((piece): readonly StepPiece[] => {
    if (piece === '{url}') return [{ copy: 'url' }];
    if (piece === '{secret}') return [{ copy: 'secret' }];
    return piece === '' ? [] : [{ text: piece }];
  });
}

/** Why a request was rejected, and how to fix it. */
export const CAUSES: Record<RejectionCause, { readonly title: string; readonly fix: string }> = {
  SIGNATURE_MISSING: {
    title: 'Not signed',
    fix: 'Enter the secret at the source, or turn on signing for this webhook URL.',
  },
  SIGNATURE_WRONG: {
    title: 'Invalid signature',
    fix: 'The secret here and the one at the source differ: set both to the same.',
  },
  TIMESTAMP_STALE: {
    title: 'Timestamp too old',
    fix: 'The request was signed long before it arrived: it was replayed, or a clock is wrong.',
  },
  SECRET_MISSING: {
    title: 'No secret',
    fix: 'Enter the secret that the source shows in this trigger’s settings.',
  },
  NOT_JSON: { title: 'Not JSON', fix: 'The source must send JSON.' },
  MALFORMED: {
    title: 'Malformed body',
    fix: 'The body does not match its content type. Have the source send valid data.',
  },
  NOT_UTF8: { title: 'Not UTF-8', fix: 'The source must send its text as UTF-8.' },
  TOO_LARGE: { title: 'Too large', fix: 'Have the source send less in one request.' },
  TOO_DEEP: { title: 'Nested too deeply', fix: 'Have the source send a flatter body.' },
  BODY_CUT: {
    title: 'Incomplete body',
    fix: 'The connection was closed before the body was complete. Sources usually retry such a request.',
  },
  WRONG_METHOD: {
    title: 'Wrong method',
    fix: 'Have the source use an accepted method, or change the methods in this trigger’s settings.',
  },
  RATE_LIMITED: {
    title: 'Too many requests',
    fix: 'Have the source send fewer requests, or more events in one. Sources usually retry such a request.',
  },
};

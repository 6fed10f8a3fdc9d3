/**
 * The cause of a failure, as a fingerprint: failures with the same fingerprint are one problem. Pure.
 *
 * A failure has two fingerprints. `fingerprint` includes the signature of its message. `base` does not: a cause whose
 * message has other words each time would be a problem for each, so after some signatures of one base, the rest are
 * grouped by the base (grouping.ts).
 */
import { createHash } from 'node:crypto';
import type { ProblemKind } from '../../../contract/states.ts';
import type { Evidence, Named } from './failures.ts';
import { type Frame, topOwnFrame } from './frames.ts';
import { readBody, signatureOf } from './signature.ts';

export type Cause = {
  kind: ProblemKind;
  fingerprint: string;
  base: string;
  title: string;
  /** The title of the problem of all failures with this base. */
  base_title: string;
  /** The signature of the message; empty without one. */
  signature: string;
  /** An error code, the type of an error, or the cause of a rejection. */
  code: string | null;
  status: number | null;
  frame: Frame | null;
  app: string | null;
};

type Draft = Omit<Cause, 'kind' | 'fingerprint' | 'base' | 'title' | 'base_title'> & {
  parts: (string | number | null)[];
  /** Compared instead of the signature; null: the base is complete. */
  detail: string | null;
  title: string;
};

const TITLE_CHARS = 200;
const NAME_CHARS = 60;

/** The cause of a failure. */
export function causeOf(evidence: Evidence): Cause {
  const { parts, detail, title, ...rest } = draftOf(evidence);
  const shown = rest.signature && !title.endsWith('.') ? `${title}: ${rest.signature}` : title;
  return {
    ...rest,
    kind: evidence.kind,
    base: hashOf(parts),
    fingerprint: hashOf(detail === null ? parts : [...parts, detail.toLowerCase()]),
    title: cut(shown, TITLE_CHARS),
    base_title: cut(title, TITLE_CHARS),
  };
}

/** What of a destination failed, if nothing was received. */
function titleOf(reason: string, name: string): string {
  if (reason === 'TEMPLATE_ERROR') return `The body template of ${name.toLowerCase()} fails`;
  return reason === 'TRANSFORM_ERROR' ? `The transformation of ${name.toLowerCase()} fails` : `${name} fails`;
}

function draftOf(evidence: Evidence): Draft {
  switch (evidence.kind) {
    case 'DELIVERY':
      return ofDelivery(evidence);
    case 'RUN':
      return ofRun(evidence);
    case 'CALL':
      return ofCall(evidence);
    case 'RENEWAL':
      return ofRenewal(evidence);
    case 'REJECTION':
      return {
        ...plain,
        parts: ['REJECTION', evidence.trigger.id, evidence.cause],
        title: `Requests to trigger ${quoted(evidence.trigger)} are rejected: ${REJECTED[evidence.cause] ?? evidence.cause}`,
        code: evidence.cause,
      };
    case 'SCHEDULE':
      return {
        ...plain,
        parts: ['SCHEDULE', evidence.trigger.id],
        title: `Schedule ${quoted(evidence.trigger)} missed its times`,
      };
    case 'POLL':
      return {
        ...plain,
        parts: ['POLL', evidence.trigger.id],
        title: `The source of trigger ${quoted(evidence.trigger)} cannot be read`,
      };
  }
}

const plain = { detail: null, signature: '', code: null, status: null, frame: null, app: null };

/** Failures of the network, or of a proxy before the receiver: all destinations of the host fail. */
const BY_HOST: Record<string, string> = {
  TIMEOUT: 'does not respond in time',
  DNS_ERROR: 'cannot be resolved',
  CONNECTION_REFUSED: 'refuses connections',
  CONNECTION_RESET: 'closes connections without a response',
  TLS_ERROR: 'has a TLS certificate or protocol that is not accepted',
  BLOCKED_ADDRESS: 'has an IP address that is blocked',
};
const UNAVAILABLE = [502, 503, 504];

function ofDelivery({ destination, url, reason, status, body, message }: Evidence & { kind: 'DELIVERY' }): Draft {
  const host = hostOf(url);
  const networkTitle = BY_HOST[reason];
  if (networkTitle) {
    const detail = reason === 'TLS_ERROR' ? signatureOf(message ?? '') : null;
    return {
      ...plain,
      parts: ['HOST', host, reason],
      detail,
      signature: detail ?? '',
      code: reason,
      title: `Host ${host} ${networkTitle}`,
    };
  }
  if (status !== null && UNAVAILABLE.includes(status))
    return { ...plain, parts: ['HOST', host, 'UNAVAILABLE'], status, title: `Host ${host} is unavailable` };
  const name = `Destination ${quoted(destination)}`;
  if (status === null) {
    const signature = signatureOf(message ?? '');
    return {
      ...plain,
      parts: ['DELIVERY', destination.id, reason],
      detail: signature,
      signature,
      code: reason,
      title: titleOf(reason, name),
    };
  }
  if (reason === 'REDIRECT')
    return { ...plain, parts: ['DELIVERY', destination.id, reason], status, title: `${name} redirects to another URL` };
  const { code, message: text } = readBody(body ?? '');
  const signature = signatureOf(text);
  return {
    ...plain,
    parts: ['DELIVERY', destination.id, status],
    // A code says the same in every language; the words beside it vary.
    detail: code ?? signature,
    signature: [code, signature].filter(Boolean).join(', '),
    code,
    status,
    title: `${name} returns ${status}`,
  };
}

function ofRun({ fn, isTimeout, error }: Evidence & { kind: 'RUN' }): Draft {
  const name = `Function ${quoted(fn)}`;
  if (isTimeout)
    return { ...plain, parts: ['RUN', fn.id, 'TIMEOUT'], code: 'Timeout', title: `${name} exceeds its time limit` };
  const type = signatureOf(error?.name ?? 'Error').slice(0, NAME_CHARS);
  const frame = topOwnFrame(error?.stack);
  const signature = signatureOf(error?.message ?? '');
  const place = frame ? ` in ${frame.name ? `${cut(frame.name, NAME_CHARS)} (${frame.file})` : frame.file}` : '';
  return {
    ...plain,
    // Without the line, which other versions move.
    parts: ['RUN', fn.id, type, frame?.file ?? null, frame?.name ?? null],
    detail: signature,
    signature,
    code: type,
    frame,
    title: `${name} throws ${type}${place}`,
  };
}

function ofCall({ connection, app, method, path, status, error }: Evidence & { kind: 'CALL' }): Draft {
  if (status === 401 || status === 403) return credentials({ connection, app, status, signature: '' });
  if (status === null || UNAVAILABLE.includes(status)) {
    const signature = signatureOf(error ?? '');
    return {
      ...plain,
      parts: ['APP', app, 'UNAVAILABLE'],
      detail: signature,
      signature,
      status,
      app,
      title: `Calls to ${app} fail`,
    };
  }
  if (status === 429)
    return { ...plain, parts: ['APP', app, 429], status, app, title: `${app} limits the rate of calls` };
  const place = signatureOf(path.split('?')[0] ?? '');
  return {
    ...plain,
    parts: ['APP', app, status, method],
    detail: place,
    signature: place === '' ? '' : `${method} ${place}`,
    status,
    app,
    title: `${app} returns ${status}`,
  };
}

function ofRenewal({ connection, app, isFinal, message }: Evidence & { kind: 'RENEWAL' }): Draft {
  const signature = signatureOf(message ?? '');
  if (isFinal) return credentials({ connection, app, status: null, signature });
  return {
    ...plain,
    parts: ['RENEWAL', connection.id],
    signature,
    app,
    title: `The token of connection ${quoted(connection)} to ${app} cannot be renewed`,
  };
}

/** Refused calls and failed renewals of a connection are one cause: its credentials no longer work. */
const credentials = (about: { connection: Named; app: string; status: number | null; signature: string }): Draft => ({
  ...plain,
  parts: ['CONNECTION', about.connection.id],
  signature: about.signature,
  status: about.status,
  app: about.app,
  title: `${about.app} rejects the credentials of connection ${quoted(about.connection)}`,
});

const REJECTED: Record<string, string> = {
  SIGNATURE_MISSING: 'the signature is missing',
  SIGNATURE_WRONG: 'the signature does not match',
  TIMESTAMP_STALE: 'the timestamp is too old',
  SECRET_MISSING: 'the secret is not set',
  NOT_JSON: 'the body is not JSON',
  NOT_UTF8: 'the body is not UTF-8',
  MALFORMED: 'the request is malformed',
  TOO_LARGE: 'the body is too large',
  TOO_DEEP: 'the body is nested too deeply',
  BODY_CUT: 'the body is incomplete',
  WRONG_METHOD: 'the method is not accepted',
  RATE_LIMITED: 'the rate limit is exceeded',
};

function hostOf(url: string): string {
  const at = /^mailto:[^@]{0,500}@([^?,\s]{1,255})/i.exec(url)?.[1];
  return at?.toLowerCase() ?? (URL.canParse(url) ? new URL(url).host : 'unknown');
}

/** A name in quotation marks, on one line. */
const quoted = ({ name }: Named): string => `“${cut(name.replaceAll(/\s+/g, ' ').trim(), NAME_CHARS)}”`;

const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1).toWellFormed()}…`;

const hashOf = (parts: (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

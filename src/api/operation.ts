import type { Body, Params, QueryNames, Reply } from '../../contract/operations.ts';
import type { Operation } from '../../contract/routes.ts';

type Scalar = string | number | boolean;
/** An operation without parameters has an index signature instead of names. */
type Named<K> = string extends K ? never : K;
type NamedParams<O extends Operation> = Extract<Named<Params<O>>, string>;
type NamedQuery<O extends Operation> = Extract<Named<QueryNames<O>>, string>;

type ParamsPart<O extends Operation> = [NamedParams<O>] extends [never]
  ? { params?: undefined }
  : { params: Record<NamedParams<O>, string | number> };
type QueryPart<O extends Operation> = [NamedQuery<O>] extends [never]
  ? { query?: undefined }
  : { query?: { [K in NamedQuery<O>]?: Scalar | undefined } | undefined };
type BodyPart<O extends Operation> = [Body<O>] extends [undefined]
  ? { body?: undefined }
  : undefined extends Body<O>
    ? { body?: Body<O> | undefined }
    : { body: Body<O> };

/** The input of an operation: path parameters, query and body. */
export type CallInput<O extends Operation> = ParamsPart<O> & QueryPart<O> & BodyPart<O>;
/** The input is optional if it has no required part. */
export type CallArgs<O extends Operation> =
  Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>];
/** An untyped input, for code that handles every operation. */
export type AnyInput = {
  params?: Record<string, string | number> | undefined;
  query?: Record<string, Scalar | undefined> | undefined;
  body?: unknown;
};

/** The input of a cached query, whose key is [operation, input]. */
export function inputOf({ queryKey: [, input] }: { readonly queryKey: readonly unknown[] }): AnyInput {
  return typeof input === 'object' && input !== null ? input : {};
}

/** Operations that return one page of a list. */
export type PagedOperation = {
  [O in Operation]: Reply<O> extends { next_token: string | null } ? O : never;
}[Operation];

export type { Body, Operation, Reply };

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ImpactCause } from '../../../contract/states.ts';
import { toApiError } from '../../api/api-error.ts';
import type { CallArgs, Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { Link } from '../Link.tsx';

type Found = Reply<'impactGet'>['impact'];
type Part = 'code' | 'functions' | 'api_keys' | 'triggers' | 'destinations' | 'gateway';

export interface ImpactProps {
  readonly of: NonNullable<NonNullable<CallArgs<'impactGet'>[0]>['query']>;
  /** What to show; the other parts are elsewhere in the dialog. */
  readonly parts?: readonly Part[];
  /** The sentence when these parts are empty. */
  readonly none?: string;
}

const ALL: readonly Part[] = ['code', 'functions', 'api_keys', 'triggers', 'destinations', 'gateway'];
const SHOWN = 5;
/** As the service counts them. */
const RUNS_MAX = 10_000;

/** What breaks when something is removed: code, functions, triggers, destinations and traffic of seven days. */
export function Impact({ of, parts = ALL, none = 'Nothing uses it.' }: ImpactProps) {
  const { data, error } = useQuery({ ...q('impactGet', { query: of }), staleTime: 0 });
  if (error) return <p className="text-bad-fg">What uses it is unknown: {toApiError(error).message}</p>;
  if (!data) return <SkeletonLines label="Checking what uses it" />;
  const { impact } = data;
  const shown = parts.filter((part) => (part === 'gateway' ? impact.gateway.calls > 0 : impact[part].length > 0));
  return (
    <section aria-label="What breaks" className="grid gap-3">
      {shown.includes('code') ? <Lines impact={impact} /> : null}
      {shown.includes('functions') ? (
        <Names label="Functions" count={impact.functions.length}>
          {impact.functions.slice(0, SHOWN).map(({ function_id, name, causes, runs }) => (
            <Name key={function_id} to={path.function(function_id)} name={name}>
              {causes.map((cause) => WHY[cause]).join(', ')} · {runs >= RUNS_MAX ? 'more than ' : ''}
              {plural(runs, 'run')} in 7 days
            </Name>
          ))}
        </Names>
      ) : null}
      {shown.includes('triggers') ? (
        <Names label="Triggers" count={impact.triggers.length}>
          {impact.triggers.slice(0, SHOWN).map(({ trigger_id, name, source, status }) => (
            <Name key={trigger_id} to={path.trigger(trigger_id)} name={name}>
              {source}
              {status === 'DISABLED' ? ', disabled now' : ''}
            </Name>
          ))}
        </Names>
      ) : null}
      {shown.includes('destinations') ? (
        <Names label="Destinations" count={impact.destinations.length}>
          {impact.destinations.slice(0, SHOWN).map(({ trigger_id, trigger_name, destination_id, name, status }) => (
            <Name key={destination_id} to={path.destination(trigger_id, destination_id)} name={name}>
              of {trigger_name}
              {status === 'DISABLED' ? ', disabled now' : ''}
            </Name>
          ))}
        </Names>
      ) : null}
      {shown.includes('api_keys') ? (
        <Names label="API keys" count={impact.api_keys.length}>
          {impact.api_keys.slice(0, SHOWN).map(({ key_id, name, calls }) => (
            <Name key={key_id} to={path.keyUsage(key_id)} name={name}>
              {plural(calls, 'call')} in 7 days
            </Name>
          ))}
        </Names>
      ) : null}
      <Summary impact={impact} none={shown.length === 0 ? none : undefined} withCalls={shown.includes('gateway')} />
    </section>
  );
}

const WHY: Record<ImpactCause, string> = {
  CODE: 'names it in code',
  GRANT: 'is granted it',
  CALLS: 'called with it',
  VARIABLE: 'has it as a variable',
  REMOVED: 'is removed',
};

function Lines({ impact: { code, line_count } }: { impact: Found }) {
  const functions = new Set(code.map(({ function_id }) => function_id)).size;
  return (
    <Names
      label={`${plural(line_count, 'line')} of code in ${plural(functions, 'function')}`}
      count={Math.max(line_count, code.length)}
    >
      {code.slice(0, SHOWN).map(({ function_id, name, version, path: file, line, text }) => (
        <li key={`${function_id} ${file}:${line}`} className="min-w-0 py-0.5">
          <Link
            className="link flex min-h-6 items-center"
            to={path.functionLine(function_id, { file, line, version })}
            title={`${name} ${file}:${line}`}
          >
            <span className="min-w-0 truncate">
              {name}{' '}
              <span className="data">
                {file}:{line}
              </span>
            </span>
          </Link>
          <code className="block truncate text-fg-2">{text.trim()}</code>
        </li>
      ))}
    </Names>
  );
}

function Names({ label, count, children }: { label: string; count: number; children: ReactNode[] }) {
  return (
    <div className="min-w-0">
      <h3 className="text-12 text-fg">{label}</h3>
      <ul aria-label={label}>
        {children}
        {count > children.length ? (
          <li className="text-12 text-fg-3">and {formatCount(count - children.length)} more</li>
        ) : null}
      </ul>
    </div>
  );
}

function Name({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  return (
    <li className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2">
      <Link className="link min-h-6 min-w-0 content-center truncate" to={to} title={name}>
        {name}
      </Link>
      <span className="min-w-0 text-12 wrap-anywhere text-fg-3">{children}</span>
    </li>
  );
}

function Summary({ impact, none, withCalls }: { impact: Found; none: string | undefined; withCalls: boolean }) {
  const { gateway, truncated } = impact;
  return (
    <div role="status" className="grid gap-1">
      {withCalls ? (
        <p>
          {plural(gateway.calls, 'call')} through the gateway in 7 days, the last{' '}
          {gateway.last_at === null ? null : <Time at={gateway.last_at} className="text-fg" />}.
        </p>
      ) : null}
      {none === undefined ? null : <p className="text-fg">{truncated ? 'Nothing was found so far.' : none}</p>}
      {truncated ? (
        <p className="text-fg-3">There may be more: some lists are cut, or not all code was searched.</p>
      ) : null}
    </div>
  );
}

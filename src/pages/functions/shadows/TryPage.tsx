import { useInfiniteQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useNavigate, useParams } from 'react-router';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { ShadowChip } from '../../../components/shadows/ShadowChip.tsx';
import { SentError } from '../../../forms/Form.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { functionQuery, idIn, versionsQuery } from '../function-queries.ts';
import { type Shadow, shadowsQuery } from './shadow-queries.ts';

export const handle: Handle = {
  crumb: ({ params }) => `Try ${params['version'] ? `version ${params['version']}` : 'a version'}`,
};
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(functionQuery(idIn(params)), shadowsQuery(idIn(params)), versionsQuery(idIn(params)));

const defaults = { version: '', problem: '' };

const NUMBERS = [10, 50, 100, 200].map((count) => ({ value: String(count), label: `The newest ${count}` }));
const KINDS = [
  { value: '', label: 'All requests' },
  { value: 'FAILED', label: 'Requests that failed' },
  { value: 'EVENT', label: 'Events of triggers' },
];
const BUDGET = [
  { name: 'no_new_failures', label: 'No success turns into a failure' },
  { name: 'no_changed_responses', label: 'No response changes' },
  { name: 'no_new_hosts', label: 'No other host or app is called' },
] as const;

/** Chooses the past requests on which a version is tried, and what it has to satisfy. */
export function Component() {
  const params = useParams();
  const function_id = idIn(params);
  const { function: fn } = usePrefetchedQuery(functionQuery(function_id)).data;
  const [url, set] = useUrlState(defaults);
  const versions = useInfiniteQuery(versionsQuery(function_id)).data?.pages.flatMap((page) => page.versions) ?? [];
  const others = versions.filter((each) => each.version !== fn.version);
  const version = Number(params['version'] || url.version || others[0]?.version);
  const problem_id = url.problem || undefined;
  const { shadows } = usePrefetchedQuery(shadowsQuery(function_id)).data;
  const navigate = useNavigate();
  const role = useReason('shadowCreate');
  const [last, setLast] = useState('50');
  const [kind, setKind] = useState('');
  const [text, setText] = useState('');
  const [budget, setBudget] = useState({ no_new_failures: true, no_changed_responses: false, no_new_hosts: false });
  const [deploy, setDeploy] = useState(false);
  const create = useApiMutation('shadowCreate', {
    failure: 'inline',
    invalidates: ['shadowList'],
    onSuccess: ({ shadow }) => navigate(path.shadow(function_id, shadow.shadow_id)),
  });
  const body = {
    version,
    last: Number(last),
    filter: {
      ...(problem_id ? { problem_id } : {}),
      ...(kind === 'FAILED' ? { status: 'FAILED' as const } : {}),
      ...(kind === 'EVENT' ? { caller: 'EVENT' as const } : {}),
      ...(text.trim() ? { q: text.trim() } : {}),
    },
    budget,
    deploy,
  };
  const input = { params: { function_id }, body };
  if (Number.isNaN(version)) return <NoVersion fn={fn} problemId={problem_id} />;
  const live = version === fn.version ? `Version ${version} is live.` : undefined;
  return (
    <>
      <PageHead
        title={`Try version ${version} on past requests`}
        meta={
          <>
            <Link className="link" to={path.function(function_id, 'versions')}>
              Versions of {fn.name}
            </Link>
            {problem_id ? (
              <Link className="link" to={path.problem(problem_id)}>
                On requests of a problem
              </Link>
            ) : null}
          </>
        }
        actions={<CopyAsCurl text={() => curlText('shadowCreate', input)} what="try this version" />}
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto border-t border-line">
        <form
          aria-label="Shadow"
          className="grid max-w-xl gap-3 p-4 max-sm:px-3"
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate(input);
          }}
        >
          <p className="text-fg-2">
            Stored requests of this function are sent to version {fn.version}, which is live, and to version {version},
            and their responses and logs are compared. Both run without network and without connected apps, with the
            variables of the function. Live calls are not affected.
          </p>
          {problem_id ? <p className="text-fg-2">The requests are those that failed with the problem.</p> : null}
          {params['version'] ? null : (
            <Field label="Version">
              <Select
                value={String(version)}
                options={others.map((each) => ({ value: String(each.version), label: `Version ${each.version}` }))}
                onChange={(event) => set({ version: event.target.value })}
              />
            </Field>
          )}
          <Field label="Number of requests">
            <Select value={last} options={NUMBERS} onChange={(event) => setLast(event.target.value)} />
          </Field>
          {problem_id ? null : (
            <Field label="Which requests">
              <Select value={kind} options={KINDS} onChange={(event) => setKind(event.target.value)} />
            </Field>
          )}
          <Field label="That contain this text" optional>
            <TextInput value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
          </Field>
          <fieldset>
            <legend className="mb-1 text-12 font-medium">The version passes if</legend>
            {BUDGET.map(({ name, label }) => (
              <Checkbox
                key={name}
                label={label}
                checked={budget[name]}
                onChange={(event) => setBudget({ ...budget, [name]: event.target.checked })}
              />
            ))}
          </fieldset>
          <Checkbox
            label="Deploy it when it passes"
            help="Unless another version becomes live meanwhile."
            checked={deploy}
            onChange={(event) => setDeploy(event.target.checked)}
          />
          {create.error ? <SentError error={create.error} /> : null}
          <div>
            <Button
              type="submit"
              variant="primary"
              icon={FlaskConical}
              reason={role ?? live}
              pending={create.isPending}
            >
              Start
            </Button>
          </div>
        </form>
        <Earlier functionId={function_id} shadows={shadows} />
      </div>
    </>
  );
}

/** Without another version, the next one is written in the editor and tried from there. */
function NoVersion({ fn, problemId }: { fn: HostedFunction; problemId: string | undefined }) {
  const to = path.functionLine(fn.function_id, problemId ? { problem: problemId } : {});
  return (
    <>
      <PageHead title="Try a version" />
      <EmptyState
        title="No other version"
        actions={<LinkButton render={<Link to={to} />}>Edit the code of {fn.name}</LinkButton>}
      >
        Version {fn.version} is live and the only one. Edit its code, then try it there before you deploy it.
      </EmptyState>
    </>
  );
}

/** Earlier shadows of the function. */
function Earlier({ functionId, shadows }: { functionId: string; shadows: readonly Shadow[] }) {
  if (shadows.length === 0) return null;
  return (
    <section className="border-t border-line p-4 max-sm:px-3">
      <h2 className="mb-1 text-13 font-medium">Earlier shadows</h2>
      <ul className="grid gap-1 text-12">
        {shadows.map((shadow) => (
          <li key={shadow.shadow_id} className="flex min-h-6 flex-wrap items-center gap-x-3">
            <Link className="link" to={path.shadow(functionId, shadow.shadow_id)}>
              Version {shadow.version} on {plural(shadow.total, 'request')}
            </Link>
            <ShadowChip shadow={shadow} />
            <Time at={shadow.created_at} className="text-fg-3" />
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { LoaderFunctionArgs } from 'react-router';
import { useParams } from 'react-router';
import type { ProblemDetail } from '../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { ProblemChip } from '../../components/problems/ProblemChip.tsx';
import { countsText, KIND_NOUNS, trendText } from '../../components/problems/problem-words.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Banner } from '../../ui/Banner.tsx';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ChangesBefore, precedingText } from './ChangesBefore.tsx';
import { FailureTable } from './FailureTable.tsx';
import { ProblemActions } from './ProblemActions.tsx';
import { ProblemShadows } from './ProblemShadows.tsx';
import { failuresQuery, idIn, problemQuery, problemReplaysQuery, shadowsQuery } from './problem-queries.ts';
import { FixLinks } from './replay/FixLinks.tsx';
import { ReplaySection } from './replay/ReplaySection.tsx';
import { Samples } from './Samples.tsx';
import { Section } from './Section.tsx';

export const handle: Handle = {
  crumb: ({ params }) => queryClient.getQueryData(problemQuery(idIn(params)).queryKey)?.problem.title ?? 'Problem',
};
export async function loader({ params }: LoaderFunctionArgs): Promise<null> {
  ensure(failuresQuery(idIn(params))).catch(() => undefined);
  await ensure(problemQuery(idIn(params)), problemReplaysQuery(idIn(params)));
  const detail = queryClient.getQueryData(problemQuery(idIn(params)).queryKey);
  return detail ? ensure(...ownFunctions(detail).map(({ resource_id }) => shadowsQuery(resource_id))) : null;
}

const FUNCTIONS_SHOWN = 3;
/** The functions whose shadows are listed. */
const ownFunctions = ({ parts }: Pick<ProblemDetail, 'parts'>) =>
  parts.filter(({ kind, exists }) => kind === 'FUNCTION' && exists).slice(0, FUNCTIONS_SHOWN);

/** One problem: what fails, since when, what changed before, samples, and everything affected. */
export function Component() {
  const id = idIn(useParams());
  const detail = usePrefetchedQuery(problemQuery(id)).data;
  const { problem, frame, shared, changes, samples } = detail;
  return (
    <>
      <PageHead
        title={problem.title}
        meta={<ProblemChip state={problem.state} />}
        actions={
          <>
            <span className="max-md:hidden">
              <CopyAsCurl text={() => curlText('problemGet', { params: { problem_id: id } })} what="get this problem" />
            </span>
            <ProblemActions problem={problem} />
          </>
        }
      />
      <ScrollPage label="Problem">
        <div className="grid gap-6 px-4 pb-6 max-sm:px-3">
          <StateNote problem={problem} />
          <Facts detail={detail} />
          <Section title="Fix">
            <FixLinks detail={detail} />
            {ownFunctions(detail).map(({ resource_id }) => (
              <ProblemShadows key={resource_id} problemId={id} functionId={resource_id} />
            ))}
          </Section>
          <ReplaySection problemId={id} />
          {frame ? (
            <Section title="Line that failed">
              <p className="mb-2 text-fg-2">
                <Link
                  className="link data"
                  to={path.functionLine(frame.function_id, {
                    file: frame.file,
                    line: frame.line,
                    version: frame.version,
                  })}
                >
                  {frame.file}:{frame.line}
                </Link>{' '}
                in version {frame.version}
                {frame.name === null ? '' : `, function ${frame.name}`}
              </p>
              {frame.text === null ? null : (
                <CodeBlock
                  code={frame.text}
                  language="typescript"
                  label="Line that failed"
                  lineNumbers
                  firstLine={frame.line}
                />
              )}
            </Section>
          ) : null}
          {shared.values.length > 0 ? <Shared shared={shared} /> : null}
          <Section title="Changes before">
            <ChangesBefore changes={changes} />
          </Section>
          {samples.length > 0 ? (
            <Section title="Samples">
              <Samples samples={samples} />
            </Section>
          ) : null}
          <Section title="Affected">
            <FailureTable problemId={id} parts={detail.parts} />
          </Section>
        </div>
      </ScrollPage>
    </>
  );
}

const ENDED_BY = {
  PERSON: 'a person',
  SUCCESSES: 'successes since',
  REPLAYED: 'a replay that delivered everything',
  DELETED: 'the deletion of its resources',
};

/** Who changed the state and why, or when it changes next. */
function StateNote({ problem }: Pick<ProblemDetail, 'problem'>) {
  const { state, state_change, ignored, resolved_as, regressions, regressed_at, is_coalesced, preceded_by } = problem;
  const by = state_change?.by ?? ENDED_BY[resolved_as ?? 'SUCCESSES'];
  return (
    <div className="grid gap-2 empty:hidden">
      {state === 'OPEN' && regressed_at !== null ? (
        <Banner tone="bad">
          It was resolved and fails again since <Time at={regressed_at} />
          {preceded_by === null ? '' : `, after ${precedingText(preceded_by)}`}. {plural(regressions, 'regression')} so
          far.
        </Banner>
      ) : null}
      {is_coalesced ? (
        <Banner tone="warn">There were too many different causes: this problem has the failures of all others.</Banner>
      ) : null}
      {state !== 'OPEN' && state_change ? (
        <p className="wrap-anywhere text-fg-2">
          {state === 'RESOLVED' ? 'Resolved' : state === 'IGNORED' ? 'Ignored' : 'Acknowledged'} by {by},{' '}
          <Time at={state_change.at} />
          {state_change.note === null ? '.' : `: ${state_change.note}`}
          {ignored?.until ? (
            <>
              {' '}
              Open again after <Time at={ignored.until} as="full" />.
            </>
          ) : null}
          {ignored?.above_failures ? ` Open again above ${formatCount(ignored.above_failures)} failures.` : ''}
        </p>
      ) : null}
    </div>
  );
}

function Facts({ detail }: { detail: ProblemDetail }) {
  const { problem, chain, parts, event_count } = detail;
  const versions = problem.first_version === problem.last_version;
  return (
    <Section title="What fails">
      <KeyValueList
        items={[
          { name: 'First seen', value: <Time at={problem.first_seen_at} as="full" /> },
          { name: 'Last seen', value: <Time at={problem.last_seen_at} /> },
          {
            name: 'Failures',
            value: (
              <span className="inline-flex flex-wrap items-center gap-3">
                {formatCount(problem.failures)}: {countsText(problem)}
                <Sparkline values={problem.trend} label={trendText(problem)} />
              </span>
            ),
          },
          ...(event_count > 0 ? [{ name: 'Events', value: formatCount(event_count) }] : []),
          ...(problem.affected.end_users > 0
            ? [{ name: 'End users', value: formatCount(problem.affected.end_users) }]
            : []),
          ...(problem.preceded_by === null
            ? []
            : [
                {
                  name: 'Change before',
                  value: (
                    <>
                      {precedingText(problem.preceded_by)}, <Time at={problem.preceded_by.at} />
                    </>
                  ),
                },
              ]),
          ...(chain.length > 1
            ? [{ name: 'Chain', value: chain.map((kind) => `failed ${KIND_NOUNS[kind][0]}`).join(' → ') }]
            : []),
          ...(problem.first_version === null
            ? []
            : [
                {
                  name: 'Version',
                  value: versions ? problem.first_version : `${problem.first_version} to ${problem.last_version}`,
                },
              ]),
          ...(problem.message === '' ? [] : [{ name: 'Message', value: problem.message, mono: true }]),
          { name: 'Resources', value: <Parts parts={parts} /> },
        ]}
      />
    </Section>
  );
}

const PART_NOUNS = { TRIGGER: 'Trigger', DESTINATION: 'Destination', FUNCTION: 'Function', CONNECTION: 'Connection' };
const PARTS_SHOWN = 12;

function Parts({ parts }: Pick<ProblemDetail, 'parts'>) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {parts.slice(0, PARTS_SHOWN).map((part) => (
        <li key={`${part.kind}${part.resource_id}`} className="flex items-center gap-1.5">
          <Tag>{PART_NOUNS[part.kind]}</Tag>
          <PartLink part={part} />
        </li>
      ))}
      {parts.length > PARTS_SHOWN ? <li className="text-fg-3">{parts.length - PARTS_SHOWN} more</li> : null}
    </ul>
  );
}

function PartLink({ part: { kind, resource_id, name, trigger_id, exists } }: { part: ProblemDetail['parts'][number] }) {
  const shown = name || PART_NOUNS[kind].toLowerCase();
  if (!exists) return <span className="text-fg-3">{shown}, deleted</span>;
  const to = {
    TRIGGER: path.trigger(resource_id),
    DESTINATION: path.destination(trigger_id ?? '', resource_id),
    FUNCTION: path.function(resource_id),
    CONNECTION: path.connection(resource_id),
  }[kind];
  return (
    <Link className="link wrap-anywhere" to={to}>
      {shown}
    </Link>
  );
}

function Shared({ shared: { failed, succeeded, values } }: Pick<ProblemDetail, 'shared'>) {
  return (
    <Section title="Shared values">
      <p className="mb-2 text-fg-2">
        All of {plural(failed, 'failed event')} and none of {plural(succeeded, 'successful event')} have:
      </p>
      <ul className="grid gap-1">
        {values.map(({ path, value }) => (
          <li key={`${path}${value}`} className="data wrap-anywhere">
            {value === null ? `no ${path}` : `${path} = ${value}`}
          </li>
        ))}
      </ul>
    </Section>
  );
}

import { useState } from 'react';
import type { ApiError } from '../../../api/api-error.ts';
import type { Reply } from '../../../api/operation.ts';
import { differencesOf, MessageDiff } from '../../../components/bulk-replay/MessageDiff.tsx';
import { middleCut, plural } from '../../../lib/format.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { prettyJson } from '../../../ui/code/json-nodes.ts';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import { RowChevron } from '../../../ui/controls/RowChevron.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Duration } from '../../../ui/Quantity.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';

type TestReply = Reply<'destinationTransformTest'>;
type Result = TestReply['results'][number];

interface TestCasesProps {
  readonly reply: TestReply | undefined;
  readonly error: ApiError | null;
  readonly pending: boolean;
  /** The code changed since the test. */
  readonly isOld: boolean;
  /** The changes that are not deployed, in words. */
  readonly changed: string | undefined;
  readonly onRetry: () => void;
}

const keyOf = ({ event_id }: Result) => event_id ?? 'sample';

/** The last events, each with the request that the transformation makes of it. Nothing is sent. */
export function TestCases({ reply, error, pending, isOld, changed, onRetry }: TestCasesProps) {
  const [chosen, setChosen] = useState<string>();
  const results = reply?.results ?? [];
  const open = chosen ?? (results[0] && keyOf(results[0]));
  return (
    <section
      aria-label="Test cases"
      className="min-h-0 min-w-0 flex-1 overflow-y-auto max-lg:flex-none max-lg:overflow-visible"
    >
      {reply || error ? (
        <p role="status" className="min-h-8 border-b border-line px-4 py-1.5 text-12 text-fg-2 max-sm:px-3">
          {pending
            ? 'Testing…'
            : error
              ? 'Not tested: the code could not be run.'
              : statusOf(reply, { isOld, changed })}
        </p>
      ) : null}
      {error && error.problems.length === 0 && !pending ? (
        <ErrorState title="The test did not run" detail={error.message} requestId={error.requestId} onRetry={onRetry} />
      ) : !reply && error ? null : !reply ? (
        <div className="p-4">
          <SkeletonLines lines={6} label="Testing with the last events" />
        </div>
      ) : (
        <ul aria-label="Events">
          {results.map((result) => {
            const key = keyOf(result);
            return (
              <TestCase
                key={key}
                result={result}
                open={key === open}
                onToggle={() => setChosen(key === open ? 'none' : key)}
              />
            );
          })}
        </ul>
      )}
    </section>
  );
}

function statusOf(reply: TestReply | undefined, { isOld, changed }: Pick<TestCasesProps, 'isOld' | 'changed'>): string {
  if (isOld && reply) return 'The code changed since this test.';
  if (!reply) return 'Not tested yet.';
  const { results, version } = reply;
  const failed = results.filter(({ outcome }) => outcome === 'FAILED').length;
  const skipped = results.filter(({ outcome }) => outcome === 'SKIPPED').length;
  const what = version === null ? (changed ?? 'code that is not deployed') : `v${version}`;
  const sample = results.every(({ event_id }) => event_id === null);
  const of = sample
    ? 'the sample of the event type, as no event is stored'
    : `the last ${plural(results.length, 'event')}`;
  return `Tested ${what} with ${of}: ${results.length - failed - skipped} sent, ${skipped} skipped, ${failed} failed. Nothing was delivered.`;
}

interface TestCaseProps {
  readonly result: Result;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function TestCase({ result, open, onToggle }: TestCaseProps) {
  const { event_id, received_at, outcome, duration_ms } = result;
  const item = diffOf(result);
  const differences = outcome === 'SENT' ? differencesOf(item) : undefined;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex min-h-9 w-full items-center gap-2 px-4 text-left hover:bg-hover focus-visible:-outline-offset-2 max-sm:px-3"
      >
        <RowChevron open={open} />
        {event_id === null ? (
          <span className="min-w-0 flex-1 truncate">Sample event</span>
        ) : (
          <>
            <Time at={received_at} as="clock" className="flex-none text-fg-2" />
            <span className="data min-w-0 flex-1 truncate text-fg-3" title={event_id}>
              {middleCut(event_id)}
            </span>
          </>
        )}
        {differences === undefined ? null : (
          <span className="flex-none text-12 text-fg-3 max-sm:hidden">
            {differences === 0 ? 'unchanged' : `${plural(differences, 'line')} changed`}
          </span>
        )}
        {duration_ms === null ? null : (
          <span className="flex-none text-12 text-fg-3">
            <Duration ms={duration_ms} />
          </span>
        )}
        <OutcomeChip outcome={outcome} />
      </button>
      {open ? <Details result={result} item={item} /> : null}
    </li>
  );
}

function OutcomeChip({ outcome }: Pick<Result, 'outcome'>) {
  if (outcome === 'SENT') return <Chip tone="ok">Sent</Chip>;
  if (outcome === 'SKIPPED') return <Chip tone="mute">Skipped</Chip>;
  return (
    <Chip tone="bad" icon={statusIcons.failed}>
      Failed
    </Chip>
  );
}

const diffOf = ({ before, after, event_id }: Result) => ({
  last: before,
  next: after,
  destination_name: `event ${event_id ?? 'of the sample'}`,
});

function Details({ result, item }: { result: Result; item: ReturnType<typeof diffOf> }) {
  const { input, outcome, error_message, error, logs } = result;
  const said = logs.map(({ level, message }) => `${level.toUpperCase().padEnd(5)} ${message}`).join('\n');
  return (
    <div className="grid gap-3 px-4 pb-3 max-sm:px-3 2xl:grid-cols-2">
      {input === '' ? null : (
        <div className="min-w-0">
          <h2 className="mb-1 text-12 font-medium text-fg-2">What the function gets</h2>
          <CodeBlock code={prettyJson(input)} language="json" label="Event" wrap className="max-h-60" />
        </div>
      )}
      <div className="grid min-w-0 content-start gap-2">
        <h2 className="-mb-1 text-12 font-medium text-fg-2">
          {outcome === 'SENT' ? 'Request' : outcome === 'SKIPPED' ? 'No request' : 'Error'}
        </h2>
        {outcome === 'SENT' ? (
          <MessageDiff item={item} titles={['Without the function', 'With the function']} />
        ) : outcome === 'SKIPPED' ? (
          <p className="text-fg-2">The function returned null, so this event would not be sent.</p>
        ) : (
          <p className="wrap-anywhere text-bad-fg">{error_message}</p>
        )}
        {error?.stack ? <CodeBlock code={error.stack} label="Stack" wrap className="max-h-60" /> : null}
        {said === '' ? null : (
          <>
            <h2 className="-mb-1 text-12 font-medium text-fg-2">Log</h2>
            <CodeBlock code={said} label="Log" wrap className="max-h-60" />
          </>
        )}
      </div>
    </div>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/controls/Button.tsx';
import { latestEventsQuery } from '../overview-queries.ts';
import { firstSteps, useStepsDone } from '../steps-done.ts';
import { ConnectStep } from './ConnectStep.tsx';
import { FunctionStep } from './FunctionStep.tsx';
import { KeyStep } from './KeyStep.tsx';
import { WebhookStep } from './WebhookStep.tsx';

/** Four steps with a working default each; what the account contains checks them off. */
export default function FirstSteps() {
  const done = useStepsDone();
  const latest = useInfiniteQuery(latestEventsQuery).data?.pages[0]?.events ?? [];
  const isDelivered = latest.some(({ outcomes }) => outcomes.some(({ status }) => status === 'SUCCEEDED'));
  const left = [isDelivered, done.function, done.connection, done.key].filter((each) => !each).length;
  return (
    <section aria-labelledby="first-steps" className="px-4 pt-1 pb-4 max-sm:px-3">
      <div className="flex items-center">
        <h2 id="first-steps" className="flex-1 text-14">
          First steps <span className="text-12 font-normal text-fg-3">{left === 0 ? 'all done' : `${left} left`}</span>
        </h2>
        <Button variant="ghost" size="sm" onClick={() => firstSteps.set('hidden')}>
          Hide
        </Button>
      </div>
      <ol className="mt-2 rounded-lg border border-line-2">
        <WebhookStep done={isDelivered} />
        <FunctionStep done={done.function} />
        <ConnectStep done={done.connection} />
        <KeyStep done={done.key} />
      </ol>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Check, Circle } from 'lucide-react';
import { q } from '../../api/queries.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { connectionsQuery } from './overview-queries.ts';
import { demoTasksShown } from './steps-done.ts';

type Task = { title: string; what: string; to: string; done: boolean };

const FIXED = 'order-intake';
const own = q('functionList', { query: { limit: 100 } });
const everyone = q('functionList', { query: { owner: 'ALL', visibility: 'PUBLIC', limit: 100 } });
const acknowledged = q('problemList', { query: { state: 'ACKNOWLEDGED', limit: 1 } });
const replays = q('replayList', { query: { limit: 1 } });

/** Five things to try with the demo's data; each is checked by what the account contains. */
export default function DemoTasks() {
  const tasks = useTasks();
  const left = tasks.filter(({ done }) => !done).length;
  return (
    <section aria-labelledby="demo-tasks" className="px-4 pt-1 pb-4 max-sm:px-3">
      <div className="flex items-center">
        <h2 id="demo-tasks" className="flex-1 text-14">
          Try this <span className="text-12 font-normal text-fg-3">{left === 0 ? 'all done' : `${left} left`}</span>
        </h2>
        <Button variant="ghost" size="sm" onClick={() => demoTasksShown.set('hidden')}>
          Hide
        </Button>
      </div>
      <ol className="mt-2 rounded-lg border border-line-2">
        {tasks.map(({ title, what, to, done }) => (
          <li key={title} className="flex gap-2 border-line px-4 py-2 not-first:border-t">
            {done ? (
              <Check size={16} strokeWidth={2} className="mt-0.5 flex-none text-ok-fg" aria-hidden />
            ) : (
              <Circle size={16} strokeWidth={1.75} className="mt-0.5 flex-none text-fg-3" aria-hidden />
            )}
            <p className="min-w-0">
              <Link className="link" to={to}>
                {title}
              </Link>{' '}
              {done ? <span className="text-12 text-fg-3">done</span> : null}
              <span className="block text-fg-2">{what}</span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function useTasks(): Task[] {
  const functions = useQuery(own).data?.functions ?? [];
  const broken = functions.find(({ name }) => name === FIXED);
  const versions = useQuery({
    ...q('versionList', { params: { function_id: broken?.function_id ?? '' }, query: { limit: 1 } }),
    enabled: broken !== undefined,
  }).data?.versions;
  const [newest] = versions ?? [];
  const isRolledBack = newest !== undefined && newest.version > 1 && (!newest.serving || newest.version > 2);
  const all = useQuery(everyone).data?.functions ?? [];
  const rates = useQuery(connectionsQuery).data?.connections.find(({ app }) => app === 'rates');
  return [
    {
      title: `Find out why ${FIXED} fails, and roll it back`,
      what: 'A minute and a half after the start, a new version begins to fail for orders without an address.',
      to: broken ? path.function(broken.function_id, 'versions') : path.functions(),
      done: isRolledBack,
    },
    {
      title: 'Acknowledge a problem',
      what: 'The endpoint “accounting” rejects one currency: see which value all failures share.',
      to: path.problems(),
      done: (useQuery(acknowledged).data?.problems.length ?? 0) > 0,
    },
    {
      title: 'Replay what failed',
      what: 'Select failed deliveries and send them again, at the pace of their destination.',
      to: path.events({ status: 'FAILED' }),
      done: (useQuery(replays).data?.replays.length ?? 0) > 0,
    },
    {
      title: 'Search the code of everyone and star a function',
      what: 'Who posts to Slack? The search covers the public functions of all accounts.',
      to: path.functionSearch({ q: '"chat.postMessage"', owner: 'ALL' }),
      done: all.some(({ starred }) => starred),
    },
    {
      title: 'Call an app through the gateway',
      what: 'Send GET /latest with the connection “Rates of the demo”; the key is added for you.',
      to: rates ? path.connection(rates.connection_id, 'try') : path.connections(),
      done: typeof rates?.last_used_time === 'string',
    },
  ];
}

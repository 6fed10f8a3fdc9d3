import { path } from '../../lib/path.ts';

export type ConsolePage = { readonly label: string; readonly to: string };

/** Pages of nouns, by the beginning of the path; the first that matches counts. */
const PAGES: readonly [begin: RegExp, page: ConsolePage][] = [
  [/^\/session/, { label: 'Security settings', to: path.settings('security') }],
  [/^\/account\/members/, { label: 'Members', to: path.settings('members') }],
  [/^\/account\/identity-providers/, { label: 'Single sign-on', to: path.settings('sso') }],
  [/^\/account\/overview/, { label: 'Overview', to: path.overview() }],
  [/^\/account|^\/connect-settings/, { label: 'Account settings', to: path.settings('account') }],
  [/^\/api-keys/, { label: 'API keys', to: path.settings('keys') }],
  [/^\/audit/, { label: 'Audit log', to: path.settings('audit') }],
  [/^\/problems/, { label: 'Problems', to: path.problems() }],
  [/^\/apps/, { label: 'Apps', to: path.connectionNew() }],
  [/^\/connect/, { label: 'Connections', to: path.connections() }],
  [/^\/triggers\/\{trigger_id\}\/events|^\/events/, { label: 'Events', to: path.events() }],
  [/^\/triggers/, { label: 'Triggers', to: path.triggers() }],
  [/^\/replays/, { label: 'Replays', to: path.replays() }],
  [/^\/runs/, { label: 'Runs', to: path.runs() }],
  [/^\/functions|^\/search/, { label: 'Functions', to: path.functions() }],
];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The page of the console for an operation: of the resource if its IDs are entered, else of its noun. */
export function consolePageOf(
  operationPath: string,
  params: Readonly<Record<string, string>>,
): ConsolePage | undefined {
  const id = (name: string) => (UUID.test(params[name] ?? '') ? (params[name] as string) : undefined);
  const [trigger, event, destination] = [id('trigger_id'), id('event_id'), id('destination_id')];
  const [connection, fn, run, problem] = [id('connection_id'), id('function_id'), id('run_id'), id('problem_id')];
  if (trigger && event) return { label: 'This event', to: path.triggerEvent(trigger, event) };
  if (trigger && destination) return { label: 'This destination', to: path.destination(trigger, destination) };
  if (trigger) return { label: 'This trigger', to: path.trigger(trigger) };
  if (connection) return { label: 'This connection', to: path.connection(connection) };
  if (fn && run) return { label: 'This run', to: path.run(fn, run) };
  if (fn) return { label: 'This function', to: path.function(fn) };
  if (problem) return { label: 'This problem', to: path.problem(problem) };
  return PAGES.find(([begin]) => begin.test(operationPath))?.[1];
}

/** Everything that is needed to call a function: the function, its live version, and its variables. */
import { createHash } from 'node:crypto';
import type { Services } from '../../platform/context.ts';
import type {
  EnvVariablesTable,
  FunctionsTable,
  FunctionVersionsTable,
} from '../../platform/database/tables/function-tables.ts';
import { chooseVersion } from '../hosted-function.ts';
import * as environmentStore from '../store/environment.ts';
import * as functionStore from '../store/functions.ts';
import * as gradualStore from '../store/gradual.ts';

export type Callable = {
  fn: FunctionsTable;
  version: FunctionVersionsTable;
  variables: EnvVariablesTable[];
  /** Identifies everything that a process depends on, including sealed values. A change gives another key. */
  key: string;
  /** Another version serves this share of the calls, from 0 to 1. */
  gradual?: { share: number; callable: Callable };
};

/** The function at this label with its live version; undefined when there is none. */
export function callableWithLabel(
  services: Pick<Services, 'db' | 'memory'>,
  label: string,
): Promise<Callable | undefined> {
  return services.memory.callables.find(label, () => look(services, label));
}

async function look(services: Pick<Services, 'db'>, label: string): Promise<Callable | undefined> {
  const fn = await functionStore.withLabel(services.db, label);
  if (!fn) return undefined;
  const [live, gradual] = await Promise.all([
    callableOf(services, fn),
    gradualStore.find(services.db, fn.account_id, fn.function_id),
  ]);
  if (gradual?.status !== 'RUNNING') return live;
  const callable = await callableOf(services, fn, gradual.version);
  return { ...live, gradual: { share: gradual.percent / 100, callable } };
}

/** The live version, or the version of a gradual deploy for its share of the calls. */
export const chosen = (callable: Callable): Callable =>
  callable.gradual && Math.random() < callable.gradual.share ? callable.gradual.callable : callable;

/** The same, with another version of the function. */
export async function callableOfVersion(
  services: Pick<Services, 'db' | 'memory'>,
  fn: FunctionsTable,
  number: number,
): Promise<Callable> {
  const look = () => callableOf(services, fn, number);
  const key = `${fn.label} ${number}`;
  return services.memory.callables.recent(key) ?? (await services.memory.callables.find(key, look)) ?? look();
}

/** A version of a function, by default the live one, with the current variables. */
export async function callableOf(
  services: Pick<Services, 'db'>,
  fn: FunctionsTable,
  number?: number | undefined,
): Promise<Callable> {
  const [version, variables] = await Promise.all([
    chooseVersion(services, fn, number),
    environmentStore.list(services.db, fn.account_id, fn.function_id),
  ]);
  const parts = [fn.label, fn.network_policy, fn.allowed_hosts, variables.map(({ key, value }) => [key, value])];
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { fn, version, variables, key: `${fn.function_id}/${version.version}/${fingerprint}` };
}

import type { Services } from '../../platform/context.ts';
import * as store from '../store/apps.ts';
import { readDefinition } from './apps.ts';
import { catalogue } from './catalogue.ts';
import { addressesOf } from './compile.ts';

/** The apps, of the catalogue and of the account, one of whose URLs has this host, in lower case. */
export async function appsWithHost({ db }: Pick<Services, 'db'>, account_id: string, host: string): Promise<string[]> {
  const own = (await store.list(db, account_id)).map(readDefinition);
  return [...[...catalogue.values()].map(({ definition }) => definition), ...own]
    .filter((definition) => addressesOf(definition).some(([, address]) => hostOf(address) === host))
    .map(({ app }) => app);
}

const hostOf = (address: string): string | undefined => /^https?:\/\/([^/?#]+)/i.exec(address)?.[1]?.toLowerCase();

import { useQuery } from '@tanstack/react-query';
import { q } from '../../api/queries.ts';

const appsQuery = q('appList');

/** The name of an app; its id until the names are loaded, and for an app that was removed. */
export type AppNames = (app: string) => string;

/** Loads the account's apps once; components that use it render before they have loaded. */
export function useAppNames(): AppNames {
  const apps = useQuery(appsQuery).data?.apps;
  return (id) => apps?.find(({ app }) => app === id)?.name ?? id;
}

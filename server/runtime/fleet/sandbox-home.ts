import path from 'node:path';
import type { EgressProxy } from '../network/egress-proxy.ts';

export type Home = {
  dir: string;
  deno: string;
  script: string;
  sockets: string;
  /** DENO_DIR: read-only, or a path that cannot exist. */
  cache: string;
  /** The socket on which the service accepts gateway calls of functions. */
  gateway: string;
  /** Bubblewrap and the egress proxy, if processes run in containers. */
  bwrap: string | undefined;
  egress: EgressProxy | undefined;
  /** Why containers are not used. */
  bareBecause: string | undefined;
  /** The user of processes, if the service can choose it. */
  user: { uid: number; gid: number } | undefined;
  remove(): Promise<void>;
};

/** The folder of a language's interpreter, complete when its ready() has resolved. */
export const languageFolder = (home: Home, { name }: { name: string }): string => path.join(home.dir, name);

export type Sandbox = 'auto' | 'bwrap' | 'permissions';

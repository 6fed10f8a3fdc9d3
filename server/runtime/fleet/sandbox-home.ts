import path from 'node:path';
import type { EgressProxy } from '../network/egress-proxy.ts';

export type Home = {
  dir: string;
  deno: string;
  script: string;
  sockets: string;
  /** DENO_DIR: either read-only or a place that can't exist. */
  cache: string;
  /** Where the service listens for what functions call the gateway with. */
  gateway: string;
  /** Bubblewrap, when processes run in a container of it, and the way out of it. */
  bwrap: string | undefined;
  egress: EgressProxy | undefined;
  /** Why there is no container, when there is none. */
  bareBecause: string | undefined;
  /** The user that processes run as, when the service may choose. */
  user: { uid: number; gid: number } | undefined;
  remove(): Promise<void>;
};

/** The files of a language's interpreter, complete when its ready() has resolved. */
export const languageFolder = (home: Home, { name }: { name: string }): string => path.join(home.dir, name);

export type Sandbox = 'auto' | 'bwrap' | 'permissions';

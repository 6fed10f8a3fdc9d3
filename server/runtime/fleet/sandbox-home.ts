import path from 'node:path';
import type { EgressProxy } from '../network/egress-proxy.ts';
import type { Namespaces } from './namespaces.ts';

export type Home = {
  dir: string;
  deno: string;
  script: string;
  sockets: string;
  /** DENO_DIR: read-only, or a path that cannot exist. */
  cache: string;
  /** The socket on which the service accepts gateway calls of functions. */
  gateway: string;
  /** How processes are put into containers: by bubblewrap, by namespaces of util-linux, or not at all. */
  bwrap: string | undefined;
  namespaces: Namespaces | undefined;
  /** The proxy of containers, which have no network. */
  egress: EgressProxy | undefined;
  /** Why containers are not used. */
  bareBecause: string | undefined;
  /** Why the kernel does not filter system calls of processes; undefined when it does. */
  unfilteredBecause: string | undefined;
  /** The user of processes, if the service can choose it. */
  user: { uid: number; gid: number } | undefined;
  remove(): Promise<void>;
};

/** The folder of a language's interpreter, complete when its ready() has resolved. */
export const languageFolder = (home: Home, { name }: { name: string }): string => path.join(home.dir, name);

/** What isolates processes. */
export type SandboxMode = 'bwrap' | 'namespaces' | 'permissions';
export type Sandbox = 'auto' | SandboxMode;

export const modeOf = ({ bwrap, namespaces }: Home): SandboxMode =>
  bwrap ? 'bwrap' : namespaces ? 'namespaces' : 'permissions';

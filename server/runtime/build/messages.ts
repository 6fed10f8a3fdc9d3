/** Messages between the service and a build process. */
import type { Problem } from '../../../contract/errors.ts';
import type { FactPlace, Facts } from '../facts/facts.ts';
import type { LockedPackage } from '../packages/lock.ts';
import type { Reach } from '../reach/findings.ts';
import type { Build, Source } from './build.ts';

export type Task =
  | { kind: 'build'; source: Source }
  /** Compiles each file separately, to find the file that exhausts the process. */
  | { kind: 'inspect'; files: Record<string, string> }
  | { kind: 'reach'; files: Record<string, string> }
  | { kind: 'facts'; files: Record<string, string> }
  | { kind: 'references'; files: Record<string, string>; name: string };

export type Result =
  | { kind: 'build'; build: Build }
  | { kind: 'inspect' }
  | { kind: 'reach'; reach: Reach }
  | { kind: 'facts'; facts: Facts }
  | { kind: 'references'; references: FactPlace[] }
  | { kind: 'problems'; problems: Problem[] };

export type ToProcess =
  | { type: 'task'; task: Task }
  | { type: 'tarball'; id: number; bytes: Uint8Array }
  /** `refusal`: why the package cannot be used, worded for the function's author. */
  | { type: 'no-tarball'; id: number; refusal?: string; failure?: string };

export type FromProcess =
  /** The file in progress. */
  | { type: 'at'; file: string }
  | { type: 'want-tarball'; id: number; locked: LockedPackage }
  | { type: 'result'; result: Result }
  /** A bug in the service: `stack` is for the log. */
  | { type: 'failure'; stack: string };

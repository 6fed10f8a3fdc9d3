/**
 * The build process: compiles and parses code of functions, one task at a time. Code that crashes esbuild or the parser
 * ends only this process. It holds no secret: its environment is empty, and the service fetches tarballs for it.
 */

import type { LockedPackage } from '../packages/lock.ts';
import { PackageError } from '../packages/package-error.ts';
import type { Registry } from '../packages/registry.ts';
import { buildVersion } from './build.ts';
import { BuildError } from './build-error.ts';
import type { FromProcess, Result, Task, ToProcess } from './messages.ts';

/** esbuild's process has ended; its stderr says why. This process exits too, so that the next build starts new ones. */
const COMPILER_ENDED = /The service (was stopped|is no longer running)/;
const COMPILER_ENDED_EXIT = 70;
const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

const send = (message: FromProcess) => void process.send?.(message);
const tarballs = new Map<number, PromiseWithResolvers<Buffer>>();
let tarballsWanted = 0;

/** The registry, accessed through the service. */
const registry: Registry = {
  tarball(locked: LockedPackage) {
    const id = tarballsWanted++;
    const wanted = Promise.withResolvers<Buffer>();
    tarballs.set(id, wanted);
    send({ type: 'want-tarball', id, locked });
    return wanted.promise;
  },
  close: async () => undefined,
};

async function perform(task: Task): Promise<Result> {
  switch (task.kind) {
    case 'build': {
      const build = await buildVersion(task.source, registry, (file) => send({ type: 'at', file }));
      return { kind: 'build', build };
    }
    case 'inspect':
      await inspect(task.files);
      return { kind: 'inspect' };
    case 'reach': {
      const { readFiles } = await import('../reach/read-files.ts');
      return { kind: 'reach', reach: readFiles(task.files) };
    }
    case 'facts': {
      const { readFacts } = await import('../facts/read-facts.ts');
      return { kind: 'facts', facts: readFacts(task.files) };
    }
    case 'references': {
      const { findReferences } = await import('../facts/references.ts');
      return { kind: 'references', references: findReferences(task.files, task.name) };
    }
  }
}

async function inspect(files: Record<string, string>): Promise<void> {
  const esbuild = await import('esbuild');
  const code = Object.entries(files).filter(([file]) => CODE.test(file));
  for (const [file, text] of code.toSorted(([, a], [, b]) => b.length - a.length)) {
    send({ type: 'at', file });
    const loader = /\.json$/.test(file) ? 'json' : /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx';
    await esbuild.transform(text, { loader, logLevel: 'silent' }).catch((error: unknown) => {
      if (isCompilerEnd(error)) throw error;
    });
  }
}

const isCompilerEnd = (error: unknown) => error instanceof Error && COMPILER_ENDED.test(error.message);

function receive(message: ToProcess): void {
  if (message.type === 'task')
    return void perform(message.task).then(
      (result) => send({ type: 'result', result }),
      (error: unknown) => {
        if (error instanceof BuildError)
          return send({ type: 'result', result: { kind: 'problems', problems: error.problems } });
        // Nested too deeply, or a text or list is too large: the service reads the reason from stderr.
        if (error instanceof RangeError || isCompilerEnd(error)) {
          process.stderr.write(`${error}\n`, () => process.exit(COMPILER_ENDED_EXIT));
          return;
        }
        send({ type: 'failure', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      },
    );
  const wanted = tarballs.get(message.id);
  tarballs.delete(message.id);
  if (message.type === 'tarball') wanted?.resolve(Buffer.from(message.bytes));
  else wanted?.reject(message.refusal === undefined ? new Error(message.failure) : new PackageError(message.refusal));
}

process.on('message', receive);
process.once('disconnect', () => process.exit(0));

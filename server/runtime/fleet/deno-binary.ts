import { createRequire } from 'node:module';
import path from 'node:path';

const PACKAGES: Record<string, string> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
};

/** The path of the Deno binary that npm installed for this machine. */
export function denoBinary(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (!name) throw new Error(`Functions can't run on ${platform}: there is no Deno for it`);
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'deno');
  } catch {
    throw new Error(
      `Functions can't run: the optional package ${name} is not installed: install without --omit=optional`,
    );
  }
}

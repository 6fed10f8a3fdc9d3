/** Installs the SDKs of sdks/, which the root does not contain, when one is missing or has another version. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const SDK_FOLDER = join(import.meta.dirname, '../../../sdks');

type Manifest = { version?: string; devDependencies?: Record<string, string> };

/** Without the packages' own scripts, none of which is needed. */
export async function installSdks(): Promise<void> {
  const { devDependencies = {} } = manifest('package.json') ?? {};
  const isInstalled = ([name, version]: [string, string]) =>
    manifest(`node_modules/${name}/package.json`)?.version === version;
  if (Object.entries(devDependencies).every(isInstalled)) return;
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: SDK_FOLDER });
}

function manifest(path: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(SDK_FOLDER, path), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** The package.json of the package. */

/** Packages with binaries or data, which npm installs; all others are bundled. */
export const INSTALLED = ['esbuild', 'pyodide'];

type Versions = Record<string, string>;
export type RootManifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: Versions;
  dependencies: Versions;
  optionalDependencies: Versions;
};

/** Throws if an import is not one of the dependencies. */
export function manifestOf(root: RootManifest, imports: Iterable<string>): Record<string, unknown> {
  const unknown = [...imports].map(packageOf).filter((name) => !(name in root.dependencies));
  if (unknown.length > 0)
    throw new Error(`The service imports packages that are no dependencies: ${unknown.join(', ')}`);
  const { name, version, description, license, engines, optionalDependencies } = root;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { sluice: 'bin/sluice.mjs' },
    engines,
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    dependencies: Object.fromEntries(INSTALLED.map((each) => [each, root.dependencies[each]])),
    optionalDependencies,
  };
}

/** `@a/b/c.js` → `@a/b`. */
export const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** Writes the bundle of the file in its first argument to stdout. */
import * as esbuild from 'esbuild';

const { outputFiles } = await esbuild.build({
  entryPoints: [process.argv[2] ?? ''],
  write: false,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  external: ['node:*'],
  target: 'esnext',
  logLevel: 'silent',
});
process.stdout.write(outputFiles[0]?.text ?? '', () => process.exit(0));

import { expect, it } from 'vitest';
import { strayKernels } from './kernels.ts';

it('each kernel of code search is what its text compiles to (node scripts/kernels.ts --write)', async () => {
  expect(await strayKernels()).toEqual([]);
});

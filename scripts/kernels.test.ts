import { expect, it } from 'vitest';
import { outdatedKernels } from './kernels.ts';

it('each kernel of code search matches its compiled text (node scripts/kernels.ts --write)', async () => {
  expect(await outdatedKernels()).toEqual([]);
});

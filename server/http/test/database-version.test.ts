import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

const service = serviceForAll({ env: { SLUICE_METRICS: 'on' } });

it('the account and the metrics name the version of PostgreSQL', async () => {
  const { account } = (await service.api<Reply<'accountGet'>>('GET', '/account')).body;
  expect(account.database).toEqual({
    version: expect.stringMatching(/^\d+\.\d+$/),
    schema: expect.stringMatching(/^\d{3}-/),
    embedded: false,
  });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain(`sluice_database_info{version="${account.database.version}",embedded="false"} 1`);
});

/** All descriptions by kind. A field has that of `Schema.field`, or of its name. */
import { accounts } from './accounts.ts';
import { connections } from './connections.ts';
import { deliveries } from './deliveries.ts';
import type { Descriptions } from './description.ts';
import { functions } from './functions.ts';
import { schemas } from './schemas.ts';
import { sharedFields } from './shared-fields.ts';

export { operationDescriptions } from './operations.ts';

export const fieldDescriptions: Descriptions = {
  ...accounts,
  ...connections,
  ...deliveries,
  ...functions,
  ...sharedFields,
};
export const schemaDescriptions: Descriptions = schemas;

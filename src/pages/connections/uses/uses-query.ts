import type { Reply } from '../../../api/operation.ts';
import { q } from '../../../api/queries.ts';

export type Uses = Reply<'connectionUses'>;

/** What uses a connection. */
export const usesQuery = (connection_id: string) => q('connectionUses', { params: { connection_id } });

import type { Db, Tx } from '../../platform/database/schema.ts';
import type { EnvVariablesTable } from '../../platform/database/tables/function-tables.ts';

type Variable = Omit<EnvVariablesTable, 'account_id'>;

/** All variables of a function, by key, with sealed values. */
export async function list(db: Db | Tx, account_id: string, function_id: string): Promise<EnvVariablesTable[]> {
  return db
    .selectFrom('env_variables')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .orderBy('key')
    .execute();
}

export async function insertAll(tx: Tx, account_id: string, variables: Variable[]): Promise<void> {
  await tx
    .insertInto('env_variables')
    .values(variables.map((each) => ({ account_id, ...each })))
    .execute();
}

/** Inserts or updates a variable. */
export async function put(tx: Tx, account_id: string, variable: Variable): Promise<void> {
  const { type, value, updated_at } = variable;
  await tx
    .insertInto('env_variables')
    .values({ account_id, ...variable })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'function_id', 'key']).doUpdateSet({ type, value, updated_at }),
    )
    .execute();
}

/** Returns false when the variable does not exist. */
export async function remove(tx: Tx, account_id: string, function_id: string, key: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('env_variables')
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .where('key', '=', key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

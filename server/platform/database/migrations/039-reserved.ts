/** Reserved: the migration of another branch takes this number. */
export async function up(): Promise<void> {}

import type { DB } from '#server/platform/db/tables.ts'

/** The tables that services query through Kysely. The ledger's tables are not among them. */
export type Database = DB

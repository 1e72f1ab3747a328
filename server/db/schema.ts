/** The tables that services query through Kysely, each declared beside its slice. The ledger's are not among them. */
export type Database = Record<never, never>

import { type Driver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { listsAsArrays } from '#server/platform/db/lists.ts'

/** What Kysely is opened with to write PostgreSQL's SQL and to have `driver` send it, or nobody. */
export const postgresOf = (driver: Driver) => ({
  dialect: {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: ConstructorParameters<typeof PostgresIntrospector>[0]) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [listsAsArrays],
})

import { type Driver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { listsAsArrays } from '#server/platform/db/lists-to-arrays.ts'

/** Returns the Kysely options for PostgreSQL's SQL with a given driver, which may also send nothing. */
export const postgresOf = (driver: Driver) => ({
  dialect: {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: ConstructorParameters<typeof PostgresIntrospector>[0]) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [listsAsArrays],
})

import { type Run } from '#server/platform/db/run.ts'
import { levelOf, levelText, type Migration, migrationNames } from '#server/platform/db/migration-files.ts'
import { VERSION } from '#server/platform/process/version.ts'

/**
 * Several versions of the bank may use one database while servers are replaced. Each migration states the oldest level that
 * still works with it. The migration is announced before it runs. A server below that level stops taking requests at the
 * announcement, and takes none for as long as the migration is in the database.
 */

/** The channel that notifies servers of coming and finished migrations. */
export const MIGRATIONS_CHANNEL = 'bank_migrations'

/**
 * The first numbers of advisory locks whose second number is a level. A server that does jobs holds `SERVES_LEVEL` with the
 * level that it can serve. A migrating server holds `COMING_LEVEL` with the level that its migrations need. The numbers are
 * 'levl' and 'comi' in ASCII.
 */
export const SERVES_LEVEL = 0x6c65766c
const COMING_LEVEL = 0x636f6d69

/** SQL for this database's advisory locks with two numbers whose first number is $1. */
export const LOCKS_OF = `
  SELECT pid, objid::bigint AS number FROM pg_locks
   WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** The state of a database's migrations. */
export type SchemaState = {
  /** The migrations of this version that have not run in the database. */
  pending: string[]
  /** A sentence with the reason why this version cannot serve the database; null if it can. */
  outdated: string | null
}

/** Reads the state of the database's migrations. Also works on databases of versions that did not record compatibility. */
export async function schemaState(run: Run): Promise<SchemaState> {
  const [{ rows }, ownNames] = await Promise.all([
    run(
      `SELECT name, to_jsonb(migration) ->> 'compatible_from' AS "compatibleFrom",
              to_jsonb(migration) ->> 'version' AS version
         FROM bank.migration
       UNION ALL SELECT NULL, number::text, NULL FROM (${LOCKS_OF}) AS coming`,
      [COMING_LEVEL],
    ),
    migrationNames(),
  ])
  const appliedMigrations = rows as { name: string | null; compatibleFrom: string | null; version: string | null }[]
  const names = new Set(appliedMigrations.map(({ name }) => name))
  const level = levelOf(ownNames.at(-1) ?? '0000')
  const strictest = appliedMigrations
    .filter(({ name }) => name === null || !ownNames.includes(name))
    .map((migration) => ({ ...migration, needed: Number(migration.compatibleFrom ?? levelOf(migration.name ?? '')) }))
    .toSorted((a, b) => b.needed - a.needed)[0]
  return {
    pending: ownNames.filter((name) => !names.has(name)),
    outdated: strictest && strictest.needed > level ? sentence(level, strictest) : null,
  }
}

function sentence(
  level: number,
  { name, needed: neededLevel, version }: { name: string | null; needed: number; version: string | null },
) {
  const cause =
    name === null
      ? 'A newer Alder is about to change the tables of this database'
      : `Alder ${version ?? 'of a later version'} has run ${name} on this database`
  return (
    `${cause}, which needs a version with ${levelText(neededLevel)}: this is Alder ${VERSION}, with the ` +
    `migrations up to ${levelText(level)}. Start a newer one.`
  )
}

/**
 * The time that incompatible servers have to finish their work, and the interval between two checks for them, in milliseconds.
 */
const FINISH_MS = 10_000
const LOOK_MS = 50

/**
 * Announces migrations to the servers below the level that the migrations need. Waits until those servers have stopped taking
 * requests, for at most `FINISH_MS`. The announcement ends with the connection or with a call of the returned function: nothing
 * remains if this process dies. The caller must hold the migration lock.
 */
export async function announceMigrations(run: Run, pending: readonly Migration[]): Promise<() => Promise<void>> {
  const neededLevel = Math.max(0, ...pending.map(({ compatibleFrom }) => compatibleFrom))
  const announce = async () => void (await run(`NOTIFY ${MIGRATIONS_CHANNEL}`))
  await run('SELECT pg_advisory_lock($1::int, $2::int)', [COMING_LEVEL, neededLevel])
  await announce()
  const until = performance.now() + FINISH_MS
  while (performance.now() < until && (await someServeBelow(run, neededLevel)))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  return async () => {
    await run('SELECT pg_advisory_unlock($1::int, $2::int)', [COMING_LEVEL, neededLevel])
    await announce()
  }
}

async function someServeBelow(run: Run, neededLevel: number): Promise<boolean> {
  const { rows } = await run(`SELECT FROM (${LOCKS_OF}) AS serving WHERE number < $2 LIMIT 1`, [
    SERVES_LEVEL,
    neededLevel,
  ])
  return rows.length > 0
}

import { type Run } from '#server/platform/db/run.ts'
import { levelOf, levelText, type Migration, migrationNames } from '#server/platform/db/migration-files.ts'
import { VERSION } from '#server/platform/process/version.ts'

/**
 * Several versions of the bank may serve one database while servers are replaced. Each migration states the oldest level
 * that stays right beside it, and a server below that stops taking requests: before the migration runs, because who
 * migrates shows what is coming, and for as long as it stays.
 */

/** On this channel servers are told that migrations are coming, or have run. */
export const MIGRATIONS_CHANNEL = 'bank_migrations'

/** Locks with a level: what a server that does jobs can serve, and what it takes to serve once the migrations have run. 'levl' and 'comi' in ASCII. */
export const SERVES_LEVEL = 0x6c65766c
const COMING_LEVEL = 0x636f6d69

/** Of the advisory locks with two numbers, those of this database whose first is $1. */
export const LOCKS_OF = `
  SELECT pid, objid::bigint AS number FROM pg_locks
   WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** What a database says of its migrations. */
export type SchemaState = {
  /** Those that this version brings and the database has not run. */
  pending: string[]
  /** Why this version cannot serve it, as a sentence; null where it can. */
  outdated: string | null
}

/** Reads the database's migrations. Works on databases of versions that did not keep what a migration is compatible with. */
export async function schemaState(run: Run): Promise<SchemaState> {
  const [{ rows }, own] = await Promise.all([
    run(
      `SELECT name, to_jsonb(migration) ->> 'compatible_from' AS "compatibleFrom",
              to_jsonb(migration) ->> 'version' AS version
         FROM bank.migration
       UNION ALL SELECT NULL, number::text, NULL FROM (${LOCKS_OF}) AS coming`,
      [COMING_LEVEL],
    ),
    migrationNames(),
  ])
  const applied = rows as { name: string | null; compatibleFrom: string | null; version: string | null }[]
  const names = new Set(applied.map(({ name }) => name))
  const level = levelOf(own.at(-1) ?? '0000')
  const strictest = applied
    .filter(({ name }) => name === null || !own.includes(name))
    .map((one) => ({ ...one, needed: Number(one.compatibleFrom ?? levelOf(one.name ?? '')) }))
    .toSorted((a, b) => b.needed - a.needed)[0]
  return {
    pending: own.filter((name) => !names.has(name)),
    outdated: strictest && strictest.needed > level ? sentence(level, strictest) : null,
  }
}

function sentence(
  level: number,
  { name, needed, version }: { name: string | null; needed: number; version: string | null },
) {
  const what =
    name === null
      ? 'A newer Alder is about to change the tables of this database'
      : `Alder ${version ?? 'of a later version'} has run ${name} on this database`
  return (
    `${what}, which takes a version that knows ${levelText(needed)}: this is Alder ${VERSION}, which knows the ` +
    `migrations up to ${levelText(level)}. Start a newer one.`
  )
}

/** How long servers that cannot serve what is coming have to finish what they do, and how often they are looked for. Milliseconds. */
const FINISH_MS = 10_000
const LOOK_MS = 50

/**
 * Shows servers below the level that these migrations take that they come, and waits until those have stopped taking
 * requests. It shows for as long as the connection lives or until the answered function is called, so nothing stays
 * behind where who migrates dies. Belongs behind the migrations' lock.
 */
export async function announce(run: Run, pending: readonly Migration[]): Promise<() => Promise<void>> {
  const needed = Math.max(0, ...pending.map(({ compatibleFrom }) => compatibleFrom))
  const tell = async () => void (await run(`NOTIFY ${MIGRATIONS_CHANNEL}`))
  await run('SELECT pg_advisory_lock($1::int, $2::int)', [COMING_LEVEL, needed])
  await tell()
  const until = performance.now() + FINISH_MS
  while (performance.now() < until && (await someServeBelow(run, needed)))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  return async () => {
    await run('SELECT pg_advisory_unlock($1::int, $2::int)', [COMING_LEVEL, needed])
    await tell()
  }
}

async function someServeBelow(run: Run, needed: number): Promise<boolean> {
  const { rows } = await run(`SELECT FROM (${LOCKS_OF}) AS serving WHERE number < $2 LIMIT 1`, [SERVES_LEVEL, needed])
  return rows.length > 0
}

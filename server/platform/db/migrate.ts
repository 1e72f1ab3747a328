import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { checkClaim, type Claim, connectAsOwner, keepRecord } from '#server/platform/db/record.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { APP_ROLE, appUrl, ensureServingRole } from '#server/platform/db/serving-role.ts'
import { keepDaysOf } from '#server/platform/time-zone.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const DIRECTORY = new URL('./migrations/', import.meta.url)
/** Any number will do, as long as every Alder takes the same lock. */
const MIGRATION_LOCK = 4_117_203_311

/**
 * The digest that a migration had before its text was changed. None is changed any more: 0042 said in the syntax of
 * PostgreSQL 16 what 15 can do as well, so it had never run there, and both texts make the same tables.
 */
export const EARLIER_DIGESTS: Readonly<Record<string, string>> = {
  '0042_flat_reads.sql': '38e5361f8c9b4a997d4835fa652f2d7ffb407f555f43793642d4e3580ff8376a',
}

type Migration = { name: string; sql: string; digest: string }

async function migrationNames(): Promise<string[]> {
  return (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).toSorted()
}

/** The number and name of the last migration that this version brings: '0447_rail_event_contents'. */
export async function lastMigration(): Promise<string> {
  return (await migrationNames()).at(-1)?.replace(/\.sql$/, '') ?? ''
}

/** The migrations that this version brings and the database has not run. */
export async function pendingMigrations(run: Run): Promise<string[]> {
  const { rows } = await run('SELECT name FROM bank.migration', [])
  const applied = new Set(rows.map((row) => row['name']))
  return (await migrationNames()).filter((name) => !applied.has(name))
}

async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const sql = await readFile(new URL(name, DIRECTORY), 'utf8')
      return { name, sql, digest: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

type MigrateOptions = Claim & {
  /** What else the owner puts in place, after the migrations and under the same lock; `grantee` is to use it. */
  after?: (run: Run, grantee: string) => Promise<void>
  /** The last migration to run; all of them unless told. For tests that begin with an older bank. */
  upTo?: string
}

/**
 * Brings the database to this version of the bank: its record, the serving role and the numbered migrations not yet run,
 * each in its own transaction, under one lock however many servers start together. Its days are the process's from now on.
 * Answers the address to serve from.
 * Throws StartError, and changes nothing, where the database is not this bank's, PostgreSQL is older than 15, or a
 * migration that has run was changed since.
 */
export async function migrate(options: MigrateOptions): Promise<string> {
  const { ownerUrl, secret, upTo, after } = options
  const client = await connectAsOwner(ownerUrl)
  const run = runOn(client)
  try {
    await run('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const record = await checkClaim(run, options)
    const role = await ensureServingRole({ client, ownerUrl, secret }, record.grantee)
    await keepRecord(run, record)
    const migrations = (await readMigrations()).filter(({ name }) => !upTo || name <= upTo)
    await runPending(client, migrations, record.grantee)
    await keepDays(run, record.timeZone)
    keepDaysOf(record.timeZone)
    await after?.(run, record.grantee)
    return appUrl(ownerUrl, secret, role)
  } finally {
    await client.end()
  }
}

/** Has `ledger.day_of` say the days of a zone. The zone stands in its text, so that PostgreSQL knows that a day never changes. */
async function keepDays(run: Run, timeZone: string): Promise<void> {
  const body = `SELECT (instant AT TIME ZONE ${pg.escapeLiteral(timeZone)})::date`
  await run(`DO $do$ BEGIN
    IF (SELECT prosrc FROM pg_proc WHERE oid = to_regprocedure('ledger.day_of(timestamptz)')) <> $body$ ${body}; $body$ THEN
      CREATE OR REPLACE FUNCTION ledger.day_of(instant timestamptz) RETURNS date
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$ ${body}; $body$;
    END IF;
  END $do$`)
}

/** Migrations call the serving role by one name; `grantee` is whom they mean. */
async function runPending(client: pg.Client, migrations: Migration[], grantee: string): Promise<void> {
  const { rows } = await client.query<{ name: string; digest: string }>('SELECT name, digest FROM bank.migration')
  const applied = new Map(rows.map((row) => [row.name, row.digest]))
  for (const { name, sql, digest } of migrations) {
    const known = applied.get(name)
    if (known && (known === digest || known === EARLIER_DIGESTS[name])) continue
    if (known) throw new StartError(`The migration ${name} has run here and was changed since; add a new one instead.`)
    await client.query('BEGIN')
    try {
      await client.query(sql.replaceAll(APP_ROLE, grantee))
      await client.query('INSERT INTO bank.migration (name, digest) VALUES ($1, $2)', [name, digest])
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw new Error(`The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findBlocker } from '#server/platform/db/blocker.ts'
import { announceMigrations } from '#server/platform/db/compatibility.ts'
import { takeLockPatiently } from '#server/platform/db/patient-lock.ts'
import { levelText, type Migration, ownLevel, readMigrations } from '#server/platform/db/migration-files.ts'
import {
  checkClaim,
  type DatabaseClaim,
  connectAsOwner,
  insertDatabaseRecord,
} from '#server/platform/db/database-identity.ts'
import { errorCode, runOn, type Run } from '#server/platform/db/run.ts'
import { APP_ROLE, appUrl, ensureServingRole } from '#server/platform/db/serving-role.ts'
import { setBankZone } from '#server/platform/time-zone.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { VERSION } from '#server/platform/process/version.ts'

/** The key of the advisory lock. Its value is arbitrary, but must be the same in every Alder server. */
const MIGRATION_LOCK = 4_117_203_311

/**
 * The earlier digest of each migration whose text was changed. No further migration may be changed. 0042 used syntax of
 * PostgreSQL 16, so it had never run on 15; both texts create the same tables.
 */
export const EARLIER_DIGESTS: Readonly<Record<string, string>> = {
  '0042_flat_reads.sql': '38e5361f8c9b4a997d4835fa652f2d7ffb407f555f43793642d4e3580ff8376a',
}

/**
 * `LOCK_MS`: the longest wait of a migration for all of its locks together. `REST_MS`: the pause after that wait. Both are in
 * milliseconds. Queries on the same tables, and with them customers, wait behind a waiting migration. They proceed during the
 * pause. The length of the pause is random, so that two waiting servers do not meet again and again.
 */
const LOCK_MS = 2_000
const REST_MS = { least: 1_000, most: 3_000 }
/** The longest time of all attempts of a migration together, in milliseconds. */
const PATIENCE_MS = 120_000
/**
 * The longest run of a migration, in milliseconds. A migration keeps its locks meanwhile, so longer work must be a backfill
 * (jobs/backfill.ts). Migrations before `RULES_FROM` and those that `IS_PROOF` matches have no limit.
 */
const LIMIT_MS = 60_000
/**
 * Matches migrations that only validate existing data. Their time grows with the bank, but they block neither readers nor
 * writers.
 */
const IS_PROOF = /_is_proved\.sql$/
/** The first migration that must state its compatibility. */
export const RULES_FROM = '0460'

type MigrateOptions = DatabaseClaim & {
  /**
   * Creates further objects as the owner, after the migrations and under the same lock. `grantee` is the role that uses them.
   */
  after?: (run: Run, grantee: string) => Promise<void>
  /** The last migration to run; all by default. For tests that begin with an older bank. */
  upTo?: string
  /** The folder of the migrations, and the longest time of all attempts of a migration together, in milliseconds. For tests. */
  directory?: URL
  patienceMs?: number
  /** The longest run of one migration, in milliseconds. For tests. */
  limitMs?: number
  /**
   * `report` receives the description of a blocking connection. `lockPatienceMs` is the longest wait for another process that
   * prepares the database, for tests.
   */
  report?: (sentence: string) => void
  lockPatienceMs?: number
}

/**
 * Brings the database to this version of the bank: the bank's record, the serving role and the missing numbered migrations,
 * each in its own transaction. One lock covers all of it, so any number of servers may start together. From then on this
 * process computes days in the database's time zone. Returns the address to serve from.
 *
 * Throws StartError before any migration runs, in these cases: the database is not this bank's, PostgreSQL is older than 15, a
 * migration was changed after it ran, a migration that ran is incompatible with this version, or another process prepares the
 * database for too long. Also throws StartError if a migration does not get its locks or takes too long. That migration is
 * rolled back, and the migrations before it stay.
 */
export async function migrate(options: MigrateOptions): Promise<string> {
  const { ownerUrl, secret, upTo, after, directory, lockPatienceMs: patienceMs, report = () => undefined } = options
  const client = await connectAsOwner(ownerUrl)
  const run = runOn(client)
  try {
    await takeLockPatiently(client, {
      ownerUrl,
      lock: MIGRATION_LOCK,
      who: 'The preparation of the database',
      report,
      patienceMs,
    })
    const record = await checkClaim(run, options)
    const role = await ensureServingRole({ client, ownerUrl, secret }, record.grantee)
    await insertDatabaseRecord(run, record)
    const migrations = (await readMigrations(directory)).filter(({ name }) => !upTo || name <= upTo)
    await runPending(client, await pendingOf(run, migrations), { ...options, grantee: record.grantee })
    if (!upTo) await beginBackfillsAgain(run)
    await keepDays(run, record.timeZone)
    setBankZone(record.timeZone)
    await after?.(run, record.grantee)
    return appUrl(ownerUrl, secret, role)
  } finally {
    await client.end()
  }
}

/**
 * Restarts the backfills of newer versions. This version does not maintain their columns, and is about to serve the database.
 */
async function beginBackfillsAgain(run: Run): Promise<void> {
  await run('UPDATE bank.backfill SET done_at = NULL, after_key = NULL, done_rows = 0 WHERE kept_from > $1', [
    await ownLevel(),
  ])
}

/**
 * Makes `ledger.day_of` compute days in a time zone. The zone is a constant in the function's text, so that PostgreSQL can
 * treat the function as immutable.
 */
async function keepDays(run: Run, timeZone: string): Promise<void> {
  const body = `SELECT (instant AT TIME ZONE ${pg.escapeLiteral(timeZone)})::date`
  await run(`DO $do$ BEGIN
    IF (SELECT prosrc FROM pg_proc WHERE oid = to_regprocedure('ledger.day_of(timestamptz)')) <> $body$ ${body}; $body$ THEN
      CREATE OR REPLACE FUNCTION ledger.day_of(instant timestamptz) RETURNS date
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$ ${body}; $body$;
    END IF;
  END $do$`)
}

/** Returns the migrations that have not run here. Throws StartError if a migration was changed after it ran. */
async function pendingOf(run: Run, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await run('SELECT name, digest FROM bank.migration')
  const appliedDigests = new Map(rows.map((row) => [row['name'], row['digest']]))
  const changedMigration = migrations.find(({ name, digest }) => {
    const appliedMigration = appliedDigests.get(name)
    return appliedMigration !== undefined && appliedMigration !== digest && appliedMigration !== EARLIER_DIGESTS[name]
  })
  if (changedMigration)
    throw new StartError(
      `The migration ${changedMigration.name} has run here and was changed since; add a new one instead.`,
    )
  return migrations.filter(({ name }) => !appliedDigests.has(name))
}

type MigrationRun = Pick<MigrateOptions, 'ownerUrl' | 'patienceMs' | 'limitMs'> & {
  /** The role that replaces the fixed name of the serving role in migrations. */
  grantee: string
}

/** Runs migrations after the incompatible older servers have stopped, or have had time to stop (compatibility.ts). */
async function runPending(client: pg.Client, pending: readonly Migration[], running: MigrationRun): Promise<void> {
  if (pending.length === 0) return
  const endAnnouncement = await announceMigrations(runOn(client), pending)
  // This connection is opened in advance: a busy server may refuse new connections later.
  const otherClient = await connectAsOwner(running.ownerUrl)
  try {
    for (const migration of pending) await runPatiently(client, migration, { ...running, other: otherClient })
  } finally {
    await otherClient.end().catch(() => undefined)
    await endAnnouncement().catch(() => undefined)
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/**
 * Runs a migration as soon as it gets its locks. Throws StartError if the wait for the locks or the migration itself takes too
 * long.
 */
async function runPatiently(
  client: pg.Client,
  migration: Migration,
  { other, ...running }: MigrationRun & { other: pg.Client },
): Promise<void> {
  const { ownerUrl, patienceMs = PATIENCE_MS, limitMs = LIMIT_MS } = running
  const until = performance.now() + patienceMs
  let blocker: string | null = null
  for (let tries = 1; ; tries += 1) {
    // The first attempt is usually not blocked, so it is not watched.
    const watch = tries > 1 ? await findBlocker(ownerUrl, client) : null
    const isBounded = migration.name >= RULES_FROM && !IS_PROOF.test(migration.name)
    const bounds = { limitMs: isBounded ? limitMs : Infinity, waitMs: LOCK_MS }
    try {
      return await runWithin(bounds, { client, other }, () => runOnce(client, migration, running.grantee))
    } catch (error) {
      blocker = watch?.holder() ?? blocker
      const code = errorCode(error)
      if (error instanceof Overdue && error.of === 'limit')
        throw new StartError(
          `The migration ${migration.name} took longer than ${limitMs / 1000} seconds, so it was rolled back: a change that takes ` +
            'this long on this database must be a backfill.',
          { cause: error },
        )
      if (!(error instanceof Overdue) && code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK)
        throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
      if (performance.now() > until)
        throw new StartError(
          `The migration ${migration.name} did not get its lock within ${Math.round(patienceMs / 1000)} seconds, and ` +
            `no part of it was applied: ${blocker ?? 'who holds it is not known'}.`,
          { cause: error },
        )
    } finally {
      await watch?.stop()
    }
    await sleep(REST_MS.least + Math.random() * (REST_MS.most - REST_MS.least))
  }
}

/** The error for work that was ended because all of it together took too long, or because it waited too long for locks. */
class Overdue extends Error {
  readonly of: keyof typeof REASONS
  constructor(reason: keyof typeof REASONS, cause: unknown) {
    super(REASONS[reason], { cause })
    this.of = reason
  }
}
const REASONS = { limit: 'It took too long', wait: 'It waited too long for locks' }

/** The interval between two checks whether a migration waits for a lock, in milliseconds. */
const LOOK_MS = 100

type Connections = { client: pg.Client; /** Watches the work of `client` and cancels it. */ other: pg.Client }

/**
 * Does a connection's work. Ends it with the error Overdue once all of it together has taken too long, or has waited too long
 * for locks. PostgreSQL's own limits do not suffice: statement_timeout starts again with each statement, and lock_timeout with
 * each lock, while earlier locks stay held.
 */
async function runWithin<Result>(
  { limitMs, waitMs }: { limitMs: number; waitMs: number },
  { client, other }: Connections,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows: backends } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const startedAt = performance.now()
  const endController = new AbortController()
  let isDone = false
  let overdue: keyof typeof REASONS | null = null
  let waitedMs = 0
  let lastAt = startedAt
  const look = async (): Promise<void> => {
    const { rows } = await other.query('SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits', [backends[0]?.pid])
    const now = performance.now()
    if (rows[0].waits) waitedMs += now - lastAt
    lastAt = now
    const reason = now - startedAt > limitMs ? 'limit' : waitedMs > waitMs ? 'wait' : null
    if (reason === null || isDone) return
    overdue = reason
    await other.query('SELECT pg_cancel_backend($1)', [backends[0]?.pid])
  }
  const lookLoop = (async () => {
    while (!isDone && overdue === null) {
      await sleep(LOOK_MS, undefined, { signal: endController.signal }).catch(() => undefined)
      if (!isDone) await look().catch(() => undefined)
    }
  })()
  try {
    return await work()
  } catch (error) {
    throw overdue === null ? error : new Overdue(overdue, error)
  } finally {
    isDone = true
    endController.abort()
    // Waits for the last check, so that it cannot cancel later work.
    await lookLoop
  }
}

async function runOnce(client: pg.Client, { name, sql, digest, compatibleFrom }: Migration, grantee: string) {
  await client.query('BEGIN')
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`)
    await client.query(sql.replaceAll(APP_ROLE, grantee))
    await client.query('INSERT INTO bank.migration (name, digest, compatible_from, version) VALUES ($1, $2, $3, $4)', [
      name,
      digest,
      levelText(compatibleFrom),
      VERSION,
    ])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findBlocker } from '#server/platform/db/blocker.ts'
import { announce } from '#server/platform/db/compatibility.ts'
import { takeLock } from '#server/platform/db/patient-lock.ts'
import { levelText, type Migration, ownLevel, readMigrations } from '#server/platform/db/migration-files.ts'
import { checkClaim, type Claim, connectAsOwner, keepRecord } from '#server/platform/db/record.ts'
import { errorCode, runOn, type Run } from '#server/platform/db/run.ts'
import { APP_ROLE, appUrl, ensureServingRole } from '#server/platform/db/serving-role.ts'
import { keepDaysOf } from '#server/platform/time-zone.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { VERSION } from '#server/platform/process/version.ts'

/** Any number will do, as long as every Alder takes the same lock. */
const MIGRATION_LOCK = 4_117_203_311

/**
 * The digest that a migration had before its text was changed. None is changed any more: 0042 said in the syntax of
 * PostgreSQL 16 what 15 can do as well, so it had never run there, and both texts make the same tables.
 */
export const EARLIER_DIGESTS: Readonly<Record<string, string>> = {
  '0042_flat_reads.sql': '38e5361f8c9b4a997d4835fa652f2d7ffb407f555f43793642d4e3580ff8376a',
}

/**
 * How long a migration waits for locks at a time, for all of them together: what asks for the same tables waits behind it, and
 * with that customers. In between they have their turn, for a while by chance, so that two do not meet again and again. Milliseconds.
 */
const LOCK_MS = 2_000
const REST_MS = { least: 1_000, most: 3_000 }
/** How long it is tried, in milliseconds. */
const PATIENCE_MS = 120_000
/**
 * How long a migration may take, in milliseconds: what it has locked stays so meanwhile, so what takes longer is a backfill
 * (server/platform/jobs/backfill.ts). Those of before this was a rule take as long as they take.
 */
const LIMIT_MS = 60_000
/** What takes as long as the bank is large, and keeps neither readers nor writers waiting: it only proves what is so. */
const IS_PROOF = /_is_proved\.sql$/
/** The first migration that has to say what it is compatible with. */
export const RULES_FROM = '0460'

type MigrateOptions = Claim & {
  /** What else the owner puts in place, after the migrations and under the same lock; `grantee` is to use it. */
  after?: (run: Run, grantee: string) => Promise<void>
  /** The last migration to run; all of them unless told. For tests that begin with an older bank. */
  upTo?: string
  /** Where the migrations are, and how long one is tried that others keep from its lock. For tests. */
  directory?: URL
  patienceMs?: number
  /** How long one may take. For tests. */
  limitMs?: number
  /** Told who keeps it waiting, and how long it waits for who prepares the database as well. The latter is for tests. */
  say?: (sentence: string) => void
  lockPatienceMs?: number
}

/**
 * Brings the database to this version of the bank: its record, the serving role and the numbered migrations not yet run,
 * each in its own transaction, under one lock however many servers start together. Its days are the process's from now on.
 * Answers the address to serve from.
 * Throws StartError, and changes nothing, where the database is not this bank's, PostgreSQL is older than 15, a
 * migration that has run was changed since, or one has run that this version cannot serve beside. Throws it, having run
 * the migrations before, where one does not get its lock, and having changed nothing, where somebody else prepares it for too long.
 */
export async function migrate(options: MigrateOptions): Promise<string> {
  const { ownerUrl, secret, upTo, after, directory, lockPatienceMs: patienceMs, say = () => undefined } = options
  const client = await connectAsOwner(ownerUrl)
  const run = runOn(client)
  try {
    await takeLock(client, { ownerUrl, lock: MIGRATION_LOCK, who: 'The preparation of the database', say, patienceMs })
    const record = await checkClaim(run, options)
    const role = await ensureServingRole({ client, ownerUrl, secret }, record.grantee)
    await keepRecord(run, record)
    const migrations = (await readMigrations(directory)).filter(({ name }) => !upTo || name <= upTo)
    await runPending(client, await pendingOf(run, migrations), { ...options, grantee: record.grantee })
    if (!upTo) await beginBackfillsAgain(run)
    await keepDays(run, record.timeZone)
    keepDaysOf(record.timeZone)
    await after?.(run, record.grantee)
    return appUrl(ownerUrl, secret, role)
  } finally {
    await client.end()
  }
}

/** A newer version's backfills bring up to date what this one, which is about to serve beside it or after it, does not keep. */
async function beginBackfillsAgain(run: Run): Promise<void> {
  await run('UPDATE bank.backfill SET done_at = NULL, after_key = NULL, done_rows = 0 WHERE kept_from > $1', [
    await ownLevel(),
  ])
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

/** Those that have not run here. Throws StartError where one was changed since it has. */
async function pendingOf(run: Run, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await run('SELECT name, digest FROM bank.migration')
  const applied = new Map(rows.map((row) => [row['name'], row['digest']]))
  const changed = migrations.find(({ name, digest }) => {
    const known = applied.get(name)
    return known !== undefined && known !== digest && known !== EARLIER_DIGESTS[name]
  })
  if (changed)
    throw new StartError(`The migration ${changed.name} has run here and was changed since; add a new one instead.`)
  return migrations.filter(({ name }) => !applied.has(name))
}

type Running = Pick<MigrateOptions, 'ownerUrl' | 'patienceMs' | 'limitMs'> & {
  /** Migrations call the serving role by one name; whom they mean. */
  grantee: string
}

/** Runs migrations, once older servers that cannot serve beside them have stopped. */
async function runPending(client: pg.Client, pending: readonly Migration[], running: Running): Promise<void> {
  if (pending.length === 0) return
  const done = await announce(runOn(client), pending)
  // Opened before it is needed: a server that is busy then may let nobody in.
  const other = await connectAsOwner(running.ownerUrl)
  try {
    for (const migration of pending) await runPatiently(client, migration, { ...running, other })
  } finally {
    await other.end().catch(() => undefined)
    await done().catch(() => undefined)
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** Runs a migration as soon as it gets its locks. Throws StartError where that takes too long. */
async function runPatiently(
  client: pg.Client,
  migration: Migration,
  { other, ...running }: Running & { other: pg.Client },
): Promise<void> {
  const { ownerUrl, patienceMs = PATIENCE_MS, limitMs = LIMIT_MS } = running
  const until = performance.now() + patienceMs
  let blocker: string | null = null
  for (let tries = 1; ; tries += 1) {
    // The first time nobody is in the way, as a rule, and who is not is not looked for.
    const watch = tries > 1 ? await findBlocker(ownerUrl, client) : null
    const isBounded = migration.name >= RULES_FROM && !IS_PROOF.test(migration.name)
    const bounds = { limitMs: isBounded ? limitMs : Infinity, waitMs: LOCK_MS }
    try {
      return await runWithin(bounds, { client, other }, () => runOnce(client, migration, running.grantee))
    } catch (error) {
      blocker = watch?.found() ?? blocker
      const code = errorCode(error)
      if (error instanceof Overdue && error.of === 'limit')
        throw new StartError(
          `The migration ${migration.name} took longer than ${limitMs / 1000} seconds, so it was undone: what takes ` +
            'so long on this database has to be a backfill.',
          { cause: error },
        )
      if (!(error instanceof Overdue) && code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK)
        throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
      if (performance.now() > until)
        throw new StartError(
          `The migration ${migration.name} did not get its lock within ${Math.round(patienceMs / 1000)} seconds, and ` +
            `nothing of it was done: ${blocker ?? 'who holds it is not known'}.`,
          { cause: error },
        )
    } finally {
      await watch?.stop()
    }
    await sleep(REST_MS.least + Math.random() * (REST_MS.most - REST_MS.least))
  }
}

/** What was ended because it took too long, in all or in waiting for locks. */
class Overdue extends Error {
  readonly of: keyof typeof REASONS
  constructor(of: keyof typeof REASONS, cause: unknown) {
    super(REASONS[of], { cause })
    this.of = of
  }
}
const REASONS = { limit: 'It took too long', wait: 'It waited too long for locks' }

/** How often it is looked whether a migration waits for a lock, in milliseconds. */
const LOOK_MS = 100

type Connections = { client: pg.Client; /** Looks, and ends what the first one does. */ other: pg.Client }

/**
 * Ends what a connection does once it has taken too long, all of it together: PostgreSQL's statement_timeout counts anew with
 * each statement, and its lock_timeout with each lock, and what the first has locked stays so. Throws Overdue then.
 */
async function runWithin<Result>(
  { limitMs, waitMs }: { limitMs: number; waitMs: number },
  { client, other }: Connections,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows: own } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const startedAt = performance.now()
  const ending = new AbortController()
  let isDone = false
  let overdue: keyof typeof REASONS | null = null
  let waitedMs = 0
  let lastAt = startedAt
  const look = async (): Promise<void> => {
    const { rows } = await other.query('SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits', [own[0]?.pid])
    const now = performance.now()
    if (rows[0].waits) waitedMs += now - lastAt
    lastAt = now
    const found = now - startedAt > limitMs ? 'limit' : waitedMs > waitMs ? 'wait' : null
    if (found === null || isDone) return
    overdue = found
    await other.query('SELECT pg_cancel_backend($1)', [own[0]?.pid])
  }
  const looking = (async () => {
    while (!isDone && overdue === null) {
      await sleep(LOOK_MS, undefined, { signal: ending.signal }).catch(() => undefined)
      if (!isDone) await look().catch(() => undefined)
    }
  })()
  try {
    return await work()
  } catch (error) {
    throw overdue === null ? error : new Overdue(overdue, error)
  } finally {
    isDone = true
    ending.abort()
    // So that nothing which comes after it is ended.
    await looking
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

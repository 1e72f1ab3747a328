import { createHash, createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** The role that serves requests: it reads and adds, changes no ledger row and no table. */
const APP_ROLE = 'alder_app'
const DIRECTORY = new URL('./migrations/', import.meta.url)
const MINIMUM_VERSION = 15
/** Any number will do, as long as every Alder takes the same lock. */
const MIGRATION_LOCK = 4_117_203_311

/**
 * The serving role's URL on the owner's database. Its password is derived from the bank's secret, so that every
 * server that shares the secret and the database knows it and none has to store it.
 */
export function appUrl(ownerUrl: string, secret: string): string {
  const url = new URL(ownerUrl)
  url.username = APP_ROLE
  url.password = appPassword(secret)
  return url.toString()
}

function appPassword(secret: string): string {
  return createHmac('sha256', secret).update(`database role ${APP_ROLE}`).digest('base64url')
}

type Migration = { name: string; sql: string; digest: string }

async function migrationNames(): Promise<string[]> {
  return (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).toSorted()
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

type MigrateOptions = {
  ownerUrl: string
  secret: string
  /** What else the owner puts in place, after the migrations and under the same lock. */
  after?: (run: Run) => Promise<void>
  /** The last migration to run; all of them unless told. For tests that begin with an older bank. */
  upTo?: string
}

/**
 * Brings the database to this version of the bank: the serving role and the numbered migrations not yet run, each in
 * its own transaction, under one lock however many servers start together.
 * Throws when the server is older than PostgreSQL 15 or a migration that has run was changed since.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: options.ownerUrl, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const version = await client.query<{ n: number }>(`SELECT current_setting('server_version_num')::int / 10000 AS n`)
    const major = version.rows[0]?.n ?? 0
    if (major < MINIMUM_VERSION)
      throw new StartError(`Alder needs PostgreSQL ${MINIMUM_VERSION} or newer; this is ${major}.`)
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await ensureRole(client, options)
    await client.query('CREATE SCHEMA IF NOT EXISTS bank')
    await client.query(`CREATE TABLE IF NOT EXISTS bank.migration
      (name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
    await client.query(`GRANT USAGE ON SCHEMA bank TO ${APP_ROLE}; GRANT SELECT ON bank.migration TO ${APP_ROLE}`)
    const migrations = await readMigrations()
    await runPending(
      client,
      migrations.filter(({ name }) => !options.upTo || name <= options.upTo),
    )
    await options.after?.(runOn(client))
  } finally {
    await client.end()
  }
}

async function ensureRole(client: pg.Client, options: { ownerUrl: string; secret: string }): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE])
  const password = client.escapeLiteral(appPassword(options.secret))
  const attributes = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${password}`
  if (rows.length === 0) await client.query(`CREATE ROLE ${APP_ROLE} ${attributes}`)
  else if (!(await canLogIn(appUrl(options.ownerUrl, options.secret)))) {
    await client.query(`ALTER ROLE ${APP_ROLE} LOGIN PASSWORD ${password}`)
  }
  const database = await client.query<{ name: string }>('SELECT current_database() AS name')
  const named = client.escapeIdentifier(database.rows[0]?.name ?? '')
  await client.query(
    `GRANT CONNECT ON DATABASE ${named} TO ${APP_ROLE}; REVOKE TEMPORARY ON DATABASE ${named} FROM PUBLIC`,
  )
}

/** Asked first because roles belong to the whole cluster: databases that share it must not rewrite it at every start. */
async function canLogIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function runPending(client: pg.Client, migrations: Migration[]): Promise<void> {
  const { rows } = await client.query<{ name: string; digest: string }>('SELECT name, digest FROM bank.migration')
  const applied = new Map(rows.map((row) => [row.name, row.digest]))
  for (const { name, sql, digest } of migrations) {
    const known = applied.get(name)
    if (known === digest) continue
    if (known) throw new StartError(`The migration ${name} has run here and was changed since; add a new one instead.`)
    await client.query('BEGIN')
    try {
      await client.query(sql)
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

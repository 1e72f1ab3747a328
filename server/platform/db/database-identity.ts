import pg from 'pg'
import { connectOnce, namesOwner } from '#server/platform/db/connect.ts'
import { errorCode, runOn, type Run } from '#server/platform/db/run.ts'
import { schemaState } from '#server/platform/db/compatibility.ts'
import { alterRole, APP_ROLE, appUrl, canLogIn, loginRole, servingRole } from '#server/platform/db/serving-role.ts'
import { isSameZone, setBankZone, usualZoneName } from '#server/platform/time-zone.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { keyedDigest, keyedDigests, type Secret } from '#server/platform/secrets/derived-key.ts'

const MINIMUM_VERSION = 15

/** The default time zone of a new bank's days. */
export const NEW_BANKS_ZONE = 'America/New_York'

type Mode = 'sample' | 'live'

/** The identity of a database, written when the database is made. Only `secretCheck` changes later, with the bank's secret. */
export type DatabaseRecord = {
  mode: Mode
  /** The time zone of the bank's days. */
  timeZone: string
  /** A keyed digest that distinguishes the bank's secret from others without revealing it. */
  secretCheck: string
  /** The role that has the rights on the bank's tables. */
  grantee: string
}

/** The database that a server or a command opens, and the identity that it expects there. */
export type DatabaseClaim = Secret & {
  mode: Mode
  ownerUrl: string
  /** The time zone of the days of a new database; null or undefined for the default. An existing database keeps its own. */
  timeZone?: string | null
  /** Whether PostgreSQL runs in the bank's own folder. Only sample banks run there. */
  embedded?: boolean
}

/** Opens a connection as the owner. Throws StartError if it cannot connect. */
export async function connectAsOwner(ownerUrl: string): Promise<pg.Client> {
  if (!namesOwner(ownerUrl))
    throw new StartError(
      "DATABASE_URL names no user, and this needs the owner's rights: put the owner's name and password in it.",
    )
  return connectOnce(ownerUrl)
}

/**
 * Returns the serving role's address of a running bank, and sets the bank's time zone for this process. Changes nothing. Throws
 * StartError if the claim is wrong.
 */
export async function servingUrl(claim: DatabaseClaim): Promise<string> {
  if (!namesOwner(claim.ownerUrl)) return (await openAsServing(claim)).url
  const client = await connectAsOwner(claim.ownerUrl)
  try {
    const { grantee, timeZone } = await checkClaim(runOn(client), claim)
    setBankZone(timeZone)
    return appUrl(claim.ownerUrl, claim.secret, await loginRole(runOn(client), claim, grantee))
  } finally {
    await client.end()
  }
}

/**
 * Returns the serving role's address without the owner's rights. The role's name and password follow from the secret.
 * `pending`: the migrations that the owner still has to run. Throws StartError if the claim is wrong or this version cannot
 * serve the database.
 */
export async function openAsServing(claim: DatabaseClaim): Promise<{ url: string; pending: string[] }> {
  const role = servingRole(claim.secret)
  const urls = [role, APP_ROLE].map((name) => appUrl(claim.ownerUrl, claim.secret, name))
  const client = await connectAsServing(urls)
  try {
    const run = runOn(client)
    await checkServer(run)
    const record = (await mayRead(run)) ? await readRecord(run) : null
    if (!record)
      throw new StartError(
        "The database is not prepared for this version: run npm run migrate with the owner's address as DATABASE_URL.",
      )
    checkRecord(record, claim)
    const { pending, outdated } = await schemaState(run)
    if (outdated !== null) throw new StartError(outdated)
    setBankZone(record.timeZone)
    return { url: String(urls[client.user === role ? 0 : 1]), pending }
  } finally {
    await client.end()
  }
}

/** Connects to the first of the addresses whose role may log in. */
async function connectAsServing(urls: readonly string[]): Promise<pg.Client> {
  const [firstUrl = '', ...otherUrls] = urls
  try {
    return await connectOnce(firstUrl)
  } catch (error) {
    if (!isNotLetIn(error)) throw error
    for (const url of otherUrls) if (await canLogIn(url)) return connectOnce(url)
    throw new StartError(
      `The database at ${new URL(firstUrl).host} refuses the bank's own role, ${new URL(firstUrl).username}: ` +
        "run npm run migrate with the owner's address as DATABASE_URL first; if that was done, BANK_SECRET is a different secret.",
      { cause: error },
    )
  }
}

/**
 * Returns whether the role was refused: PostgreSQL's class 28 (invalid authorization), or a protocol violation from a pooler.
 */
function isNotLetIn(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  return /^(28|08P01)/.test(errorCode(cause) ?? '')
}

/** Returns whether this role may read the record. The serving role may read all of it except the check of the secret. */
async function mayRead(run: Run): Promise<boolean> {
  const { rows } = await run(
    `SELECT has_schema_privilege(nspname, 'USAGE') AND has_column_privilege(to_regclass('bank.database'), 'mode', 'SELECT') AS may
       FROM pg_namespace WHERE nspname = 'bank'`,
  )
  return rows[0]?.['may'] === true
}

/**
 * Returns the record of the database, or a new record if the database is empty or of a version without records. Changes
 * nothing. Throws StartError if this PostgreSQL is unusable, if the database has another mode, time zone or secret, or if its
 * version is incompatible with this one.
 */
export async function checkClaim(run: Run, claim: DatabaseClaim): Promise<DatabaseRecord> {
  await checkServer(run)
  const secretCheck = secretCheckOf(claim)
  const databaseRecord = await readCheckedRecord(run)
  if (!databaseRecord && !(await exists(run, 'bank.migration'))) {
    const timeZone = usualZoneName(claim.timeZone ?? NEW_BANKS_ZONE)
    await checkZone(run, timeZone)
    return { secretCheck, timeZone, mode: claim.mode, grantee: servingRole(claim.secret) }
  }
  const record = databaseRecord ?? {
    secretCheck,
    timeZone: ZONE_WITHOUT_RECORD,
    mode: await modeWithoutRecord(run, claim),
    grantee: APP_ROLE,
  }
  checkRecord(record, claim)
  if (
    databaseRecord
      ? !isCheckOf(claim, databaseRecord.secretCheck)
      : !(await canLogIn(appUrl(claim.ownerUrl, claim.secret, APP_ROLE)))
  )
    throw new StartError(databaseRecord ? OTHER_SECRET : unknownSecret(claim))
  const { outdated } = await schemaState(run)
  if (outdated !== null) throw new StartError(outdated)
  return record
}

/** Throws StartError if the mode or the time zone of a database differs from the claim. */
function checkRecord(record: Pick<DatabaseRecord, 'mode' | 'timeZone'>, claim: DatabaseClaim): void {
  if (record.mode !== claim.mode)
    throw new StartError(
      `This is the database of a ${record.mode} bank, and BANK_MODE is ${claim.mode}: ` +
        `set BANK_MODE=${record.mode}, or DATABASE_URL to another database.`,
    )
  if (claim.timeZone && !isSameZone(claim.timeZone, record.timeZone))
    throw new StartError(
      `This database keeps the days of ${record.timeZone}, which it keeps: set BANK_TIME_ZONE=${record.timeZone}, or ` +
        'DATABASE_URL to another database.',
    )
}

/** The time zone of all banks that were made before a bank could choose its time zone. */
const ZONE_WITHOUT_RECORD = 'UTC'

/** The range of days in which the clock changes are compared. No bank has earlier days, and none computes later ones. */
const CHECKED = { from: '2014-01-01', to: '2042-01-01' }

/** PostgreSQL's code for an unknown value of a parameter. */
const UNKNOWN_ZONE = '22023'

/**
 * Throws StartError if PostgreSQL does not have a time zone, or has other clock changes for it than this process. Otherwise the
 * database and the server would disagree about days.
 */
async function checkZone(run: Run, timeZone: string): Promise<void> {
  const start = Temporal.PlainDate.from(CHECKED.from).toZonedDateTime(timeZone)
  const end = Temporal.PlainDate.from(CHECKED.to).toZonedDateTime(timeZone)
  const moments = [start, end]
  let change = start.getTimeZoneTransition('next')
  while (change && Temporal.ZonedDateTime.compare(change, end) < 0) {
    moments.push(change.subtract({ milliseconds: 1 }), change)
    change = change.getTimeZoneTransition('next')
  }
  const { rows } = await run(
    `SELECT extract(epoch FROM (moment AT TIME ZONE $1) AT TIME ZONE 'UTC' - moment)::int AS seconds
       FROM unnest($2::timestamptz[]) WITH ORDINALITY AS all_of(moment, place) ORDER BY place`,
    [timeZone, moments.map((moment) => moment.toInstant().toString())],
  ).catch((error: unknown) => {
    if (errorCode(error) === UNKNOWN_ZONE) return { rows: [] }
    throw error
  })
  if (moments.some(({ offsetNanoseconds }, place) => rows[place]?.['seconds'] !== offsetNanoseconds / 1e9))
    throw new StartError(
      `PostgreSQL does not have the rules of BANK_TIME_ZONE ${timeZone} as Node does: update its time zones, or set ` +
        'another zone.',
    )
}

const OTHER_SECRET =
  'The secret is not the one that this database was made with: set BANK_SECRET to that one, or put the file "secret" ' +
  'back into DATA_DIR.'

/**
 * The error for a database of an earlier version. Such versions stored no check of the secret, but the password of their
 * serving role follows from the secret.
 */
const unknownSecret = ({ secret }: DatabaseClaim): string =>
  `The secret does not open the role ${APP_ROLE} of this database, so it may not be the bank's: set BANK_SECRET to the ` +
  'one the bank had. If it is the right one, and another bank on this PostgreSQL has changed the role since, run: ' +
  `${alterRole(APP_ROLE, secret)};`

async function checkServer(run: Run): Promise<void> {
  const { rows } = await run(
    `SELECT current_setting('server_version_num')::int / 10000 AS major, pg_is_in_recovery() AS standby,
            current_setting('transaction_read_only') = 'on' AS read_only`,
  )
  const { major, standby, read_only: readOnly } = rows[0] as { major: number; standby: boolean; read_only: boolean }
  if (major < MINIMUM_VERSION)
    throw new StartError(`Alder needs PostgreSQL ${MINIMUM_VERSION} or newer; this is ${major}.`)
  if (standby) throw new StartError('The database is a standby, which only reads: set DATABASE_URL to the primary.')
  if (readOnly)
    throw new StartError('The database is read-only for its owner: set DATABASE_URL to one that can be written.')
}

async function exists(run: Run, table: string): Promise<boolean> {
  const { rows } = await run('SELECT to_regclass($1) IS NOT NULL AS there', [table])
  return rows[0]?.['there'] === true
}

async function hasColumn(run: Run, table: string, column: string): Promise<boolean> {
  const { rows } = await run('SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2', [table, column])
  return rows.length > 0
}

/** Reads the part of the record that the serving role may read, too. */
async function readRecord(run: Run): Promise<Omit<DatabaseRecord, 'secretCheck'> | null> {
  const { rows } = await run('SELECT mode, time_zone AS "timeZone", grantee FROM bank.database')
  return (rows[0] as DatabaseRecord | undefined) ?? null
}

async function readCheckedRecord(run: Run): Promise<DatabaseRecord | null> {
  if (!(await exists(run, 'bank.database'))) return null
  const record = await readRecord(run)
  const { rows } = await run('SELECT secret_check AS "secretCheck" FROM bank.database')
  return record && { ...record, secretCheck: String(rows[0]?.['secretCheck']) }
}

const CHECK = 'check of the secret'

export function secretCheckOf(secret: Secret): string {
  return keyedDigest(secret, CHECK, '').toString('base64url')
}

/**
 * Returns whether the database has the check of one of the configured secrets. While the bank's secret changes, this may be an
 * earlier secret or the next one.
 */
function isCheckOf(claim: DatabaseClaim, storedCheck: string): boolean {
  return keyedDigests(claim, CHECK, '').some((check) => check.toString('base64url') === storedCheck)
}

/** The difference between servers' clocks that is tolerated, in minutes. */
const CLOCKS_DIFFER_MINUTES = 10

/**
 * Returns the mode of a bank that an earlier version made. Only sample banks have a business clock, and it is older than every
 * security event there. Throws StartError if an event is older: then a server in sample mode has opened a live bank.
 */
async function modeWithoutRecord(run: Run, { mode, embedded }: DatabaseClaim): Promise<Mode> {
  if (embedded || !(await exists(run, 'bank.security_event'))) return mode
  const { rows } = await run(
    `SELECT clock.real_epoch AS "openedAt", EXISTS (SELECT FROM bank.customer) AS "hasCustomers",
            EXISTS (SELECT FROM bank.security_event
                     WHERE happened_at < clock.real_epoch - $1 * interval '1 minute') AS older
       FROM (SELECT) AS always LEFT JOIN bank.clock ON true`,
    [CLOCKS_DIFFER_MINUTES],
  )
  const {
    openedAt,
    hasCustomers,
    older: isOlder,
  } = rows[0] as { openedAt: Date | null; hasCustomers: boolean; older: boolean }
  if (openedAt === null) return hasCustomers ? 'live' : mode
  if (!isOlder) return 'sample'
  throw new StartError(
    `This database was a live bank's until a server in sample mode opened it on ${openedAt.toISOString()}: look at what ` +
      'was booked since then, and to go on in live mode and real time, run: DELETE FROM bank.clock;',
  )
}

/** Creates the record and the list of migrations in one transaction. The caller must hold the migration lock. */
export async function insertDatabaseRecord(run: Run, record: DatabaseRecord): Promise<void> {
  await run('BEGIN')
  try {
    await run('CREATE SCHEMA IF NOT EXISTS bank')
    await run(`CREATE TABLE IF NOT EXISTS bank.migration
      (name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
    // The oldest compatible level, and the version that ran the migration. Earlier versions stored neither and work without
    // them.
    if (!(await hasColumn(run, 'bank.migration', 'compatible_from')))
      await run('ALTER TABLE bank.migration ADD COLUMN compatible_from text, ADD COLUMN version text')
    await run(`CREATE TABLE IF NOT EXISTS bank.database (
      one_row      boolean PRIMARY KEY DEFAULT true CHECK (one_row),
      mode         text NOT NULL UNIQUE CHECK (mode IN ('sample', 'live')),
      time_zone    text NOT NULL,
      secret_check text NOT NULL,
      grantee      text NOT NULL)`)
    await run(
      `INSERT INTO bank.database (mode, time_zone, secret_check, grantee) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [record.mode, record.timeZone, record.secretCheck, record.grantee],
    )
    await run(`GRANT USAGE ON SCHEMA bank TO ${record.grantee}`)
    await run(`GRANT SELECT ON bank.migration TO ${record.grantee}`)
    await run(`GRANT SELECT (mode, time_zone, grantee) ON bank.database TO ${record.grantee}`)
    await run('COMMIT')
  } catch (error) {
    await run('ROLLBACK')
    throw error
  }
}

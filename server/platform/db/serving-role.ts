import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { errorCode, runOn, type Run } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/**
 * What migrations call the role that serves requests: it reads and adds, changes no ledger row and no table. Databases
 * of earlier versions grant their tables to a role of this very name, which all banks on one PostgreSQL shared.
 */
export const APP_ROLE = 'alder_app'

/**
 * The role that a bank with this secret serves as. Roles belong to the whole cluster, so that each secret has one of its
 * own: banks with different secrets never change each other's password.
 */
export function servingRole(secret: string): string {
  return `${APP_ROLE}_${createHmac('sha256', secret).update('database role name').digest('hex').slice(0, 12)}`
}

/** Derived from the secret, so that every server that shares it knows the password and none has to store it. */
function passwordOf(role: string, secret: string): string {
  return createHmac('sha256', secret).update(`database role ${role}`).digest('base64url')
}

/** The address of the owner's database for the serving role; `role` where it is not the one of the secret. */
export function appUrl(ownerUrl: string, secret: string, role = servingRole(secret)): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = passwordOf(role, secret)
  return url.toString()
}

/** Another address for whoever the first one is for: a standby has the roles of its primary. */
export function asServing(address: string, servingUrl: string): string {
  const { username, password } = new URL(servingUrl)
  return Object.assign(new URL(address), { username, password }).toString()
}

/**
 * The role that a server or a command logs in as, on a database whose tables are granted to `grantee`. That of the secret
 * may be missing on a database of an earlier version, or from the list of users that a pooler keeps.
 */
export async function loginRole(
  run: Run,
  { ownerUrl, secret }: Pick<Owner, 'ownerUrl' | 'secret'>,
  grantee: string,
): Promise<string> {
  const own = servingRole(secret)
  if (own === grantee) return own
  return (await mayActAs(run, own, grantee)) && (await canLogIn(appUrl(ownerUrl, secret))) ? own : grantee
}

async function mayActAs(run: Run, role: string, grantee: string): Promise<boolean> {
  const { rows } = await run(`SELECT pg_has_role(oid, $2, 'USAGE') AS may FROM pg_roles WHERE rolname = $1`, [
    role,
    grantee,
  ])
  return rows[0]?.['may'] === true
}

type Owner = { client: pg.Client; ownerUrl: string; secret: string }

/**
 * Makes sure that the secret's role is there, logs in and may do what `grantee` may. Where the owner may not make roles,
 * `grantee` itself serves if it can log in. Throws StartError with the SQL that somebody who may has to run.
 */
export async function ensureServingRole(owner: Owner, grantee: string): Promise<string> {
  const { client, ownerUrl, secret } = owner
  const own = servingRole(secret)
  await makeRole(owner, grantee)
  const role = await loginRole(runOn(client), owner, grantee)
  if (role !== own && !(await canLogIn(appUrl(ownerUrl, secret, role))))
    throw new StartError(mayNot(`${createRole(own, secret)}; GRANT ${grantee} TO ${own}`))
  const database = await client.query<{ name: string }>('SELECT current_database() AS name')
  const named = client.escapeIdentifier(database.rows[0]?.name ?? '')
  await client.query(`GRANT CONNECT ON DATABASE ${named} TO ${role}; REVOKE TEMPORARY ON DATABASE ${named} FROM PUBLIC`)
  return role
}

/** Makes or mends the secret's role, as far as the owner may; on a database of an earlier version, `grantee` does without. */
async function makeRole({ client, ownerUrl, secret }: Owner, grantee: string): Promise<void> {
  const role = servingRole(secret)
  const run = runOn(client)
  const { rows } = await run('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  if (rows.length === 0) {
    const made = await isAllowed(run, createRole(role, secret))
    if (!made && grantee === role) throw new StartError(mayNot(createRole(role, secret)))
    if (!made) return
  } else if (!(await canLogIn(appUrl(ownerUrl, secret)))) {
    const mended = await isAllowed(run, alterRole(role, secret))
    if (!mended && grantee === role) throw new StartError(mayNot(alterRole(role, secret)))
  }
  if (!(await mayActAs(run, role, grantee))) await isAllowed(run, `GRANT ${grantee} TO ${role}`)
}

const INSUFFICIENT_PRIVILEGE = '42501'
/** Another server made the role in the same instant; roles have no lock that all databases share. */
const EXISTS = new Set(['42710', '23505'])

/** Runs a statement about roles. Answers whether the owner may do that. */
async function isAllowed(run: Run, statement: string): Promise<boolean> {
  try {
    await run(statement)
    return true
  } catch (error) {
    if (EXISTS.has(errorCode(error) ?? '')) return true
    if (errorCode(error) === INSUFFICIENT_PRIVILEGE) return false
    throw error
  }
}

const mayNot = (sql: string): string =>
  `The owner in DATABASE_URL may not make the role that serves requests; have this run by somebody who may: ${sql};`

/** PostgreSQL's log quotes statements, above all those that failed: none names a password that opens anything. */
const createRole = (role: string, secret: string): string =>
  `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${verifierOf(passwordOf(role, secret))}'`

/** Gives a role the password that the secret derives. */
export const alterRole = (role: string, secret: string): string =>
  `ALTER ROLE ${role} LOGIN PASSWORD '${verifierOf(passwordOf(role, secret))}'`

/** RFC 5803's form of a SCRAM-SHA-256 password (RFC 5802), which PostgreSQL keeps as it is: it opens nothing where it is read. */
function verifierOf(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}

export async function canLogIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * What somebody who may make roles and databases runs once, so that an owner without that right can prepare the database at
 * `url`. Names nobody's password: what it says of them opens nothing.
 */
export function sqlForRoles(url: string | null, secret: string): string {
  const { username, password, pathname } = new URL(url ?? 'postgres://alder')
  const owner = pg.escapeIdentifier(decodeURIComponent(username) || 'alder_owner')
  const database = pg.escapeIdentifier(decodeURIComponent(pathname.slice(1)) || 'alder')
  const verifier = password && ` PASSWORD '${verifierOf(decodeURIComponent(password))}'`
  const role = servingRole(secret)
  return [
    '-- The owner: runs migrations and serves nobody.',
    `CREATE ROLE ${owner} LOGIN${verifier};`,
    ...(verifier ? [] : [`-- It has no password yet; in psql: \\password ${owner}`]),
    `CREATE DATABASE ${database} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8';`,
    '-- The role that serves; its password is derived from BANK_SECRET.',
    `${createRole(role, secret)};`,
    `REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC;`,
    `GRANT CONNECT ON DATABASE ${database} TO ${role};`,
    '',
  ].join('\n')
}

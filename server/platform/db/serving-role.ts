import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { errorCode, runOn, type Run } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/**
 * The name of the serving role in migrations. The role cannot change booked operations and transfers, or the form of a table.
 * Databases of earlier versions grant their tables to a role with this exact name, which all banks on one PostgreSQL shared.
 */
export const APP_ROLE = 'alder_app'

/**
 * Returns the serving role of a bank with this secret. Roles belong to the whole cluster. Because each secret has its own role,
 * banks with different secrets never change each other's password.
 */
export function servingRole(secret: string): string {
  return `${APP_ROLE}_${createHmac('sha256', secret).update('database role name').digest('hex').slice(0, 12)}`
}

/** Derives the password from the secret, so that all servers with the secret have the password without storing it. */
function passwordOf(role: string, secret: string): string {
  return createHmac('sha256', secret).update(`database role ${role}`).digest('base64url')
}

/** Returns the address of the owner's database for a serving role; by default, for the role of the secret. */
export function appUrl(ownerUrl: string, secret: string, role = servingRole(secret)): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = passwordOf(role, secret)
  return url.toString()
}

/** Adds the role and the password of `servingUrl` to another address: a standby has the same roles as its primary. */
export function asServing(address: string, servingUrl: string): string {
  const { username, password } = new URL(servingUrl)
  return Object.assign(new URL(address), { username, password }).toString()
}

/**
 * Returns the role that a server or a command logs in as, on a database whose tables are granted to `grantee`. The secret's
 * role may be missing on a database of an earlier version, or from a pooler's list of users.
 */
export async function loginRole(
  run: Run,
  { ownerUrl, secret }: Pick<Owner, 'ownerUrl' | 'secret'>,
  grantee: string,
): Promise<string> {
  const appRole = servingRole(secret)
  if (appRole === grantee) return appRole
  return (await mayActAs(run, appRole, grantee)) && (await canLogIn(appUrl(ownerUrl, secret))) ? appRole : grantee
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
 * Makes sure that the secret's role exists, can log in and has the rights of `grantee`. If the owner may not create roles,
 * `grantee` itself serves, provided that it can log in. If no role can serve, throws StartError with SQL for an operator who
 * may create roles.
 */
export async function ensureServingRole(owner: Owner, grantee: string): Promise<string> {
  const { client, ownerUrl, secret } = owner
  const appRole = servingRole(secret)
  await makeRole(owner, grantee)
  const role = await loginRole(runOn(client), owner, grantee)
  if (role !== appRole && !(await canLogIn(appUrl(ownerUrl, secret, role))))
    throw new StartError(mayNot(`${createRole(appRole, secret)}; GRANT ${grantee} TO ${appRole}`))
  const database = await client.query<{ name: string }>('SELECT current_database() AS name')
  const dbName = client.escapeIdentifier(database.rows[0]?.name ?? '')
  await client.query(
    `GRANT CONNECT ON DATABASE ${dbName} TO ${role}; REVOKE TEMPORARY ON DATABASE ${dbName} FROM PUBLIC`,
  )
  return role
}

/**
 * Creates or repairs the secret's role, as far as the owner may. On a database of an earlier version, `grantee` can serve
 * without that role.
 */
async function makeRole({ client, ownerUrl, secret }: Owner, grantee: string): Promise<void> {
  const role = servingRole(secret)
  const run = runOn(client)
  const { rows } = await run('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  if (rows.length === 0) {
    const isCreated = await isAllowed(run, createRole(role, secret))
    if (!isCreated && grantee === role) throw new StartError(mayNot(createRole(role, secret)))
    if (!isCreated) return
  } else if (!(await canLogIn(appUrl(ownerUrl, secret)))) {
    const isMended = await isAllowed(run, alterRole(role, secret))
    if (!isMended && grantee === role) throw new StartError(mayNot(alterRole(role, secret)))
  }
  if (!(await mayActAs(run, role, grantee))) await isAllowed(run, `GRANT ${grantee} TO ${role}`)
}

const INSUFFICIENT_PRIVILEGE = '42501'
/** The codes for a role that another server made at the same time. PostgreSQL has no lock for roles across databases. */
const EXISTS = new Set(['42710', '23505'])

/** Runs a statement about roles. Returns whether the owner was allowed to. */
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
  `The owner in DATABASE_URL may not create the role that serves requests; have a user with that right run: ${sql};`

/**
 * Returns SQL that creates a role. PostgreSQL's log quotes statements, above all failed ones, so the SQL contains a verifier
 * and not the password.
 */
const createRole = (role: string, secret: string): string =>
  `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${verifierOf(passwordOf(role, secret))}'`

/** Returns SQL that gives a role the password derived from the secret. */
export const alterRole = (role: string, secret: string): string =>
  `ALTER ROLE ${role} LOGIN PASSWORD '${verifierOf(passwordOf(role, secret))}'`

/**
 * Returns a SCRAM-SHA-256 verifier (RFC 5802) in the form of RFC 5803, which PostgreSQL stores as it is. The verifier cannot be
 * used to log in.
 */
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
 * Returns SQL that an operator with the right to create roles and databases runs once. An owner without that right can then
 * prepare the database at `url`. The SQL contains password verifiers, no passwords.
 */
export function sqlForRoles(url: string | null, secret: string): string {
  const { username, password, pathname } = new URL(url ?? 'postgres://alder')
  const owner = pg.escapeIdentifier(decodeURIComponent(username) || 'alder_owner')
  const database = pg.escapeIdentifier(decodeURIComponent(pathname.slice(1)) || 'alder')
  const verifier = password && ` PASSWORD '${verifierOf(decodeURIComponent(password))}'`
  const role = servingRole(secret)
  return [
    '-- The owner: runs migrations and serves no requests.',
    `CREATE ROLE ${owner} LOGIN${verifier};`,
    ...(verifier ? [] : [`-- The role has no password yet; set it in psql: \\password ${owner}`]),
    `CREATE DATABASE ${database} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8';`,
    '-- The role that serves; its password is derived from BANK_SECRET.',
    `${createRole(role, secret)};`,
    `REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC;`,
    `GRANT CONNECT ON DATABASE ${database} TO ${role};`,
    '',
  ].join('\n')
}

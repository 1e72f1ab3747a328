import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { NotStarted, startBank } from '#server/faults/bank-process.ts'
import { changed, useOwnCluster } from '#server/faults/own-cluster.ts'
import { openFaultPayers } from '#server/faults/payers.ts'
import { postgresLogIn } from '#server/platform/db/embedded.ts'
import { appUrl, servingRole } from '#server/platform/db/serving-role.ts'

const run = promisify(execFile)

/** The usual mistakes of an operator in the first hour, and the bank's messages about them. */
const ownCluster = useOwnCluster()

const SECRET = 'a secret of the operator, long enough'
const settings = (DATABASE_URL: string, more: Record<string, string> = {}) => ({
  dir: ownCluster.dir,
  env: { BANK_SECRET: SECRET, DATABASE_URL, LOG_LEVEL: 'fatal', ...more },
})
const commandIn = (DATABASE_URL: string, more: Record<string, string> = {}) => ({
  env: { PATH: process.env['PATH'], DATA_DIR: ownCluster.dir, BANK_SECRET: SECRET, DATABASE_URL, ...more },
})
const command = (name: string, args: string[], url: string, more?: Record<string, string>) =>
  run(process.execPath, [`server/cli/${name}.ts`, ...args], commandIn(url, more)).catch((error: unknown) => error)

/** Starts a bank that fails and returns its one-sentence message. */
async function refusal(url: string, more?: Record<string, string>): Promise<string> {
  const error: unknown = await startBank(settings(url, more)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NotStarted)
  const { code, message } = error as NotStarted
  expect(code).toBe(1)
  expect(message).toMatch(/^[A-Z][^\n]+[.;]\n$/)
  return message.trim()
}

const withoutUser = () => changed(ownCluster.cluster.ownerUrl(), { username: '', password: '' })

test('servers without owner access serve a prepared database, and report an unprepared one', async () => {
  expect(await refusal(withoutUser())).toMatch(/^The database at .+ refuses the bank's own role, .+ npm run migrate/)
  expect(await command('migrate', [], withoutUser())).toMatchObject({
    stderr: expect.stringMatching(/^DATABASE_URL names no user, and this needs the owner's rights: .+\.\n$/),
  })
  expect(await command('migrate', [], ownCluster.cluster.ownerUrl())).toMatchObject({
    stdout: expect.stringMatching(/^The database is prepared; the bank serves from it as alder_app_\w+\.\n$/),
  })
  const bank = await startBank(settings(withoutUser()))
  const payers = await openFaultPayers(bank.url)
  expect(await payers.send()).toBe(200)
  await payers.verify(bank.url)
  expect(await command('books', [], withoutUser())).toMatchObject({
    stdout: expect.stringContaining('The books balance'),
  })
  expect(await command('reviewer', ['ann@example.com'], withoutUser())).toMatchObject({
    stderr: expect.stringContaining('DATABASE_URL names no user'),
  })
  await bank.end('SIGTERM')
  expect(await refusal(withoutUser(), { BANK_SECRET: `${SECRET}, and another` })).toContain(
    'BANK_SECRET is a different secret',
  )
  expect(await refusal(withoutUser(), { BANK_TIME_ZONE: 'Asia/Tokyo' })).toContain(
    'set BANK_TIME_ZONE=America/New_York',
  )
  const live = { BANK_MODE: 'live', PUBLIC_URL: 'https://bank.example', SMTP_URL: 'smtp://127.0.0.1:1' }
  expect(await refusal(withoutUser(), live)).toContain('This is the database of a sample bank')
  await ownCluster.cluster.asSuperuser('ALTER DATABASE alder SET default_transaction_read_only = on')
  expect(await refusal(withoutUser())).toContain('read-only')
  await ownCluster.cluster.asSuperuser('ALTER DATABASE alder RESET default_transaction_read_only')
})

test('a database without all migrations is not served without its owner', async () => {
  const newest = 'SELECT max(name) FROM bank.migration'
  const client = await import('pg').then(
    ({ Client }) => new Client({ connectionString: ownCluster.cluster.ownerUrl() }),
  )
  await client.connect()
  const { rows } = await client.query(`DELETE FROM bank.migration WHERE name = (${newest}) RETURNING *`)
  expect(await refusal(withoutUser())).toBe(
    `The database lacks 1 of this version's migrations, from ${rows[0].name} on: run npm run migrate with the owner's ` +
      'address as DATABASE_URL.',
  )
  await client.query('INSERT INTO bank.migration SELECT * FROM json_populate_recordset(null::bank.migration, $1)', [
    JSON.stringify(rows),
  ])
  await client.end()
})

test('an owner without the right to create roles gets the SQL for an administrator', async () => {
  const url = `postgres://careful:${randomUUID()}@127.0.0.1:${ownCluster.cluster.port}/careful`
  const secret = { BANK_SECRET: randomUUID() }
  const { stdout } = (await command('migrate', ['--sql'], url, secret)) as { stdout: string }
  expect(stdout).not.toContain(new URL(url).password)
  await ownCluster.cluster.asSuperuser(...stdout.split('\n').filter((line) => line !== '' && !line.startsWith('--')))
  expect(await command('migrate', [], url, secret)).toMatchObject({ stdout: expect.stringContaining('is prepared') })
  const servedUrl = changed(url, { username: '', password: '' })
  const bank = await startBank(settings(servedUrl, secret))
  expect(await (await openFaultPayers(bank.url)).send()).toBe(200)
  await bank.end('SIGTERM')

  // After a change of the secret, servers without the owner's rights cannot create the new serving role.
  const change = { BANK_SECRET: randomUUID(), BANK_SECRET_PREVIOUS: secret.BANK_SECRET }
  const { stderr } = (await command('migrate', [], url, change)) as { stderr: string }
  const [, sql = ''] = /that right run: (CREATE ROLE [^;]+; GRANT [^;]+);\n$/.exec(stderr) ?? []
  await ownCluster.cluster.asSuperuser(...sql.split('; '))
  expect(await command('migrate', [], url, change)).toMatchObject({ stdout: expect.stringContaining('is prepared') })
  const changing = await startBank(settings(servedUrl, change))
  expect(await command('rotate', [], url, change)).toMatchObject({ stdout: expect.stringContaining('can be removed') })
  await changing.end('SIGTERM')
  const after = await startBank(settings(servedUrl, { BANK_SECRET: change.BANK_SECRET }))
  expect(await (await openFaultPayers(after.url)).send()).toBe(200)
  await after.end('SIGTERM')
})

test('no log of PostgreSQL contains a valid password', async () => {
  await ownCluster.cluster.asSuperuser(
    `CREATE ROLE told LOGIN CREATEROLE PASSWORD 'x'`,
    'CREATE DATABASE told OWNER told',
  )
  await ownCluster.cluster.asSuperuser(`ALTER ROLE told SET log_statement = 'all'`)
  const url = `postgres://told:x@127.0.0.1:${ownCluster.cluster.port}/told`
  const secret = { BANK_SECRET: randomUUID() }
  const opens = new URL(appUrl(url, secret.BANK_SECRET)).password
  for (const phrase of ['may not create the role', 'is prepared']) {
    await ownCluster.cluster.asSuperuser(`ALTER ROLE told ${phrase === 'is prepared' ? 'CREATEROLE' : 'NOCREATEROLE'}`)
    const { stdout, stderr } = (await command('migrate', [], url, secret)) as { stdout: string; stderr: string }
    expect(`${stdout}${stderr}`).toContain(phrase)
  }
  const log = readFileSync(postgresLogIn(ownCluster.cluster.dir), 'utf8')
  expect(log).toContain(`CREATE ROLE ${servingRole(secret.BANK_SECRET)}`)
  expect(log).not.toContain(opens)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test.runIf(hasOpenssl)(
  'a database without a trusted certificate authority is refused, and a trusted one needs the right host name',
  { timeout: 300_000 },
  async () => {
    await certify(join(ownCluster.cluster.dir, 'postgres'))
    await ownCluster.cluster.asSuperuser('ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()')
    const authority = join(ownCluster.cluster.dir, 'ca.pem')
    const urlWith = (hostname: string, search: string) => changed(ownCluster.cluster.ownerUrl(), { hostname, search })
    await expect.poll(() => refusal(urlWith('localhost', 'sslmode=verify-full'))).toContain('sslrootcert=/path/ca.pem')
    expect(await refusal(urlWith('127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`))).toContain('altnames')
    expect(await refusal(urlWith('localhost', 'sslmode=verify-full&sslrootcert=/nowhere.pem'))).toContain('ENOENT')
    const url = urlWith('localhost', `sslmode=verify-full&sslrootcert=${authority}`)
    for (const address of [url, changed(url, { username: '', password: '' })]) {
      const bank = await startBank(settings(address))
      expect(await (await openFaultPayers(bank.url)).send()).toBe(200)
      await bank.end('SIGTERM')
    }
  },
)

/** Creates a certificate for localhost in PostgreSQL's folder, and its authority's certificate next to that folder. */
async function certify(folder: string): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const request = ['req', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  await openssl(...request, '-x509', '-keyout', 'ca.key', '-out', '../ca.pem', '-subj', '/CN=An authority')
  await openssl(...request, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n')
  const signed = ['-CA', '../ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  await openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...signed)
  const { uid, gid } = statSync(folder)
  for (const name of ['server.key', 'server.crt']) chownSync(join(folder, name), uid, gid)
}

test.each([
  [
    'a wrong password',
    () => changed(ownCluster.cluster.ownerUrl(), { password: 'x' }),
    'password authentication failed',
  ],
  ['another database', () => ownCluster.cluster.ownerUrl('nowhere'), 'database "nowhere" does not exist'],
  ['an unknown host', () => changed(ownCluster.cluster.ownerUrl(), { hostname: 'nowhere.invalid' }), 'nowhere.invalid'],
  ['a port without a server', () => changed(ownCluster.cluster.ownerUrl(), { port: '1' }), 'ECONNREFUSED'],
])('%s is reported in one sentence', async (_what, url, reason) => {
  const message = await refusal(url())
  expect(message).toMatch(/^The database at .+ does not let Alder in: /)
  expect(message).toContain(reason)
})

test('the missing right of an owner is named', async () => {
  await ownCluster.cluster.asSuperuser(
    `CREATE ROLE guest LOGIN PASSWORD 'x'`,
    `CREATE DATABASE guests TEMPLATE template0`,
  )
  const asGuest = () =>
    refusal(`postgres://guest:x@127.0.0.1:${ownCluster.cluster.port}/guests`, { BANK_SECRET: randomUUID() })
  expect(await asGuest()).toMatch(/have a user with that right run: CREATE ROLE /)
  await ownCluster.cluster.asSuperuser('ALTER ROLE guest CREATEROLE')
  expect(await asGuest()).toBe('The role in DATABASE_URL lacks a right: permission denied for database guests.')
})

test('an address that cannot be used and a folder that is not writable are reported', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => blocker.once('listening', done))
  const { port } = blocker.address() as { port: number }
  const url = ownCluster.cluster.ownerUrl()
  expect(await refusal(url, { PORT: String(port) })).toBe(
    `PORT ${port} is taken by another program; set PORT to a free one.`,
  )
  blocker.close()
  expect(await refusal(url, { LISTEN_HOST: '192.0.2.1' })).toBe('LISTEN_HOST 192.0.2.1 is no address of this machine.')
  writeFileSync(join(ownCluster.dir, 'file'), '')
  for (const DATA_DIR of [join(ownCluster.dir, 'file', 'data'), '/proc/alder/data'])
    expect(await refusal('', { DATA_DIR })).toContain('DATA_DIR must be a folder that can be')
  mkdirSync(join(ownCluster.dir, 'empty'))
  expect(await refusal('', { DATABASE_URL_FILE: join(ownCluster.dir, 'empty') })).toContain(
    'must be a file that can be read',
  )
})

test('an unavailable mail server does not prevent the start', async () => {
  const bank = await startBank(settings(ownCluster.cluster.ownerUrl(), { SMTP_URL: 'smtp://127.0.0.1:1' }))
  expect((await fetch(`${bank.url}/readyz`)).status).toBe(200)
  await bank.end('SIGTERM')
})

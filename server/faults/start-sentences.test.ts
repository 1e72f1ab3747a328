import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { NotStarted, startBank } from '#server/faults/bank-process.ts'
import { changed, useOwnCluster } from '#server/faults/own-cluster.ts'
import { openPayers } from '#server/faults/payers.ts'
import { logIn } from '#server/platform/db/embedded.ts'
import { appUrl, servingRole } from '#server/platform/db/serving-role.ts'

const run = promisify(execFile)

/** What an operator does in the first hour, and what the bank says of it. */
const own = useOwnCluster()

const SECRET = 'a secret of the operator, long enough'
const settings = (DATABASE_URL: string, more: Record<string, string> = {}) => ({
  dir: own.dir,
  env: { BANK_SECRET: SECRET, DATABASE_URL, LOG_LEVEL: 'fatal', ...more },
})
const commandIn = (DATABASE_URL: string, more: Record<string, string> = {}) => ({
  env: { PATH: process.env['PATH'], DATA_DIR: own.dir, BANK_SECRET: SECRET, DATABASE_URL, ...more },
})
const command = (name: string, args: string[], url: string, more?: Record<string, string>) =>
  run(process.execPath, [`server/cli/${name}.ts`, ...args], commandIn(url, more)).catch((error: unknown) => error)

/** The bank's one sentence. */
async function refusal(url: string, more?: Record<string, string>): Promise<string> {
  const error: unknown = await startBank(settings(url, more)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NotStarted)
  const { code, message } = error as NotStarted
  expect(code).toBe(1)
  expect(message).toMatch(/^[A-Z][^\n]+[.;]\n$/)
  return message.trim()
}

const withoutUser = () => changed(own.cluster.ownerUrl(), { username: '', password: '' })

test('servers without the owner serve what the owner has prepared, and say so where nobody has', async () => {
  expect(await refusal(withoutUser())).toMatch(
    /^The database at .+ does not let the bank's own role in, .+ npm run migrate/,
  )
  expect(await command('migrate', [], withoutUser())).toMatchObject({
    stderr: expect.stringMatching(/^DATABASE_URL names no user, and this takes the owner's rights: .+\.\n$/),
  })
  expect(await command('migrate', [], own.cluster.ownerUrl())).toMatchObject({
    stdout: expect.stringMatching(/^The database is prepared; the bank serves from it as alder_app_\w+\.\n$/),
  })
  const bank = await startBank(settings(withoutUser()))
  const payers = await openPayers(bank.url)
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
    'BANK_SECRET is another one',
  )
  expect(await refusal(withoutUser(), { BANK_TIME_ZONE: 'Asia/Tokyo' })).toContain(
    'set BANK_TIME_ZONE=America/New_York',
  )
  const live = { BANK_MODE: 'live', PUBLIC_URL: 'https://bank.example', SMTP_URL: 'smtp://127.0.0.1:1' }
  expect(await refusal(withoutUser(), live)).toContain('This is the database of a sample bank')
  await own.cluster.asSuperuser('ALTER DATABASE alder SET default_transaction_read_only = on')
  expect(await refusal(withoutUser())).toContain('read-only')
  await own.cluster.asSuperuser('ALTER DATABASE alder RESET default_transaction_read_only')
})

test('a database that lacks a migration is not served without its owner', async () => {
  const newest = 'SELECT max(name) FROM bank.migration'
  const client = await import('pg').then(({ Client }) => new Client({ connectionString: own.cluster.ownerUrl() }))
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

test('an owner who may make no role is given the SQL for somebody who may', async () => {
  const url = `postgres://careful:${randomUUID()}@127.0.0.1:${own.cluster.port}/careful`
  const secret = { BANK_SECRET: randomUUID() }
  const { stdout } = (await command('migrate', ['--sql'], url, secret)) as { stdout: string }
  expect(stdout).not.toContain(new URL(url).password)
  await own.cluster.asSuperuser(...stdout.split('\n').filter((line) => line !== '' && !line.startsWith('--')))
  expect(await command('migrate', [], url, secret)).toMatchObject({ stdout: expect.stringContaining('is prepared') })
  const served = changed(url, { username: '', password: '' })
  const bank = await startBank(settings(served, secret))
  expect(await (await openPayers(bank.url)).send()).toBe(200)
  await bank.end('SIGTERM')

  // The secret is changed: the servers, who hold no owner's rights, cannot make the role of the new one.
  const change = { BANK_SECRET: randomUUID(), BANK_SECRET_PREVIOUS: secret.BANK_SECRET }
  const { stderr } = (await command('migrate', [], url, change)) as { stderr: string }
  const [, sql = ''] = /somebody who may: (CREATE ROLE [^;]+; GRANT [^;]+);\n$/.exec(stderr) ?? []
  await own.cluster.asSuperuser(...sql.split('; '))
  expect(await command('migrate', [], url, change)).toMatchObject({ stdout: expect.stringContaining('is prepared') })
  const changing = await startBank(settings(served, change))
  expect(await command('rotate', [], url, change)).toMatchObject({ stdout: expect.stringContaining('may go') })
  await changing.end('SIGTERM')
  const after = await startBank(settings(served, { BANK_SECRET: change.BANK_SECRET }))
  expect(await (await openPayers(after.url)).send()).toBe(200)
  await after.end('SIGTERM')
})

test('no log of PostgreSQL has a password that opens something', async () => {
  await own.cluster.asSuperuser(`CREATE ROLE told LOGIN CREATEROLE PASSWORD 'x'`, 'CREATE DATABASE told OWNER told')
  await own.cluster.asSuperuser(`ALTER ROLE told SET log_statement = 'all'`)
  const url = `postgres://told:x@127.0.0.1:${own.cluster.port}/told`
  const secret = { BANK_SECRET: randomUUID() }
  const opens = new URL(appUrl(url, secret.BANK_SECRET)).password
  for (const said of ['may not make the role', 'is prepared']) {
    await own.cluster.asSuperuser(`ALTER ROLE told ${said === 'is prepared' ? 'CREATEROLE' : 'NOCREATEROLE'}`)
    const { stdout, stderr } = (await command('migrate', [], url, secret)) as { stdout: string; stderr: string }
    expect(`${stdout}${stderr}`).toContain(said)
  }
  const log = readFileSync(logIn(own.cluster.dir), 'utf8')
  expect(log).toContain(`CREATE ROLE ${servingRole(secret.BANK_SECRET)}`)
  expect(log).not.toContain(opens)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test.runIf(hasOpenssl)(
  'without its TLS authority a database is not trusted; with it, by its name alone',
  { timeout: 300_000 },
  async () => {
    await certify(join(own.cluster.dir, 'postgres'))
    await own.cluster.asSuperuser('ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()')
    const authority = join(own.cluster.dir, 'ca.pem')
    const at = (hostname: string, search: string) => changed(own.cluster.ownerUrl(), { hostname, search })
    await expect.poll(() => refusal(at('localhost', 'sslmode=verify-full'))).toContain('sslrootcert=/path/ca.pem')
    expect(await refusal(at('127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`))).toContain('altnames')
    expect(await refusal(at('localhost', 'sslmode=verify-full&sslrootcert=/nowhere.pem'))).toContain('ENOENT')
    const url = at('localhost', `sslmode=verify-full&sslrootcert=${authority}`)
    for (const address of [url, changed(url, { username: '', password: '' })]) {
      const bank = await startBank(settings(address))
      expect(await (await openPayers(bank.url)).send()).toBe(200)
      await bank.end('SIGTERM')
    }
  },
)

/** A certificate for localhost in a folder of PostgreSQL's, and its authority's beside that folder. */
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
  ['a wrong password', () => changed(own.cluster.ownerUrl(), { password: 'x' }), 'password authentication failed'],
  ['another database', () => own.cluster.ownerUrl('nowhere'), 'database "nowhere" does not exist'],
  [
    'a host that nobody knows',
    () => changed(own.cluster.ownerUrl(), { hostname: 'nowhere.invalid' }),
    'nowhere.invalid',
  ],
  ['a port that nobody listens on', () => changed(own.cluster.ownerUrl(), { port: '1' }), 'ECONNREFUSED'],
])('%s is said in one sentence', async (_what, url, reason) => {
  const said = await refusal(url())
  expect(said).toMatch(/^The database at .+ does not let Alder in: /)
  expect(said).toContain(reason)
})

test('an owner without a right is told which', async () => {
  await own.cluster.asSuperuser(`CREATE ROLE guest LOGIN PASSWORD 'x'`, `CREATE DATABASE guests TEMPLATE template0`)
  const asGuest = () =>
    refusal(`postgres://guest:x@127.0.0.1:${own.cluster.port}/guests`, { BANK_SECRET: randomUUID() })
  expect(await asGuest()).toMatch(/have this run by somebody who may: CREATE ROLE /)
  await own.cluster.asSuperuser('ALTER ROLE guest CREATEROLE')
  expect(await asGuest()).toBe('The role in DATABASE_URL lacks a right: permission denied for database guests.')
})

test('no place to listen, and no folder to write in', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => taken.once('listening', done))
  const { port } = taken.address() as { port: number }
  const url = own.cluster.ownerUrl()
  expect(await refusal(url, { PORT: String(port) })).toBe(
    `PORT ${port} is taken by another program; set PORT to a free one.`,
  )
  taken.close()
  expect(await refusal(url, { LISTEN_HOST: '192.0.2.1' })).toBe('LISTEN_HOST 192.0.2.1 is no address of this machine.')
  writeFileSync(join(own.dir, 'file'), '')
  for (const DATA_DIR of [join(own.dir, 'file', 'data'), '/proc/alder/data'])
    expect(await refusal('', { DATA_DIR })).toContain('DATA_DIR must be a folder that can be')
  mkdirSync(join(own.dir, 'empty'))
  expect(await refusal('', { DATABASE_URL_FILE: join(own.dir, 'empty') })).toContain('must be a file that can be read')
})

test('a mail server that is away keeps no bank from starting', async () => {
  const bank = await startBank(settings(own.cluster.ownerUrl(), { SMTP_URL: 'smtp://127.0.0.1:1' }))
  expect((await fetch(`${bank.url}/readyz`)).status).toBe(200)
  await bank.end('SIGTERM')
})

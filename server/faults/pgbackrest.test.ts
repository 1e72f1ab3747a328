import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '#server/ledger/audit.ts'
import { endAll, startBank } from '#server/faults/bank-process.ts'
import { runOn } from '#server/platform/db/run.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { openBrowser } from '#server/test/browser.ts'

const VERSIONS = '/usr/lib/postgresql'
const [version] = existsSync(VERSIONS) ? readdirSync(VERSIONS).toReversed() : []
const programs = join(VERSIONS, version ?? '', 'bin')
const isMissing =
  process.getuid?.() !== 0 || !existsSync(join(programs, 'initdb')) || spawnSync('pgbackrest', ['version']).status !== 0

test.runIf(isMissing)('without root, Debian’s PostgreSQL and pgBackRest, the restore by pgBackRest is skipped', () => {
  expect(isMissing).toBe(true)
})

const VERIFIED = `SELECT verified_at > now() - interval '5 minutes' AS recently FROM bank.verified_backup`
const PASSPHRASE = 'correct horse battery staple'

describe.skipIf(isMissing)('the operator’s own PostgreSQL with a pgBackRest backup', () => {
  let root: string
  let port: number
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'alder-pgbackrest-'))
    chmodSync(root, 0o711)
    for (const name of ['data', 'restored', 'repository', 'log', 'lock', 'spool', 'tablespace', 'dir'])
      mkdirSync(join(root, name), { mode: 0o700 })
    execFileSync('chown', [
      '-R',
      'postgres:',
      ...['data', 'restored', 'repository', 'log', 'lock', 'spool', 'tablespace'].map((name) => join(root, name)),
    ])
    port = await freePort()
    runAsPostgres('initdb', '-D', join(root, 'data'), '--auth=trust', '--encoding=UTF8', '--locale=C')
    startPostgres(join(root, 'data'))
    await query('CREATE ROLE alder_owner LOGIN CREATEROLE')
    await query('CREATE DATABASE alder OWNER alder_owner')
    // An operator may have added a tablespace and another port. A restored copy must neither write to that tablespace nor
    // listen on that port.
    await query(`CREATE TABLESPACE other LOCATION '${join(root, 'tablespace')}'`)
    await query('CREATE TABLE of_other TABLESPACE other AS SELECT 1 AS one')
    await query('ALTER SYSTEM SET port = 5499')
  })
  afterAll(async () => {
    await endAll()
    for (const name of ['data', 'restored'])
      if (existsSync(join(root, name, 'postmaster.pid'))) stopPostgres(join(root, name))
    rmSync(root, { recursive: true, force: true })
  })

  /** Runs a program as PostgreSQL's user. */
  const runAsPostgres = (program: string, ...args: string[]): string => {
    const path = existsSync(join(programs, program)) ? join(programs, program) : program
    return execFileSync('runuser', ['-u', 'postgres', '--', path, ...args], {
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  const startPostgres = (data: string) =>
    runAsPostgres(
      'pg_ctl',
      '-D',
      data,
      '-w',
      '-t',
      '120',
      '-l',
      join(root, 'log', 'postgres.log'),
      '-o',
      `-p ${port} -k ${join(root, 'lock')} -c listen_addresses=127.0.0.1`,
      'start',
    )
  const stopPostgres = (data: string) => runAsPostgres('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop')
  const query = async (sql: string, database = 'postgres') => {
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/${database}` })
    await client.connect()
    try {
      return await client.query(sql)
    } finally {
      await client.end()
    }
  }
  const env = () => ({
    DATABASE_URL: `postgres://alder_owner@127.0.0.1:${port}/alder`,
    BANK_SECRET: 'the secret of a bank with a PostgreSQL',
    BACKUP_PASSPHRASE: PASSPHRASE,
  })
  const command = (name: string, ...args: string[]) =>
    spawnSync(process.execPath, [`server/cli/${name}.ts`, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATA_DIR: join(root, 'dir'), ...env() },
    })
  const now = () => Temporal.Now.instant()
  const verify = (file: string) =>
    command('restore', '--pgbackrest', '--verify', '--config', file, '--programs', programs)

  /** Checks that the verification of the backup succeeds with its complete log and fails without the last log segment. */
  function verifies(file: string): void {
    expect(verify(file)).toMatchObject({
      stderr: '',
      status: 0,
      stdout: expect.stringMatching(/The books balance.*\nThe backup is good/),
    })
    const archive = join(root, 'repository', 'archive', 'alder')
    const segments = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\/[0-9A-F]{24}-[^/]*$/.test(path),
    )
    const [lastSegment = ''] = segments.toSorted().toReversed()
    const aside = join(root, 'aside')
    renameSync(join(archive, lastSegment), aside)
    expect(verify(file)).toMatchObject({
      stderr: '',
      status: 1,
      stdout: expect.stringMatching(/^WRONG {2}operations: /m),
    })
    renameSync(aside, join(archive, lastSegment))
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('alder-verify-'))).toEqual([])
  }

  test('is restored to the exact operation, and opens held', { timeout: 600_000 }, async () => {
    const bank = await startBank({ dir: join(root, 'dir'), env: env(), main: 'server/faults/bank-without-limits.ts' })
    const file = join(root, 'pgbackrest.conf')
    const configure = () =>
      command('backup', join(root, 'repository'), '--pgbackrest', '--data', join(root, 'data'), '--config', file)
    const advised = configure()
    expect(advised.status).toBe(1)
    const places = `\n[global]\nlog-path=${join(root, 'log')}\nlock-path=${join(root, 'lock')}\nspool-path=${join(root, 'spool')}\n`
    writeFileSync(file, advised.stdout + places)
    appendFileSync(file, `\n[alder]\npg1-socket-path=${join(root, 'lock')}\n`)
    execFileSync('chown', ['postgres:', file])
    chmodSync(file, 0o600)
    for (const sql of advised.stderr.match(/^ALTER SYSTEM .+;$/gm) ?? []) await query(sql)
    const pgBackRest = (...args: string[]) => runAsPostgres('pgbackrest', `--config=${file}`, '--stanza=alder', ...args)
    pgBackRest('stanza-create')
    stopPostgres(join(root, 'data'))
    startPostgres(join(root, 'data'))
    expect(configure()).toMatchObject({ status: 0, stderr: expect.stringContaining('PostgreSQL is already set up.') })
    pgBackRest('check')
    pgBackRest('--type=full', 'backup')

    const [sender, recipient] = [openBrowser(() => bank.url), openBrowser(() => bank.url)]
    await expect.poll(async () => (await sender.post('/api/v1/session/visit')).status).toBe(200)
    await recipient.post('/api/v1/session/visit')
    const { customer } = await (await recipient.get('/api/v1/me')).json()
    const sentTransfers: { key: string; sentAt: Temporal.Instant; acknowledged: Temporal.Instant }[] = []
    const until = performance.now() + 4_000
    while (performance.now() < until) {
      const [key, sentAt] = [randomUUID(), now()]
      const answer = await sender.post(
        '/api/v1/transfers',
        { recipient: customer.email, amountMinor: 1, asset: 'USD' },
        { key },
      )
      expect(answer.status).toBe(200)
      sentTransfers.push({ key, sentAt, acknowledged: now() })
    }
    const middle = sentTransfers[Math.floor(sentTransfers.length / 2)]?.acknowledged ?? now()
    const restoreTime = middle.round({ smallestUnit: 'microsecond', roundingMode: 'floor' })
    // A backup does not contain log that PostgreSQL has not archived yet.
    await query('SELECT pg_switch_wal()')
    await sleep(2_000)
    verifies(file)
    expect((await query(VERIFIED, 'alder')).rows).toEqual([{ recently: true }])
    await bank.end('SIGTERM')
    stopPostgres(join(root, 'data'))

    const target = restoreTime.toString({ fractionalSecondDigits: 6 }).replace('T', ' ').replace('Z', '+00')
    pgBackRest(
      `--pg1-path=${join(root, 'restored')}`,
      `--tablespace-map-all=${join(root, 'lock', 'tablespaces')}`,
      '--type=time',
      `--target=${target}`,
      '--target-action=promote',
      'restore',
    )
    startPostgres(join(root, 'restored'))
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/alder` })
    await client.connect()
    await expect
      .poll(async () => (await client.query('SELECT pg_is_in_recovery() AS standby')).rows[0].standby)
      .toBe(false)
    const { rows } = await client.query('SELECT id FROM ledger.operation')
    const restoredIds = new Set(rows.map(({ id }) => id))
    const isAfter = (instant: Temporal.Instant) => Temporal.Instant.compare(instant, restoreTime) > 0
    expect(sentTransfers.filter(({ key, acknowledged }) => !isAfter(acknowledged) && !restoredIds.has(key))).toEqual([])
    expect(sentTransfers.filter(({ key, sentAt }) => isAfter(sentAt) && restoredIds.has(key))).toEqual([])
    expect((await auditBooks(runOn(client))).problems).toEqual([])

    expect(command('held', '--hold', restoreTime.toString())).toMatchObject({ status: 0, stderr: '' })
    expect((await client.query('SELECT FROM bank.session')).rowCount).toBe(0)
    await client.end()
    const restoredBank = await startBank({ dir: join(root, 'dir'), env: env() })
    expect((await openBrowser(() => restoredBank.url).post('/api/v1/session/visit')).status).toBe(503)
    expect(command('held', '--release', 'all')).toMatchObject({ status: 0 })
    await expect
      .poll(async () => (await openBrowser(() => restoredBank.url).post('/api/v1/session/visit')).status)
      .toBe(200)
    expect(command('books')).toMatchObject({ status: 0 })
  })
})

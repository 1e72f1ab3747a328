import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { endAll, NotStarted, startBank, until } from '#server/faults/bank-process.ts'
import { changed, type OwnCluster, ownCluster } from '#server/faults/own-cluster.ts'
import { openFaultPayers } from '#server/faults/payers.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { openBrowser } from '#server/test/browser.ts'

const isThere = spawnSync('pgbouncer', ['--version']).status === 0

/** The user id for PgBouncer if the tests run as root, because PgBouncer refuses root. */
const NOBODY = '65534'

describe.skipIf(!isThere)('behind PgBouncer', () => {
  let cluster: OwnCluster
  let pooler: { url: string; child: ChildProcess } | null = null
  let dir: string
  beforeAll(async () => {
    cluster = await ownCluster()
  })
  afterEach(async () => {
    await endAll()
    pooler?.child.kill('SIGTERM')
    pooler = null
    rmSync(dir, { recursive: true, force: true })
  })
  afterAll(() => cluster.remove())

  /** The configuration is the package's default, except for the allowed users and connection counts. */
  async function open(mode: 'session' | 'transaction'): Promise<string> {
    dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
    chmodSync(dir, 0o755)
    const port = await freePort()
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: join(dir, 'users'),
      auth_user: 'postgres',
      pool_mode: mode,
      default_pool_size: 60,
    }
    writeFileSync(join(dir, 'users'), `"postgres" "${cluster.password}"\n`)
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
    const databases = ['[databases]', `* = host=127.0.0.1 port=${cluster.port}`]
    writeFileSync(join(dir, 'pgbouncer.ini'), [...databases, '[pgbouncer]', ...lines, ''].join('\n'))
    const command = ['pgbouncer', join(dir, 'pgbouncer.ini')]
    const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    const [program = '', ...args] = process.getuid?.() === 0 ? [...asNobody, ...command] : command
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'] })
    pooler = { child, url: changed(cluster.ownerUrl(), { port: String(port) }) }
    await until('PgBouncer listens', 10_000, async () => {
      const socket = connect(port, '127.0.0.1')
      const opened = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      socket.destroy()
      return opened
    })
    return pooler.url
  }

  const settings = (DATABASE_URL: string) => ({
    dir,
    env: { BANK_SECRET: 'a secret of the operator, long enough', DATABASE_URL, LOG_LEVEL: 'error' },
  })

  test('in session mode, the bank makes payments, sends live events and keeps its limits', async () => {
    const url = await open('session')
    for (const address of [url, changed(url, { username: '', password: '' })]) {
      const bank = await startBank(settings(address))
      const payers = await openFaultPayers(bank.url)
      const load = payers.load()
      await until('payments', 30_000, () => load.acknowledged() > 50)
      await load.stop()
      await payers.verify(bank.url)
      const watcher = openBrowser(() => bank.url)
      await watcher.post('/api/v1/session/visit')
      const events = await watcher.get('/api/v1/events')
      await watcher.post('/api/v1/top-ups', { amountMinor: 1_00, asset: 'USD', method: 'card' })
      for await (const part of events.body?.pipeThrough(new TextDecoderStream()) ?? [])
        if (part.includes('balance')) break
      await bank.end('SIGTERM')
    }
    const pool = openPool(url, { max: 1, lockTimeoutMs: 1_000 })
    const { rows } = await pool.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
              current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('enable_seqscan') AS scan,
              current_setting('plan_cache_mode') AS plan, current_setting('timezone') AS zone`,
    )
    await pool.end()
    expect(rows).toEqual([
      { statement: '15s', lock: '1s', idle: '15s', scan: 'off', plan: 'force_generic_plan', zone: 'UTC' },
    ])
  })

  test('in transaction mode, the bank does not start, and prints the reason', async () => {
    const error: unknown = await startBank(settings(await open('transaction'))).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NotStarted)
    expect((error as NotStarted).message).toMatch(
      /^DATABASE_URL names a pooler that gives each transaction [^\n]+\.\n$/,
    )
  })
})

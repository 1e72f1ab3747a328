import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { startBank, WITHOUT_LIMITS, type BankProcess } from '#server/faults/bank-process.ts'
import { type EmbeddedCluster, startCluster } from '#server/platform/db/embedded.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { type OutsideBank, openOutsideBank } from './outside-bank.ts'

export const CELL_NAMES = ['north', 'south'] as const
export type CellName = (typeof CELL_NAMES)[number]

const ROUTING_NUMBERS = { north: '011000015', south: '021000021', harbor: '026009593' } as const
const TRY_AGAIN_MS = 500

/** A live bank with its own PostgreSQL. It keeps its address when its processes are killed. */
export type BankCell = {
  name: CellName
  url: string
  routingNumber: string
  hooksUrl: string
  secret: string
  books: pg.Pool
  /** The environment for commands of its operator. */
  env: Record<string, string>
}

/** A process that the test kills. `kill` resolves once the process runs again; for a PostgreSQL, once the process is killed. */
export type Victim = { name: string; kill(): Promise<void> }

export type Cells = {
  banks: Record<CellName, BankCell>
  /** The base address of the clearing; each cell adds its own name to the path. */
  clearingUrl: string
  /** The configuration file of the clearing, with its participants. */
  file: string
  journal: pg.Pool
  outside: OutsideBank
  victims: Victim[]
  close(): Promise<void>
}

export const randomBelow = (below: number): number => Math.floor(Math.random() * below)

/** Retries `begin` until it succeeds, because a process that it needs may just have been killed. */
async function persist<Result>(begin: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await begin()
    } catch (error) {
      if (tries === 60) throw error
      await sleep(TRY_AGAIN_MS)
    }
  }
}

type Database = { cluster: EmbeddedCluster; pool: pg.Pool; victim: Victim }

/** Starts a PostgreSQL as a child of this process, and restarts it each time it ends. */
async function openDatabase(folder: string, name: string): Promise<Database> {
  const dir = join(folder, name)
  mkdirSync(dir)
  chmodSync(dir, 0o711)
  const cluster = await startCluster({ dir })
  const pool = new pg.Pool({ connectionString: cluster.ownerUrl(), max: 2 })
  // The connections break each time the server is killed.
  pool.on('error', () => undefined)
  const pid = () => Number(readFileSync(join(cluster.pgdata, 'postmaster.pid'), 'utf8').split('\n')[0])
  const kill = () => persist(async () => void process.kill(pid(), 'SIGKILL'))
  return { cluster, pool, victim: { name: `the PostgreSQL of ${name}`, kill } }
}

/** Starts a process, and returns functions to end and to kill it. `kill` resolves once the process runs again. */
async function keep(name: string, start: () => Promise<{ end(): Promise<void>; kill(): Promise<void> }>) {
  let running = await start()
  const kill = async () => {
    await running.kill()
    await sleep(randomBelow(1_500))
    running = await persist(start)
  }
  return { victim: { name, kill }, end: () => running.end() }
}

const stopping = (bank: BankProcess) => ({
  end: async () => void (await bank.end('SIGTERM')),
  kill: async () => void (await bank.end('SIGKILL')),
})

async function openBank(folder: string, name: CellName, shared: { clearingUrl: string; smtpUrl: string }) {
  const { cluster, pool, victim } = await openDatabase(folder, name)
  const port = await freePort()
  const secret = randomBytes(32).toString('base64url')
  const url = `http://localhost:${port}`
  const env = {
    BANK_MODE: 'live',
    DATABASE_URL: cluster.ownerUrl(),
    BANK_SECRET: randomBytes(32).toString('base64url'),
    BANK_ROUTING_NUMBER: ROUTING_NUMBERS[name],
    PUBLIC_URL: url,
    SMTP_URL: shared.smtpUrl,
    RAIL_URL: `${shared.clearingUrl}/${name}`,
    RAIL_SECRET: secret,
    RAIL_METHODS: 'bank',
    PORT: String(port),
    LOG_LEVEL: 'fatal',
  }
  const dir = join(folder, `${name}-server`)
  mkdirSync(dir)
  const server = await keep(`the server of ${name}`, async () =>
    stopping(await startBank({ dir, env, main: WITHOUT_LIMITS })),
  )
  const bank: BankCell = {
    name,
    url,
    routingNumber: ROUTING_NUMBERS[name],
    hooksUrl: `${url}/hooks/rails`,
    secret,
    books: pool,
    env,
  }
  const close = async () => {
    await server.end()
    await pool.end()
    await cluster.stop()
  }
  return { bank, victims: [server.victim, victim], close }
}

/** Runs `npm run clearing` in its own process. */
async function startClearing(file: string): Promise<{ end(): Promise<void>; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['server/cli/clearing.ts', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  const childExit = once(child, 'close')
  const clearingStart = new Promise<void>((resolve) => {
    child.stdout.on('data', (part: Buffer) => String(part).includes('is open at') && resolve())
  })
  await Promise.race([clearingStart, childExit.then(() => Promise.reject(new Error('The clearing did not start')))])
  const endBy = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await childExit
  }
  return { end: () => endBy('SIGTERM'), kill: () => endBy('SIGKILL') }
}

/** Starts a mail server that accepts all mail and discards it. */
async function openMailbox() {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => void stream.on('end', done).resume(),
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, close: () => server.close(() => undefined) }
}

/** Opens two banks, an outside bank that pays their customers, and the clearing between them. */
export async function openCells(): Promise<Cells> {
  const folder = mkdtempSync(join(tmpdir(), 'alder-cells-'))
  chmodSync(folder, 0o711)
  const port = await freePort()
  const clearingUrl = `http://localhost:${port}`
  const mailbox = await openMailbox()
  const journal = await openDatabase(folder, 'clearing')
  const outside = await openOutsideBank({ clearingUrl, routingNumber: ROUTING_NUMBERS.harbor })
  const [north, south] = [
    await openBank(folder, 'north', { clearingUrl, smtpUrl: mailbox.url }),
    await openBank(folder, 'south', { clearingUrl, smtpUrl: mailbox.url }),
  ]
  const file = join(folder, 'cells.json')
  const cells = [north.bank, south.bank].map(({ name, routingNumber, hooksUrl, secret, env }) => {
    return { name, routingNumber, hooksUrl, secret, databaseUrl: env['DATABASE_URL'] }
  })
  writeFileSync(
    file,
    JSON.stringify({ databaseUrl: journal.cluster.ownerUrl(), port, cells: [...cells, outside.cell] }),
    {
      mode: 0o600,
    },
  )
  const clearing = await keep('the clearing', () => startClearing(file))
  return {
    banks: { north: north.bank, south: south.bank },
    clearingUrl,
    file,
    journal: journal.pool,
    outside,
    victims: [...north.victims, ...south.victims, clearing.victim, journal.victim],
    close: async () => {
      await clearing.end()
      await north.close()
      await south.close()
      await outside.close()
      mailbox.close()
      await journal.pool.end()
      await journal.cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a command of the project to its end, and returns its exit code and output. */
export async function runBankCommand(args: string[], env: Record<string, string> = {}, killAfterMs?: number) {
  const child: ChildProcess = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += String(part)))
  const childExit = once(child, 'close')
  if (killAfterMs !== undefined) void sleep(killAfterMs).then(() => child.kill('SIGKILL'))
  await childExit
  return { code: child.exitCode, output }
}

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '#server/bank/config.ts'
import { UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { openDeps } from '#server/boot/open.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { type BankProcess, isReady, startBank, WITHOUT_CHECKS, until } from '#server/faults/bank-process.ts'
import { type EmbeddedCluster, startCluster } from '#server/platform/db/embedded.ts'
import type { Deps } from '#server/platform/deps.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import type { OutsideServices } from './outside-services.ts'

/** A live bank of two servers on one PostgreSQL. The drill can break each part. */
export type DrilledBank = {
  servers: readonly DrilledServer[]
  /** The environment of the servers, for commands of the bank. */
  environment: Record<string, string>
  /** The origin that browsers send in their requests. */
  origin: string
  secrets: { cardScheme: string }
  /** Runs statements as the owner of the database. */
  asOwner<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]>
  /** Opens a connection as the owner, for holding locks. */
  connect(): Promise<pg.Client>
  database: {
    /** Kills PostgreSQL without a clean shutdown. It is restarted at once. */
    kill(): void
    /** Kills PostgreSQL and prevents its restart. */
    takeAway(): void
    bringBack(): void
  }
  /** Runs `work` with the bank's own services, as the serving role. */
  within<Result>(work: (deps: Deps) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export type DrilledServer = {
  url: string
  metricsPort: number
  start(): Promise<void>
  kill(): Promise<void>
  /** Stops the process with SIGSTOP, or lets it continue. */
  freeze(isFrozen: boolean): void
}

const CONNECTIONS = '200'
const READY_MS = 60_000
const MAX_TRIES = 60
const AGAIN_MS = 1_000

export async function openBank(dir: string, world: OutsideServices): Promise<DrilledBank> {
  mkdirSync(dir, { recursive: true, mode: 0o711 })
  const cluster = await startCluster({ dir: join(dir, 'database'), settings: { max_connections: CONNECTIONS } })
  const secret = (): string => randomBytes(32).toString('hex')
  const secrets = { cardScheme: secret() }
  const ports = [await freePort(), await freePort()]
  const origin = `http://localhost:${ports[0]}`
  const environment = {
    BANK_MODE: 'live',
    DATABASE_URL: cluster.ownerUrl(),
    BANK_SECRET: secret(),
    PUBLIC_URL: origin,
    SMTP_URL: world.smtpUrl,
    SMS_URL: world.smsUrl,
    RAIL_URL: world.rail.url,
    RAIL_SECRET: world.rail.secret,
    CARD_SCHEME_SECRET: secrets.cardScheme,
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'warn',
  }
  const config = readConfig(environment)
  const appUrl = await prepareDatabase({ ownerUrl: cluster.ownerUrl(), secret: config.secret, mode: 'live' })
  const servers = await Promise.all(
    ports.map((port, place) => openServer(join(dir, `server${place + 1}`), { ...environment, PORT: String(port) })),
  )
  /** Connects once the database is running, because it may have been killed a moment ago. */
  const connect = async (): Promise<pg.Client> => {
    for (let attempt = 1; ; attempt += 1) {
      const client = new pg.Client({ connectionString: cluster.ownerUrl() })
      client.on('error', () => undefined)
      try {
        await client.connect()
        return client
      } catch (error) {
        if (attempt === MAX_TRIES) throw error
        await sleep(AGAIN_MS)
      }
    }
  }
  return {
    servers,
    environment,
    origin,
    secrets,
    connect,
    asOwner: async (statement, values) => {
      const client = await connect()
      try {
        return (await client.query(statement, values)).rows
      } finally {
        await client.end()
      }
    },
    database: breakable(cluster),
    within: async (work) => {
      const policy = { operations: UNLIMITED_OPERATIONS }
      const { deps, close } = await openDeps({ config, log: pino({ level: 'silent' }), appUrl, policy })
      try {
        return await work(deps)
      } finally {
        await close()
      }
    },
    close: async () => {
      for (const server of servers) await server.kill()
      await cluster.stop()
    },
  }
}

function breakable({ pgdata }: EmbeddedCluster): DrilledBank['database'] {
  const movedFolder = `${pgdata}.away`
  const kill = (folder: string): void => {
    const [postmaster] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(postmaster), 'SIGKILL')
  }
  return {
    kill: () => kill(pgdata),
    // Without its data folder, PostgreSQL cannot be restarted.
    takeAway: () => {
      renameSync(pgdata, movedFolder)
      kill(movedFolder)
    },
    bringBack: () => renameSync(movedFolder, pgdata),
  }
}

async function openServer(dir: string, variables: Record<string, string>): Promise<DrilledServer> {
  const metricsPort = await freePort()
  const env = { ...variables, METRICS_PORT: String(metricsPort) }
  const url = `http://localhost:${variables['PORT']}`
  mkdirSync(dir, { recursive: true })
  let bank: BankProcess | null = null
  const note = (text: Buffer): void => writeFileSync(join(dir, 'log'), text, { flag: 'a' })
  const start = async (): Promise<void> => {
    bank = await startBank({ dir, env, main: WITHOUT_CHECKS })
    bank.child.stdout?.on('data', note)
    bank.child.stderr?.on('data', note)
    await until('the server is ready', READY_MS, () => isReady(url))
  }
  await start()
  return {
    url,
    metricsPort,
    start,
    kill: async () => {
      await bank?.end('SIGKILL')
    },
    freeze: (isFrozen) => {
      bank?.child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT')
    },
  }
}

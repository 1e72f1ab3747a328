import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { type Config, readConfig } from '#server/bank/config.ts'
import { type EmbeddedCluster, startCluster } from '#server/platform/db/embedded.ts'
import type { Deps } from '#server/platform/deps.ts'
import { UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { openDeps } from '#server/boot/open.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { benchCardScheme, CARD_SCHEME_SECRET } from './card-scheme.ts'
import { benchDay } from './day.ts'
import { benchGrowth, type GrowthFigure } from './growth.ts'
import { benchHttp } from './http.ts'
import { benchLedger } from './ledger.ts'
import { benchNotices } from './notices.ts'
import { benchReads } from './reads.ts'
import { benchSeals, type SealFigure } from './seals.ts'
import { benchSignIns } from './sign-ins.ts'
import { benchSqlLedger } from './sql-ledger.ts'
import { benchTpcb } from './tpcb.ts'

const PROJECT = join(import.meta.dirname, '..')

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '10' },
    day: { type: 'boolean', default: false },
    seals: { type: 'string' },
    growth: { type: 'string' },
    every: { type: 'string' },
  },
})
const seconds = Number(options.seconds)
if (!(seconds >= 1 && seconds <= 120)) throw new RangeError('--seconds takes a number from 1 to 120')

/** Makes a folder beside the bank's own data, so that the measured disk is the disk in use. */
function makeFolder(): string {
  const parent = join(PROJECT, '.data')
  mkdirSync(parent, { recursive: true })
  const dir = mkdtempSync(join(parent, 'bench-'))
  chmodSync(dir, 0o711)
  return dir
}

/** Prints a line, unless `--json` was given. */
function say(text: string): void {
  if (!options.json) console.log(text)
}

let embeddedCluster: EmbeddedCluster | undefined

async function start(dir: string): Promise<EmbeddedCluster> {
  embeddedCluster = await startCluster({ dir, settings: { min_wal_size: '1GB' } })
  return embeddedCluster
}

/** Rejects when a person stops the measurement, which takes ten minutes or more. */
function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => reject(new Error(`Ended by ${signal}, so there are no figures.`)))
    }
  })
}

/**
 * Writes a gigabyte of write-ahead log. The next measurement then reuses existing log files, as a database does after a day of
 * use, and creates none. This speeds up both measurements of each ratio.
 */
async function wearIn(dir: string): Promise<void> {
  const cluster = await start(dir)
  const client = new pg.Client({ connectionString: cluster.ownerUrl() })
  await client.connect()
  await client.query(
    'CREATE TABLE worn_in AS SELECT repeat(md5(n::text), 30) AS text FROM generate_series(1, 1000000) n',
  )
  await client.query('DROP TABLE worn_in')
  await client.end()
  await cluster.stop()
}

async function fsyncOf(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ fsync: string; version: string }>(
    `SELECT current_setting('fsync') AS fsync, current_setting('server_version') AS version`,
  )
  await client.end()
  return `PostgreSQL ${rows[0]?.version}, fsync ${rows[0]?.fsync}`
}

type Figure = { tps: number; p50_ms?: number; p99_ms?: number }

/** Rounds figures to three decimal places and adds their ratio to TPC-B if that was measured. */
function withRatio<F extends Figure>(figures: F[], tpcb: number | null): (F & { ratio: number | null })[] {
  return figures.map((figure) => {
    const roundedFigure = Object.fromEntries(
      Object.entries(figure).map(([key, value]) => [key, Number(value.toFixed(3))]),
    ) as F
    return { ...roundedFigure, ratio: tpcb === null ? null : Number((figure.tps / tpcb).toFixed(2)) }
  })
}

async function measure(dir: string): Promise<void> {
  await wearIn(dir)
  const cluster = await start(dir)
  const ownerUrl = cluster.ownerUrl()
  const config = { ...readConfig({ DATA_DIR: dir }), port: 0, databaseUrl: ownerUrl }
  const appUrl = await prepareDatabase({ ownerUrl, secret: config.secret, mode: config.mode })
  const [cpu] = cpus()
  say(
    `${cpu?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB; ${await fsyncOf(ownerUrl)}`,
  )
  if (options.seals !== undefined)
    return showSeals(
      await benchSeals({ url: appUrl, dataFolder: join(dir, 'postgres'), transfers: Number(options.seals) }),
    )
  if (options.growth !== undefined) return void (await measureGrowth(config, appUrl, dir))
  if (options.day) return showDay(await measureDay(config, appUrl, dir))
  const reads = await measureReads(config, appUrl, 'nobody else')
  const tps = await benchTpcb(ownerUrl, seconds)
  say(
    tps === null
      ? 'pgbench is not installed, so there is nothing to compare with'
      : `\npgbench TPC-B: ${tps.toFixed(0)} a second`,
  )
  const sqlRun = withRatio(await benchSqlLedger(ownerUrl, seconds), tps)
  say('\nA plain ledger in SQL, one transfer per commit')
  if (!options.json) console.table(sqlRun)
  const ledger = withRatio(await benchLedger(appUrl, seconds), tps)
  say('\nledger.post, durable transfers')
  if (!options.json) console.table(ledger)
  const http = withRatio(await measureHttp(config, appUrl), tps)
  say('\nPOST /api/v1/transfers, with a session')
  if (!options.json) console.table(http)
  const signIns = await measureSignIns(config, appUrl)
  say('\nPOST /api/v1/session, and /healthz meanwhile')
  if (!options.json) console.table(signIns)
  const notices = await measureNotices(config, appUrl)
  say('\nFrom a payment to the other side: the live event, and the list with the notice')
  if (!options.json) console.table(notices)
  const cards = await measureCardScheme(config, appUrl)
  say('\nPOST /hooks/cards: authorisations, each captured a second later')
  if (!options.json) console.table(cards)
  const day = await measureDay(config, appUrl, dir)
  if (!options.json) showDay(day)
  reads.push(...(await measureReads(config, appUrl, 'a million other accounts')))
  say('\nReads of a customer whose entries are all of this month')
  if (options.json)
    console.log(JSON.stringify({ tpcb: { tps }, plain: sqlRun, ledger, http, signIns, notices, cards, day, reads }))
  else console.table(reads)
}

function showDay(day: Awaited<ReturnType<typeof benchDay>>): void {
  if (options.json) return console.log(JSON.stringify({ day }))
  say('\nA day at the bank: each kind of request by itself, and a mix of all, up to twice what the bank can do')
  console.table(day.figures)
  say('\nThe processor time of one request, in milliseconds')
  console.table(day.costs)
}

function showSeals(figures: SealFigure[]): void {
  if (options.json) console.log(JSON.stringify({ seals: figures }))
  else console.table(figures)
}

/** Opens the bank without its usual limits: a few customers here send more requests than people do. */
const open = (target: { config: Config; appUrl: string }) =>
  openDeps({ ...target, log: pino({ level: 'silent' }), policy: { operations: UNLIMITED_OPERATIONS } })

async function measureOn<Figures>(
  target: { config: Config; appUrl: string },
  measureIt: (deps: Deps) => Promise<Figures>,
): Promise<Figures> {
  const { deps, close } = await open(target)
  try {
    return await measureIt(deps)
  } finally {
    await close()
  }
}

const measureDay = (config: Config, appUrl: string, dataFolder: string) =>
  measureOn({ config: { ...config, cardSchemeSecret: CARD_SCHEME_SECRET, trustProxy: true }, appUrl }, (deps) =>
    benchDay({ deps, dataFolder, seconds }),
  )

/** Measures growth and prints each line as soon as it is measured. */
const measureGrowth = (config: Config, appUrl: string, dir: string) =>
  measureOn({ config, appUrl }, (deps) => {
    const transfers = Number(options.growth) || 200_000
    const every = Number(options.every) || Math.min(1_000_000, Math.ceil(transfers / 4))
    const report = (figure: GrowthFigure): void =>
      options.json ? console.log(JSON.stringify({ growth: figure })) : console.table([figure])
    const dataFolder = join(dir, 'postgres')
    return benchGrowth({ deps, ownerUrl: config.databaseUrl ?? '', dataFolder, transfers, every }, report)
  })

const measureHttp = (config: Config, appUrl: string) =>
  measureOn({ config, appUrl }, (deps) => benchHttp({ deps, seconds }))

const measureSignIns = (config: Config, appUrl: string) =>
  measureOn({ config: { ...config, trustProxy: true }, appUrl }, (deps) => benchSignIns({ deps, seconds }))

const measureCardScheme = (config: Config, appUrl: string) =>
  measureOn({ config: { ...config, cardSchemeSecret: CARD_SCHEME_SECRET }, appUrl }, (deps) =>
    benchCardScheme({ deps, seconds }),
  )

async function measureNotices(config: Config, appUrl: string): ReturnType<typeof benchNotices> {
  const [pays, listens] = [await open({ config, appUrl }), await open({ config, appUrl })]
  try {
    return await benchNotices({ pays: pays.deps, listens: listens.deps, seconds })
  } finally {
    await Promise.all([pays.close(), listens.close()])
  }
}

const measureReads = (config: Config, appUrl: string, bank: string) =>
  measureOn({ config, appUrl }, (deps) => benchReads({ deps, bank }))

const dir = makeFolder()
try {
  await Promise.race([measure(dir), interrupted()])
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await embeddedCluster?.stop()
  rmSync(dir, { recursive: true, force: true })
}
// Measurements that are still running have lost their database, so the process does not wait for them.
process.exit()

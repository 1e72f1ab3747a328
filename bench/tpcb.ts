import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const DEBIAN = '/usr/lib/postgresql'
const SCALE = 20
const CLIENTS = 20

/** PostgreSQL's own benchmark program, which its server package does not carry; null where it is not installed. */
function findPgbench(): string | null {
  const folders = (process.env['PATH'] ?? '').split(':')
  if (existsSync(DEBIAN)) folders.push(...readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')))
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file)) ?? null
}

/**
 * Runs pgbench with prepared statements for `seconds`; `own` are further options. Answers transactions per second, or null if
 * pgbench is not installed.
 */
export async function runPgbench(
  ownerUrl: string,
  { clients, seconds, own = [] }: { clients: number; seconds: number; own?: string[] },
): Promise<number | null> {
  const pgbench = findPgbench()
  if (!pgbench) return null
  const options = ['--protocol=prepared', `--client=${clients}`, '--jobs=2', `--time=${seconds}`]
  const { stdout } = await run(pgbench, [...own, ...options, ownerUrl])
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (!tps) throw new Error(`pgbench did not say how fast it was: ${stdout}`)
  return Number(tps)
}

/** Transactions per second of pgbench's TPC-B with prepared statements on this database; null without pgbench. */
export async function benchTpcb(ownerUrl: string, seconds: number): Promise<number | null> {
  const pgbench = findPgbench()
  if (!pgbench) return null
  await run(pgbench, ['--initialize', '--quiet', `--scale=${SCALE}`, ownerUrl])
  return runPgbench(ownerUrl, { clients: CLIENTS, seconds })
}

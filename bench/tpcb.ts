import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The folder in which Debian installs each version of PostgreSQL. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'
/** pgbench's scale factor: 100,000 accounts for each unit (PostgreSQL's documentation of pgbench). */
const SCALE = 20
const CLIENTS = 20

/**
 * Returns the path of pgbench, PostgreSQL's own benchmark program, or null if it is not installed. The embedded PostgreSQL does
 * not contain it.
 */
function findPgbench(): string | null {
  const folders = (process.env['PATH'] ?? '').split(':')
  if (existsSync(DEBIAN_FOLDER))
    folders.push(...readdirSync(DEBIAN_FOLDER).map((version) => join(DEBIAN_FOLDER, version, 'bin')))
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file)) ?? null
}

/**
 * Runs pgbench with prepared statements for `seconds`. `extraOptions` are added to its command line. Returns the transactions
 * per second, or null if pgbench is not installed.
 */
export async function runPgbench(
  ownerUrl: string,
  { clients, seconds, extraOptions = [] }: { clients: number; seconds: number; extraOptions?: string[] },
): Promise<number | null> {
  const pgbench = findPgbench()
  if (!pgbench) return null
  const options = ['--protocol=prepared', `--client=${clients}`, '--jobs=2', `--time=${seconds}`]
  const { stdout } = await run(pgbench, [...extraOptions, ...options, ownerUrl])
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (!tps) throw new Error(`The output of pgbench contains no transactions per second: ${stdout}`)
  return Number(tps)
}

/**
 * Runs pgbench's default test (similar to TPC-B) on this database. Returns the transactions per second, or null if pgbench is
 * not installed.
 */
export async function benchTpcb(ownerUrl: string, seconds: number): Promise<number | null> {
  const pgbench = findPgbench()
  if (!pgbench) return null
  await run(pgbench, ['--initialize', '--quiet', `--scale=${SCALE}`, ownerUrl])
  return runPgbench(ownerUrl, { clients: CLIENTS, seconds })
}

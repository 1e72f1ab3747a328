import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a running PostgreSQL writes into its data folder (its own `postmaster.pid`). */
type PidFile = { pid: number; port: number; ready: boolean }

/** Reads `postmaster.pid`; null where there is none or it is half written. */
export function readPidFile(pgdata: string): PidFile | null {
  let lines: string[]
  try {
    lines = readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return null
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/**
 * Stops a PostgreSQL that an earlier run left on this data folder (its server was killed), and clears away the
 * pid file of one that is gone. A process that merely carries the number of an old one is not touched.
 */
export async function stopLeftover(pgdata: string): Promise<'none' | 'stopped'> {
  const found = readPidFile(pgdata)
  if (!found) return 'none'
  if (!isPostmasterOf(found.pid, pgdata)) {
    rmSync(join(pgdata, 'postmaster.pid'), { force: true })
    return 'none'
  }
  await endPostmaster(found.pid, () => !isPostmasterOf(found.pid, pgdata))
  return 'stopped'
}

/**
 * Ends a postmaster the kind way first: fast shutdown with a checkpoint, then at once (the next start recovers
 * from the log), then by force.
 */
export async function endPostmaster(pid: number, gone: () => boolean): Promise<void> {
  for (const [signal, patienceMs] of ENDINGS) {
    if (!send(pid, signal)) return
    const until = performance.now() + patienceMs
    while (performance.now() < until) {
      if (gone()) return
      await sleep(20)
    }
  }
}

const ENDINGS: [NodeJS.Signals, number][] = [
  ['SIGINT', 6000],
  ['SIGQUIT', 2000],
  ['SIGKILL', 1000],
]

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Whether that process is a PostgreSQL serving this very folder. We always start it with -D first. */
export function isPostmasterOf(pid: number, pgdata: string): boolean {
  const [program = '', folder = ''] = commandOf(pid).split(' -D ')
  return basename(program) === 'postgres' && `${folder} `.startsWith(`${realpathSync(pgdata)} `)
}

/** A process's command line with its words parted by spaces; empty for one that is gone. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}

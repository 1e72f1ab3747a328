import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The content of `postmaster.pid`, which a running PostgreSQL writes into its data folder. */
type PidFile = { pid: number; port: number; ready: boolean }

/** Reads `postmaster.pid`. Returns null if it is missing or incomplete. */
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
 * Stops a PostgreSQL that a killed server left running on this data folder, and removes the pid file of an ended one. An
 * unrelated process that reuses the old process number is not touched.
 */
export async function stopLeftover(pgdata: string): Promise<'none' | 'stopped'> {
  const pidFile = readPidFile(pgdata)
  if (!pidFile) return 'none'
  if (!isPostmasterOf(pidFile.pid, pgdata)) {
    rmSync(join(pgdata, 'postmaster.pid'), { force: true })
    return 'none'
  }
  await endPostmaster(pidFile.pid, () => !isPostmasterOf(pidFile.pid, pgdata))
  return 'stopped'
}

/**
 * Ends a postmaster in three steps: a fast shutdown with a checkpoint, then an immediate shutdown (the next start recovers from
 * the log), then a kill.
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

/**
 * Returns whether a process is a PostgreSQL on this folder. The bank always starts PostgreSQL with -D as the first argument.
 */
export function isPostmasterOf(pid: number, pgdata: string): boolean {
  const [program = '', folder = ''] = commandOf(pid).split(' -D ')
  return basename(program) === 'postgres' && `${folder} `.startsWith(`${realpathSync(pgdata)} `)
}

/** Returns a process's command line with spaces between the words; empty if the process has ended. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The number of clock ticks in a second of processor time on Linux. */
const TICKS_PER_S = 100

/**
 * Returns the fields of /proc/<pid>/stat from the third on. The second is the program's name, which may contain any character.
 */
function statOf(pid: number | string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // The process has ended, or this system has no /proc.
    return null
  }
}

const field = (stat: string[], number: number): number => Number(stat[number - 3])

/**
 * Returns the processor time of a PostgreSQL server and all its processes since it started, in milliseconds. Returns null on
 * systems without Linux's counters.
 */
export function postgresMs(dataFolder: string): number | null {
  const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const processStat = statOf(postmaster)
  if (!processStat) return null
  // The parent's counters include the children that have ended.
  let ticks = field(processStat, 14) + field(processStat, 15) + field(processStat, 16) + field(processStat, 17)
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null
    if (stat && field(stat, 4) === postmaster) ticks += field(stat, 14) + field(stat, 15)
  }
  return (ticks / TICKS_PER_S) * 1_000
}

/** Returns the processor time of this process since it started, in milliseconds. */
export function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

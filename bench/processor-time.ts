import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What Linux counts a second of processor time in. */
const TICKS_PER_S = 100

/** The fields of /proc/<pid>/stat from the third on; the second is a name, which may hold anything. */
function statOf(pid: number | string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has ended meanwhile.
    return null
  }
}

const field = (stat: string[], number: number): number => Number(stat[number - 3])

/**
 * The processor time of a PostgreSQL and all its processes since it began, in milliseconds, from the system's counters; null
 * where there are none to read (they are Linux's).
 */
export function postgresMs(dataFolder: string): number | null {
  const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const own = statOf(postmaster)
  if (!own) return null
  // Those of children that have ended are kept with their parent.
  let ticks = field(own, 14) + field(own, 15) + field(own, 16) + field(own, 17)
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null
    if (stat && field(stat, 4) === postmaster) ticks += field(stat, 14) + field(stat, 15)
  }
  return (ticks / TICKS_PER_S) * 1_000
}

/** The processor time of this process since it began, in milliseconds. */
export function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

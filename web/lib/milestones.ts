const KEY = 'alder.milestones'

/** The latest are enough: what a customer of long ago has reached on this device is nothing to celebrate. */
const MOST = 100

type Known = Record<string, 'ahead' | 'reached'>

function read(): Known {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Known
  } catch {
    return {}
  }
}

function write(known: Known): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(known).slice(-MOST))))
  } catch {
    // No storage.
  }
}

type Milestone = {
  /** Nothing else has it. */
  id: string
  isReached: boolean
  /** It is news although this device never saw it ahead. */
  isNew?: boolean
}

/**
 * Which of them have been reached since this device last looked: each once, ever. What was reached before this device first
 * heard of it is none. Without storage there are none either, so that nothing is celebrated twice.
 */
export function reachedSince<Of extends Milestone>(milestones: readonly Of[]): Of[] {
  const known = read()
  const reached = milestones.filter(
    ({ id, isReached, isNew }) => isReached && (isNew ? known[id] !== 'reached' : known[id] === 'ahead'),
  )
  for (const { id, isReached } of milestones) if (known[id] !== 'reached') known[id] = isReached ? 'reached' : 'ahead'
  write(known)
  const kept = read()
  return reached.filter(({ id }) => kept[id] === 'reached')
}

const KEY = 'alder.milestones'

/**
 * The number of milestones that the device remembers. Older ones, of customers who used the device long ago, can be dropped.
 */
const MAX_MILESTONES = 100

type ReachedMilestones = Record<string, 'ahead' | 'reached'>

function read(): ReachedMilestones {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as ReachedMilestones
  } catch {
    return {}
  }
}

function write(milestones: ReachedMilestones): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(milestones).slice(-MAX_MILESTONES))))
  } catch {
    // Storage may be unavailable.
  }
}

type Milestone = {
  /** A unique id. */
  id: string
  isReached: boolean
  /** True if the milestone is new even though this device never saw it unreached. */
  isNew?: boolean
}

/**
 * Returns the milestones that were reached since the last call on this device. Each is returned once only. A milestone that was
 * already reached when the device first saw it is returned only if `isNew` is true. Without storage, none is returned, so that
 * none is celebrated twice.
 */
export function takeNewMilestones<Of extends Milestone>(milestones: readonly Of[]): Of[] {
  const knownMilestones = read()
  const newlyReached = milestones.filter(
    ({ id, isReached, isNew }) =>
      isReached && (isNew ? knownMilestones[id] !== 'reached' : knownMilestones[id] === 'ahead'),
  )
  for (const { id, isReached } of milestones)
    if (knownMilestones[id] !== 'reached') knownMilestones[id] = isReached ? 'reached' : 'ahead'
  write(knownMilestones)
  const storedMilestones = read()
  return newlyReached.filter(({ id }) => storedMilestones[id] === 'reached')
}

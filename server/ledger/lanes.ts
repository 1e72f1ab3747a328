import type { AccountId, Operation } from '#server/ledger/types.ts'

/** A batch of operations that one caller posted together and that still waits. */
export type QueuedBatch = { operations: Operation[] }

/**
 * Assigns queued batches to the idle lanes so that no two lanes touch one account at the same time. Two such lanes would only
 * wait for each other's locks. Batches that share an account, directly or through other batches, go to one lane in their order.
 * Batches connected to a busy lane, and batches whose lane is full, stay in `queue`. The assigned batches are removed from
 * `queue`. The assignment only avoids contention: the locks alone keep the books right.
 *
 * @param busy the accounts of the busy lanes
 * @param size the number of operations that fills a lane
 */
export function assignBatches<Batch extends QueuedBatch>(
  queue: Batch[],
  busy: Iterable<Set<AccountId>>,
  idle: number,
  size: number,
): Batch[][] {
  if (idle === 0 || queue.length === 0) return []
  const components = connectedComponents(queue, busy)
  const lanes = Array.from({ length: idle }, () => ({ batches: [] as Batch[], operations: 0 }))
  const laneOf = new Map<AccountId, (typeof lanes)[number]>()
  const laterBatches: Batch[] = []
  for (const batch of queue) {
    const component = components.of(batch)
    const lane =
      laneOf.get(component) ??
      lanes.reduce((leastBusy, candidate) => (candidate.operations < leastBusy.operations ? candidate : leastBusy))
    if (component !== NONE) laneOf.set(component, lane)
    if (component === components.busy || lane.operations >= size) laterBatches.push(batch)
    else {
      lane.batches.push(batch)
      lane.operations += batch.operations.length
    }
  }
  queue.splice(0, queue.length, ...laterBatches)
  return lanes.flatMap(({ batches }) => (batches.length > 0 ? [batches] : []))
}

/**
 * A number that no account has. It is the component of a batch that names no accounts, because such a batch is connected to no
 * other.
 */
const NONE: AccountId = 0

/**
 * Groups the accounts into connected components (union-find). Accounts that one batch names together are in one component. Each
 * component is identified by one of its accounts.
 */
function connectedComponents(queue: QueuedBatch[], busy: Iterable<Set<AccountId>>) {
  const parents = new Map<AccountId, AccountId>()
  const find = (account: AccountId): AccountId => {
    let root = account
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up
    parents.set(account, root)
    return root
  }
  const union = (accounts: Iterable<AccountId>): AccountId => {
    let component: AccountId | undefined
    for (const account of accounts) {
      const root = find(account)
      if (component === undefined) component = root
      else parents.set(root, component)
    }
    return component ?? NONE
  }
  const underWay = union([...busy].flatMap((accounts) => [...accounts]))
  for (const batch of queue) union(accountsOfBatch(batch))
  return {
    busy: underWay === NONE ? undefined : find(underWay),
    of(batch: QueuedBatch): AccountId {
      const [account] = accountsOfBatch(batch)
      return account === undefined ? NONE : find(account)
    },
  }
}

/**
 * Returns the accounts that a batch names directly. The accounts of legs that end a hold, and of operations that reverse
 * another, are unknown until they are read.
 */
export function accountsOfBatch(batch: QueuedBatch): Set<AccountId> {
  const ids = new Set<AccountId>()
  for (const operation of batch.operations) {
    for (const leg of operation.legs) {
      if (leg.kind !== 'transfer' && leg.kind !== 'hold') continue
      ids.add(leg.debit).add(leg.credit)
      if (leg.dayLimit) ids.add(leg.dayLimit.accountId)
    }
  }
  return ids
}

import type { AccountId, Operation } from '#server/ledger/types.ts'

/** Operations that one caller posted together and that wait to be written. */
export type QueuedBatch = { operations: Operation[] }

/**
 * Assigns queued batches to the idle lanes so that no two lanes touch one account at the same time: they would only
 * wait for each other's locks. Batches that have an account in common, directly or through others, go to one lane, in
 * their order; those connected to a lane under way stay in `queue`. Takes what it assigns off `queue`.
 * The locks are what keeps the books right; this only keeps them uncontended.
 *
 * @param busy the accounts of the lanes under way
 * @param size how many operations fill a lane
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
  const left: Batch[] = []
  for (const batch of queue) {
    const component = components.of(batch)
    const lane =
      laneOf.get(component) ?? lanes.reduce((least, one) => (one.operations < least.operations ? one : least))
    if (component !== NONE) laneOf.set(component, lane)
    if (component === components.busy || lane.operations >= size) left.push(batch)
    else {
      lane.batches.push(batch)
      lane.operations += batch.operations.length
    }
  }
  queue.splice(0, queue.length, ...left)
  return lanes.flatMap(({ batches }) => (batches.length > 0 ? [batches] : []))
}

/** No account has this number: batches that name none are connected to nothing. */
const NONE: AccountId = 0

/** The connected components of accounts that batches name together (union-find); each is known by one of its accounts. */
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
  for (const batch of queue) union(accountsNamed(batch))
  return {
    busy: underWay === NONE ? undefined : find(underWay),
    of(batch: QueuedBatch): AccountId {
      const [account] = accountsNamed(batch)
      return account === undefined ? NONE : find(account)
    },
  }
}

/** The accounts a batch names outright; what a hold or a reversal touches is not known before it is read. */
export function accountsNamed(batch: QueuedBatch): Set<AccountId> {
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

import type { AccountId, Operation } from '#server/ledger/types.ts'

/** Something to be done to some accounts. */
export type Piece = { operations: Operation[] }

/**
 * Shares out waiting work among the idle lanes so that no two lanes touch one account at the same time: they would
 * only wait for each other's locks. Pieces that have an account in common, or are tied by others that do, go to one
 * lane, in their order; pieces tied to a lane under way stay in `queue`. Takes what it shares out off `queue`.
 * The locks are what keeps the books right; this only keeps them uncontended.
 *
 * @param busy the accounts of the lanes under way
 * @param size how many operations fill a lane
 */
export function shareOut<P extends Piece>(
  queue: P[],
  busy: Iterable<Set<AccountId>>,
  idle: number,
  size: number,
): P[][] {
  if (idle === 0 || queue.length === 0) return []
  const ties = tie(queue, busy)
  const lanes = Array.from({ length: idle }, () => ({ pieces: [] as P[], operations: 0 }))
  const laneOf = new Map<AccountId, (typeof lanes)[number]>()
  const left: P[] = []
  for (const piece of queue) {
    const knot = ties.knotOf(piece)
    const lane = laneOf.get(knot) ?? lanes.reduce((least, one) => (one.operations < least.operations ? one : least))
    if (knot !== NONE) laneOf.set(knot, lane)
    if (knot === ties.busy || lane.operations >= size) left.push(piece)
    else {
      lane.pieces.push(piece)
      lane.operations += piece.operations.length
    }
  }
  queue.splice(0, queue.length, ...left)
  return lanes.flatMap(({ pieces }) => (pieces.length > 0 ? [pieces] : []))
}

/** No account has this number: pieces that name none are tied to nothing. */
const NONE: AccountId = 0

/** Ties accounts that any piece names together into knots (union-find); a knot is known by one of its accounts. */
function tie(queue: Piece[], busy: Iterable<Set<AccountId>>) {
  const parents = new Map<AccountId, AccountId>()
  const find = (account: AccountId): AccountId => {
    let root = account
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up
    parents.set(account, root)
    return root
  }
  const join = (accounts: Iterable<AccountId>): AccountId => {
    let knot: AccountId | undefined
    for (const account of accounts) {
      const root = find(account)
      if (knot === undefined) knot = root
      else parents.set(root, knot)
    }
    return knot ?? NONE
  }
  const underWay = join([...busy].flatMap((accounts) => [...accounts]))
  for (const piece of queue) join(accountsNamed(piece))
  return {
    busy: underWay === NONE ? undefined : find(underWay),
    knotOf(piece: Piece): AccountId {
      const [account] = accountsNamed(piece)
      return account === undefined ? NONE : find(account)
    },
  }
}

/** The accounts a piece names outright; what a hold or a reversal touches is not known before it is read. */
export function accountsNamed(piece: Piece): Set<AccountId> {
  const ids = new Set<AccountId>()
  for (const operation of piece.operations) {
    for (const leg of operation.legs) {
      if (leg.kind === 'transfer' || leg.kind === 'hold') ids.add(leg.debit).add(leg.credit)
    }
  }
  return ids
}

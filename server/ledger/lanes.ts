import type { AccountId, Operation } from '#server/ledger/types.ts'

/** Something to be done to some accounts. */
export type Piece = { operations: Operation[] }

/**
 * Shares out waiting work among the idle lanes so that no two lanes touch one account at the same time: they would
 * only wait for each other's locks. A piece joins the lane that has its accounts already, else the one with least
 * to do; a piece whose accounts are spread over lanes, or in a lane that is under way, stays in `queue`, and with it
 * whatever comes later on the same accounts, so that each account's work keeps its order.
 * Takes what it shares out off `queue`. The locks are what keeps the books right; this only keeps them uncontended.
 *
 * @param busy the accounts of the lanes under way
 * @param size the most operations a lane may be given
 */
export function shareOut<P extends Piece>(
  queue: P[],
  busy: Iterable<Set<AccountId>>,
  idle: number,
  size: number,
): P[][] {
  const WAIT = -1
  const laneOf = new Map<AccountId, number>()
  for (const accounts of busy) for (const id of accounts) laneOf.set(id, WAIT)
  const lanes = Array.from({ length: idle }, () => ({ pieces: [] as P[], operations: 0 }))
  const left: P[] = []
  for (const piece of queue) {
    const accounts = accountsNamed(piece)
    const lane = chooseLane(accounts, laneOf, lanes, size)
    for (const id of accounts) laneOf.set(id, lane ?? WAIT)
    const chosen = lane === null ? undefined : lanes[lane]
    if (!chosen) left.push(piece)
    else {
      chosen.pieces.push(piece)
      chosen.operations += piece.operations.length
    }
  }
  queue.length = 0
  for (const piece of left) queue.push(piece)
  return lanes.flatMap((lane) => (lane.pieces.length > 0 ? [lane.pieces] : []))
}

type Load = { operations: number }

function chooseLane(
  accounts: Set<AccountId>,
  laneOf: Map<AccountId, number>,
  lanes: Load[],
  size: number,
): number | null {
  let chosen: number | null = null
  for (const id of accounts) {
    const lane = laneOf.get(id)
    if (lane === undefined || lane === chosen) continue
    if (lane < 0 || chosen !== null) return null
    chosen = lane
  }
  chosen ??= lanes.reduce(
    (least, lane, index) => (lane.operations < (lanes[least]?.operations ?? 0) ? index : least),
    0,
  )
  const load = lanes[chosen]
  return load && load.operations < size ? chosen : null
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

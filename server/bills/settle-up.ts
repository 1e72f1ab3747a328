/** A member's balance in minor units: positive if others owe the member, negative if the member owes others. */
export type MemberBalance = { id: string; balanceMinor: number }

/**
 * The largest number of open balances for the exact search. Above this number, the search is skipped. Members who have left can
 * make a full group exceed it.
 */
const MAX_LOOKED_THROUGH = 16

export type SettlementPayment = { fromId: string; toId: string; amountMinor: number }

/**
 * Returns the payments that bring all balances to zero: the fewest, unless there are more than MAX_LOOKED_THROUGH open
 * balances. The balances must add up to zero. A circle is a set of people whose balances add up to zero; n people in a circle
 * need n - 1 payments. Therefore the people are divided into as many circles as possible. The search visits every subset of the
 * people once: 65,536 for a group of 16.
 */
export function settleUp(standings: readonly MemberBalance[]): SettlementPayment[] {
  const open = standings.filter(({ balanceMinor }) => balanceMinor !== 0)
  return (open.length > MAX_LOOKED_THROUGH ? [open] : circlesOf(open)).flatMap(settleCircle)
}

/** The id of a placeholder member that represents all people who take no part. */
const OTHERS = ''

/** Returns the fewest payments between the people who take part. The amounts between them and the other people stay unpaid. */
export function settleAmong(
  standings: readonly MemberBalance[],
  takesPart: (id: string) => boolean,
): SettlementPayment[] {
  const some = standings.filter(({ id }) => takesPart(id))
  const sum = some.reduce((total, { balanceMinor }) => total + balanceMinor, 0)
  return settleUp([...some, { id: OTHERS, balanceMinor: -sum }]).filter(
    ({ fromId, toId }) => fromId !== OTHERS && toId !== OTHERS,
  )
}

/** Returns the balances after the payments. */
export function afterPayments(
  standings: readonly MemberBalance[],
  payments: readonly SettlementPayment[],
): MemberBalance[] {
  const after = new Map(standings.map(({ id, balanceMinor }) => [id, balanceMinor]))
  const add = (id: string, minor: number) => after.set(id, (after.get(id) ?? 0) + minor)
  for (const { fromId, toId, amountMinor } of payments) {
    add(fromId, amountMinor)
    add(toId, -amountMinor)
  }
  return [...after].map(([id, balanceMinor]) => ({ id, balanceMinor }))
}

/** Divides people into the largest possible number of circles. The balances of each circle add up to zero. */
function circlesOf(balances: readonly MemberBalance[]): MemberBalance[][] {
  const sets = 2 ** balances.length
  const sums = new Float64Array(sets)
  /**
   * Both arrays have one entry for each subset of people. `circleCounts`: the largest number of circles in the subset.
   * `lastMembers`: the last person of an order of the subset that closes this number of circles.
   */
  const circleCounts = new Uint8Array(sets)
  const lastMembers = new Uint8Array(sets)
  for (let set = 1; set < sets; set += 1) {
    const lowest = 31 - Math.clz32(set & -set)
    sums[set] = (sums[set & (set - 1)] ?? 0) + (balances[lowest]?.balanceMinor ?? 0)
    for (let member = 0; member < balances.length; member += 1) {
      const without = set & ~(1 << member)
      if (without === set || (circleCounts[without] ?? 0) < (circleCounts[set] ?? 0)) continue
      circleCounts[set] = circleCounts[without] ?? 0
      lastMembers[set] = member
    }
    if (sums[set] === 0) circleCounts[set] = (circleCounts[set] ?? 0) + 1
  }
  const circles: MemberBalance[][] = []
  let circle: MemberBalance[] = []
  for (let set = sets - 1; set > 0;) {
    if (sums[set] === 0) circles.push((circle = []))
    const member = lastMembers[set] ?? 0
    const person = balances[member]
    if (person) circle.push(person)
    set &= ~(1 << member)
  }
  return circles
}

/** Settles a circle: pays from the largest debtor to the largest creditor, again and again, until no debt is left. */
function settleCircle(circle: readonly MemberBalance[]): SettlementPayment[] {
  const openBalances = circle.map((member) => ({ ...member }))
  const payments: SettlementPayment[] = []
  for (;;) {
    openBalances.sort((a, b) => b.balanceMinor - a.balanceMinor)
    const [creditor, debtor] = [openBalances[0], openBalances.at(-1)]
    if (!creditor || !debtor || creditor.balanceMinor <= 0) return payments
    const amountMinor = Math.min(creditor.balanceMinor, -debtor.balanceMinor)
    payments.push({ fromId: debtor.id, toId: creditor.id, amountMinor })
    creditor.balanceMinor -= amountMinor
    debtor.balanceMinor += amountMinor
  }
}

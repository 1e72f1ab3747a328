/** What others owe somebody, minor units; below zero what they owe. */
export type Standing = { id: string; balanceMinor: number }

/** Of more people than a group has at a time, as many more may stand open who have left: they are not all looked through. */
const MOST_LOOKED_THROUGH = 16

export type Payment = { fromId: string; toId: string; amountMinor: number }

/**
 * The fewest payments that bring everybody to zero; the balances add up to zero. People whose balances cancel out among
 * themselves need one payment less than they are, so the answer parts everybody into as many such circles as there can
 * be. Looks at every set of people once: for a group of 16 that is 65,536.
 */
export function settleUp(standings: readonly Standing[]): Payment[] {
  const open = standings.filter(({ balanceMinor }) => balanceMinor !== 0)
  return (open.length > MOST_LOOKED_THROUGH ? [open] : circlesOf(open)).flatMap(settleCircle)
}

/** Stands for everybody who takes no part. */
const OTHERS = ''

/** The fewest payments that settle some people among themselves; what is left is open with the others. */
export function settleAmong(standings: readonly Standing[], takesPart: (id: string) => boolean): Payment[] {
  const some = standings.filter(({ id }) => takesPart(id))
  const sum = some.reduce((total, { balanceMinor }) => total + balanceMinor, 0)
  return settleUp([...some, { id: OTHERS, balanceMinor: -sum }]).filter(
    ({ fromId, toId }) => fromId !== OTHERS && toId !== OTHERS,
  )
}

/** How everybody stands once these have been paid. */
export function afterPayments(standings: readonly Standing[], payments: readonly Payment[]): Standing[] {
  const after = new Map(standings.map(({ id, balanceMinor }) => [id, balanceMinor]))
  const add = (id: string, minor: number) => after.set(id, (after.get(id) ?? 0) + minor)
  for (const { fromId, toId, amountMinor } of payments) {
    add(fromId, amountMinor)
    add(toId, -amountMinor)
  }
  return [...after].map(([id, balanceMinor]) => ({ id, balanceMinor }))
}

/** As many sets of people as can be, in each of which the balances add up to zero. */
function circlesOf(open: readonly Standing[]): Standing[][] {
  const sets = 2 ** open.length
  const sums = new Float64Array(sets)
  /** How many circles the best order of the people in a set closes, and whom that order ends with. */
  const most = new Uint8Array(sets)
  const last = new Uint8Array(sets)
  for (let set = 1; set < sets; set += 1) {
    const lowest = 31 - Math.clz32(set & -set)
    sums[set] = (sums[set & (set - 1)] ?? 0) + (open[lowest]?.balanceMinor ?? 0)
    for (let member = 0; member < open.length; member += 1) {
      const without = set & ~(1 << member)
      if (without === set || (most[without] ?? 0) < (most[set] ?? 0)) continue
      most[set] = most[without] ?? 0
      last[set] = member
    }
    if (sums[set] === 0) most[set] = (most[set] ?? 0) + 1
  }
  const circles: Standing[][] = []
  let circle: Standing[] = []
  for (let set = sets - 1; set > 0;) {
    if (sums[set] === 0) circles.push((circle = []))
    const member = last[set] ?? 0
    const standing = open[member]
    if (standing) circle.push(standing)
    set &= ~(1 << member)
  }
  return circles
}

/** Who owes the most pays whoever is owed the most, until nobody owes anything. */
function settleCircle(circle: readonly Standing[]): Payment[] {
  const left = circle.map((standing) => ({ ...standing }))
  const payments: Payment[] = []
  for (;;) {
    left.sort((a, b) => b.balanceMinor - a.balanceMinor)
    const [creditor, debtor] = [left[0], left.at(-1)]
    if (!creditor || !debtor || creditor.balanceMinor <= 0) return payments
    const amountMinor = Math.min(creditor.balanceMinor, -debtor.balanceMinor)
    payments.push({ fromId: debtor.id, toId: creditor.id, amountMinor })
    creditor.balanceMinor -= amountMinor
    debtor.balanceMinor += amountMinor
  }
}

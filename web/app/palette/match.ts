import { fold } from '#contract/folding.ts'

/**
 * How well `query` finds something called `label`, smaller being better, or null where it does not: every word of the
 * query begins a word of the label, stands in it, or stands in one of the `others` it is known by.
 */
export function rank(query: string, label: string, others = ''): number | null {
  const [name, rest] = [fold(label), fold(others)]
  const words = fold(query)
    .split(' ')
    .filter((word) => word !== '')
  const ranks = words.map((word) => {
    if (name.startsWith(word)) return 0
    if (name.includes(` ${word}`)) return 1
    if (name.includes(word)) return 2
    return rest.includes(word) ? 3 : Infinity
  })
  const worst = Math.max(0, ...ranks)
  return worst === Infinity ? null : worst
}

/** What `query` finds, best first; among equals the order stays. */
export function search<Item>(
  items: readonly Item[],
  query: string,
  textOf: (item: Item) => { label: string; others?: string },
): Item[] {
  return items
    .map((item) => {
      const { label, others } = textOf(item)
      return { item, rank: rank(query, label, others) }
    })
    .filter((found) => found.rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ item }) => item)
}

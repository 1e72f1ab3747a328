import { fold } from '#contract/folding.ts'

/**
 * Returns a rank for how well `query` matches an item. A smaller rank is better; null means that the item does not match. Every
 * word of the query must be at the start of a word of the label, inside the label, or in `otherNames`, the alternative names.
 */
export function rankMatch(query: string, label: string, otherNames = ''): number | null {
  const [name, alternatives] = [fold(label), fold(otherNames)]
  const words = fold(query)
    .split(' ')
    .filter((word) => word !== '')
  const ranks = words.map((word) => {
    if (name.startsWith(word)) return 0
    if (name.includes(` ${word}`)) return 1
    if (name.includes(word)) return 2
    return alternatives.includes(word) ? 3 : Infinity
  })
  const worstRank = Math.max(0, ...ranks)
  return worstRank === Infinity ? null : worstRank
}

/** Returns the items that match `query`, the best first. Equal matches keep their order. */
export function findMatches<Item>(
  items: readonly Item[],
  query: string,
  textOf: (item: Item) => { label: string; others?: string },
): Item[] {
  return items
    .map((item) => {
      const { label, others } = textOf(item)
      return { item, rank: rankMatch(query, label, others) }
    })
    .filter((match) => match.rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ item }) => item)
}

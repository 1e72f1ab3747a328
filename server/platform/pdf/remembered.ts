/** More than there are letters in any text that is honest. */
const MOST = 30_000

/**
 * What is known at a key, found out where it is not. The map is emptied where it has grown large: payers choose which of the million
 * characters their notes have.
 */
export function remembered<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value, most = MOST): Value {
  const before = known.get(key)
  if (before !== undefined) return before
  const found = find()
  if (known.size >= most) known.clear()
  known.set(key, found)
  return found
}

/** The largest number of entries: more than any real text has letters. */
const MAX_ENTRIES = 30_000

/**
 * Returns the value at a key. If the key is missing, computes the value and stores it. A full map is emptied first: payers
 * choose the characters of their notes among a million, so the map could grow without end.
 */
export function getOrCompute<Key, Value>(
  cache: Map<Key, Value>,
  key: Key,
  find: () => Value,
  maxSize = MAX_ENTRIES,
): Value {
  const before = cache.get(key)
  if (before !== undefined) return before
  const value = find()
  if (cache.size >= maxSize) cache.clear()
  cache.set(key, value)
  return value
}

import DataLoader from 'dataloader'

/** What one statement is asked for at most; PostgreSQL's plan for more keys than this stops paying. */
const MAX_BATCH = 500

/**
 * Looks things up by key, one query at a time: requests that come while it runs share the next one. The busier the bank,
 * the larger its batches and the fewer its queries. Nothing is remembered between queries.
 * `load` answers one value, or null, for each key in order.
 */
export function batchLoader<Key, Value>(load: (keys: readonly Key[]) => Promise<(Value | null)[]>) {
  let running = false
  const waiting: (() => void)[] = []
  const loadInTurn = async (keys: readonly Key[]) => {
    try {
      return await load(keys)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running = false
    }
  }
  return new DataLoader<Key, Value | null>(loadInTurn, {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (dispatch) => {
      if (running) waiting.push(dispatch)
      else {
        running = true
        setImmediate(dispatch)
      }
    },
  })
}

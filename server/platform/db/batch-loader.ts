import DataLoader from 'dataloader'

/** The largest number of keys in one statement. With more keys, PostgreSQL's plan becomes slower than two statements. */
const MAX_BATCH = 500

/**
 * Loads values by key with one query at a time. Requests that arrive during a query share the next one: a busier bank has
 * larger batches and fewer queries. Values are not cached between queries. `load` returns one value, or null, for each key in
 * order.
 */
export function batchLoader<Key, Value>(load: (keys: readonly Key[]) => Promise<(Value | null)[]>) {
  let running = false
  const waitingDispatches: (() => void)[] = []
  const loadInTurn = async (keys: readonly Key[]) => {
    try {
      return await load(keys)
    } finally {
      const next = waitingDispatches.shift()
      if (next) next()
      else running = false
    }
  }
  return new DataLoader<Key, Value | null>(loadInTurn, {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (dispatch) => {
      if (running) waitingDispatches.push(dispatch)
      else {
        running = true
        setImmediate(dispatch)
      }
    },
  })
}

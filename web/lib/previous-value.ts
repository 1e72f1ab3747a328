import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/**
 * Returns the value that was shown before this one, in this or the previous visit to the screen. Without an earlier value,
 * returns the current value. The values are stored with the customer's other data, and deleted with that data.
 */
export function usePreviousValue<Value>(name: string, value: Value): Value {
  const queries = useQueryClient()
  const [state, setShown] = useState(() => ({ now: value, before: queries.getQueryData<Value>(keyOf(name)) ?? value }))
  if (state.now !== value) setShown({ now: value, before: state.now })
  useEffect(() => {
    queries.setQueryData(keyOf(name), value)
  }, [queries, name, value])
  return state.before
}

const keyOf = (name: string) => ['shown', name]

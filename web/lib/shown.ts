import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/**
 * The value that stood here before this one, on this screen or when it was last open; the value itself where there was
 * none. It is kept with the customer's other data, and goes with them.
 */
export function useShownBefore<Value>(name: string, value: Value): Value {
  const queries = useQueryClient()
  const [shown, setShown] = useState(() => ({ now: value, before: queries.getQueryData<Value>(keyOf(name)) ?? value }))
  if (shown.now !== value) setShown({ now: value, before: shown.now })
  useEffect(() => {
    queries.setQueryData(keyOf(name), value)
  }, [queries, name, value])
  return shown.before
}

const keyOf = (name: string) => ['shown', name]

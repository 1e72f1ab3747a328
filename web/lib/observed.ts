import { useSyncExternalStore } from 'react'

/** A value that is kept outside React, and shown by it. */
export type Observed<Value> = {
  get: () => Value
  set: (value: Value) => void
  /** Calls `listener` whenever another value was set. Returns a function that stops. */
  subscribe: (listener: () => void) => () => void
}

/** `first` says the value when it is read for the first time. */
export function observed<Value>(first: () => Value): Observed<Value> {
  const listeners = new Set<() => void>()
  let known: { value: Value } | null = null
  return {
    get: () => (known ??= { value: first() }).value,
    set: (value) => {
      known = { value }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useObserved<Value>({ subscribe, get }: Observed<Value>): Value {
  return useSyncExternalStore(subscribe, get)
}

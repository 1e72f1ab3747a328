import { useSyncExternalStore } from 'react'

/** A value outside React that components can show. */
export type Observable<Value> = {
  get: () => Value
  set: (value: Value) => void
  /** Calls `listener` after each new value. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

/** Creates an observable value. `first` returns the initial value at the first read. */
export function createObservable<Value>(first: () => Value): Observable<Value> {
  const listeners = new Set<() => void>()
  let current: { value: Value } | null = null
  return {
    get: () => (current ??= { value: first() }).value,
    set: (value) => {
      current = { value }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useObservable<Value>({ subscribe, get }: Observable<Value>): Value {
  return useSyncExternalStore(subscribe, get)
}

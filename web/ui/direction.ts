import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['dir'] })
  return () => observer.disconnect()
}

function read(): 'ltr' | 'rtl' {
  return document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
}

/** The direction in which the page is read. */
export function useDirection(): 'ltr' | 'rtl' {
  return useSyncExternalStore(subscribe, read)
}

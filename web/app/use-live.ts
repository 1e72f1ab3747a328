import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Keeps the screen up to date with the bank. How that is done is fetched after the screen itself. */
export function useLive(on: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!on) return undefined
    let stop = (): void => {}
    let isOver = false
    const start = () => {
      import('#web/app/live.ts').then(
        ({ listen }) => {
          window.removeEventListener('online', start)
          if (!isOver) stop = listen(queries)
        },
        () => undefined,
      )
    }
    start()
    // Where it could not be fetched, it is tried again when there is a line.
    window.addEventListener('online', start, { once: true })
    return () => {
      isOver = true
      window.removeEventListener('online', start)
      stop()
    }
  }, [on, queries])
}

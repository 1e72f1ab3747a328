import { QueryClient } from '@tanstack/react-query'
import { retry, retryDelay } from '#web/lib/retry.ts'

/** Requests go out even where the browser thinks it is offline: it may be wrong, and a failure can be told. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry,
        retryDelay,
        gcTime: 5 * 60_000,
        staleTime: 5_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // What was asked may have been done. Only what carries an Idempotency-Key is asked again (web/lib/submission.ts).
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

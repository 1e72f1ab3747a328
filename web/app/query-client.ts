import { QueryClient } from '@tanstack/react-query'
import { isFinal } from '#web/lib/api.ts'

const RETRIES = 3

function retry(failures: number, error: unknown): boolean {
  return !isFinal(error) && failures < RETRIES
}

/** 1 s, 2 s, 4 s ... at most 30 s. */
function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000)
}

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
      mutations: { retry, retryDelay, networkMode: 'always' },
    },
  })
}

import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isFinal, isRetriable, retryDelay } from '#web/lib/api.ts'
import { isLineUp } from '#web/lib/line.ts'

const RETRIES = 3

/** Where the line is down nobody waits for retries: what is on the screen is refetched as soon as it is back. */
function retryQuery(failures: number, error: unknown): boolean {
  return !isFinal(error) && failures < RETRIES && isLineUp()
}

/** A mutation without an Idempotency-Key is never retried: the lost response may have been a yes. */
function retryMutation(failures: number, error: unknown): boolean {
  return isRetriable(error) && failures < RETRIES
}

/** At random up to 1 s, 2 s, 4 s ... at most 30 s, or what the bank asks for. */
function delayBefore(attempt: number, error: unknown): number {
  return retryDelay(Math.min(1000 * 2 ** attempt, 30_000), error)
}

/**
 * Invalidates what is loaded for the first time as well: the bank may have answered it before what has just happened.
 * QueryClient asks again for what was there before, and takes a first answer for new.
 */
class BankQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    const again = loading.map(async ({ queryKey, promise }) => {
      await promise?.catch(() => undefined)
      await super.invalidateQueries({ ...filters, queryKey, exact: true }, options)
    })
    await Promise.all([super.invalidateQueries(filters, options), ...again])
  }
}

/** Requests are sent even if the browser believes it is offline: it may be wrong, and a failure can be shown. */
export function createQueryClient(): QueryClient {
  return new BankQueryClient({
    defaultOptions: {
      queries: {
        retry: retryQuery,
        retryDelay: delayBefore,
        gcTime: 5 * 60_000,
        staleTime: 5_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: retryMutation, retryDelay: delayBefore, networkMode: 'always' },
    },
  })
}

/** The one of this page. */
export const queries = createQueryClient()

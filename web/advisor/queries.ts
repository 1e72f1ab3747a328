import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Conversation, AdvisorExchange } from '#contract/advisor.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

export const conversationQuery = queryOptions({
  queryKey: ['advisor'],
  meta: OFFLINE_DATED,
  queryFn: ({ signal }) => unwrap(api.advisor.$get({}, withSignal(signal))),
})

export const askAdvisor = (question: string, key: string): Promise<AdvisorExchange> =>
  unwrap(api.advisor.questions.$post({ json: { question } }, withIdempotencyKey(key)))

export const clearConversation = () => unwrap(api.advisor.$delete())

/** Adds an exchange to the end of the conversation. After a retried request, the exchange may already be there. */
export function cacheExchange(queries: QueryClient, exchange: AdvisorExchange): void {
  queries.setQueryData(conversationQuery.queryKey, (before: Conversation | undefined) => ({
    exchanges: [...(before?.exchanges ?? []).filter(({ id }) => id !== exchange.id), exchange],
  }))
}

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Conversation, Exchange } from '#contract/advisor.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

export const conversationQuery = queryOptions({
  queryKey: ['advisor'],
  meta: KEPT,
  queryFn: ({ signal }) => unwrap(api.advisor.$get({}, withSignal(signal))),
})

export const askAdvisor = (question: string, key: string): Promise<Exchange> =>
  unwrap(api.advisor.questions.$post({ json: { question } }, withIdempotencyKey(key)))

export const clearConversation = () => unwrap(api.advisor.$delete())

/** Puts an exchange at the end of the conversation; asked again, it may be there. */
export function putExchange(queries: QueryClient, exchange: Exchange): void {
  queries.setQueryData(conversationQuery.queryKey, (before: Conversation | undefined) => ({
    exchanges: [...(before?.exchanges ?? []).filter(({ id }) => id !== exchange.id), exchange],
  }))
}

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Conversation, Exchange } from '#contract/advisor.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

export const conversationQuery = queryOptions({
  queryKey: ['advisor'],
  meta: KEPT,
  queryFn: ({ signal }) => unwrap(api.advisor.$get({}, withSignal(signal))),
})

/** How often a reply that is being written is asked for. */
const WRITING_MS = 400

/** A question whose reply is being written, until it is. */
export const exchangeQuery = (id: string) =>
  queryOptions({
    queryKey: ['advisor', 'question', id],
    queryFn: ({ signal }) => unwrap(api.advisor.questions[':id'].$get({ param: { id } }, withSignal(signal))),
    refetchInterval: ({ state }) => (state.data?.writing === false ? false : WRITING_MS),
    staleTime: 0,
  })

export const askAdvisor = (question: string, key: string): Promise<Exchange> =>
  unwrap(api.advisor.questions.$post({ json: { question } }, withIdempotencyKey(key)))

export const clearConversation = () => unwrap(api.advisor.$delete())

/** Puts an exchange at its place in the conversation: at the end, where it is new. */
export function putExchange(queries: QueryClient, exchange: Exchange): void {
  queries.setQueryData(conversationQuery.queryKey, (before: Conversation | undefined) => {
    const exchanges = before?.exchanges ?? []
    const known = exchanges.some(({ id }) => id === exchange.id)
    return {
      exchanges: known ? exchanges.map((one) => (one.id === exchange.id ? exchange : one)) : [...exchanges, exchange],
    }
  })
}

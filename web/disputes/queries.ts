import { queryOptions } from '@tanstack/react-query'
import type { DisputeDecision, NewDispute } from '#contract/disputes.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'

const TOUCHED = { touchedBy: ['notification'] } as const

export function disputeQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['disputes', transactionId],
    meta: TOUCHED,
    queryFn: ({ signal }) =>
      unwrap(api.transactions[':id'].dispute.$get({ param: { id: transactionId } }, withSignal(signal))),
  })
}

export const openDispute = (content: NewDispute, key: string) =>
  unwrap(api.disputes.$post({ json: content }, withIdempotencyKey(key)))

export const withdrawDispute = (id: string, key: string) =>
  unwrap(api.disputes[':id'].withdraw.$post({ param: { id } }, withIdempotencyKey(key)))

export const disputeQueueQuery = queryOptions({
  queryKey: ['disputes'],
  meta: TOUCHED,
  queryFn: ({ signal }) => unwrap(api.review.disputes.$get({}, withSignal(signal))),
})

export const decideDispute = ({ id, ...json }: DisputeDecision & { id: string }, key: string) =>
  unwrap(api.review.disputes[':id'].decisions.$post({ param: { id }, json }, withIdempotencyKey(key)))

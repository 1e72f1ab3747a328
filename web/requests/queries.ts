import { queryOptions } from '@tanstack/react-query'
import type { NewRequest, RequestBlock, RequestPayment } from '#contract/requests.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'

const TOUCHED = { touchedBy: ['request'] } as const

const requests = api['money-requests']

/** Loads a request with its history. Its key begins with the list's key, so that both are refreshed together. */
export function requestQuery(id: string) {
  return queryOptions({
    queryKey: ['requests', 'one', id],
    meta: TOUCHED,
    queryFn: ({ signal }) => unwrap(requests[':id'].$get({ param: { id } }, withSignal(signal))),
  })
}

export function linkedRequestQuery(token: string) {
  return queryOptions({
    queryKey: ['requests', 'link', token],
    meta: TOUCHED,
    queryFn: ({ signal }) => unwrap(api['request-links'][':token'].$get({ param: { token } }, withSignal(signal))),
  })
}

export const createRequest = (content: NewRequest, key: string) =>
  unwrap(requests.$post({ json: content }, withIdempotencyKey(key)))

export const payRequest = (id: string, payment: RequestPayment, key: string) =>
  unwrap(requests[':id'].payments.$post({ param: { id }, json: payment }, withIdempotencyKey(key)))

export const payLinkedRequest = (token: string, payment: RequestPayment, key: string) =>
  unwrap(api['request-links'][':token'].payments.$post({ param: { token }, json: payment }, withIdempotencyKey(key)))

export const declineRequest = (id: string, key: string) =>
  unwrap(requests[':id'].decline.$post({ param: { id } }, withIdempotencyKey(key)))

export const cancelRequest = (id: string, key: string) =>
  unwrap(requests[':id'].cancel.$post({ param: { id } }, withIdempotencyKey(key)))

export const remindPayer = (id: string, key: string) =>
  unwrap(requests[':id'].reminders.$post({ param: { id } }, withIdempotencyKey(key)))

export const blockRequester = (id: string, content: RequestBlock, key: string) =>
  unwrap(requests[':id'].block.$post({ param: { id }, json: content }, withIdempotencyKey(key)))

export const unblockRequester = (id: string) => unwrap(api['request-blocks'][':id'].$delete({ param: { id } }))

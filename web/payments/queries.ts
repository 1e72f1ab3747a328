import { queryOptions } from '@tanstack/react-query'
import type { SendRequest } from '#contract/payments.ts'
import { unwrap, api, withIdempotencyKey, withSignal } from '#web/lib/api.ts'

export function sendMoney(content: SendRequest, key: string) {
  return unwrap(api.transfers.$post({ json: content }, withIdempotencyKey(key)))
}

export function claimQuery(token: string) {
  return queryOptions({
    queryKey: ['claim', token],
    queryFn: ({ signal }) => unwrap(api.claims[':token'].$get({ param: { token } }, withSignal(signal))),
  })
}

export function acceptClaim(token: string, key: string) {
  return unwrap(api.claims[':token'].$post({ param: { token } }, withIdempotencyKey(key)))
}

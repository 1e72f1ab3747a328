import { queryOptions } from '@tanstack/react-query'
import type { MandateDecision } from '#contract/direct-debits.ts'
import type { LinkedMoneyRequest, LinkRequest, VerifyRequest } from '#contract/linked-accounts.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { expectNoContent } from '#web/lib/expect-no-content.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

/** The mandates of billers that collect, or ask to collect, from the customer's account. */
export const mandatesQuery = queryOptions({
  queryKey: ['mandates'],
  meta: { ...OFFLINE_DATED, touchedBy: ['balance', 'notification', 'change'] },
  queryFn: ({ signal }) => unwrap(api.mandates.$get({}, withSignal(signal))),
})

const accountOf = (id: string) => ({ param: { id } })

export const linkAccount = (json: LinkRequest, key: string) =>
  unwrap(api['linked-accounts'].$post({ json }, withIdempotencyKey(key)))

export const verifyAccount = (id: string, json: VerifyRequest, key: string) =>
  unwrap(api['linked-accounts'][':id'].verification.$post({ ...accountOf(id), json }, withIdempotencyKey(key)))

export const moveOut = (id: string, json: LinkedMoneyRequest, key: string) =>
  unwrap(api['linked-accounts'][':id'].payouts.$post({ ...accountOf(id), json }, withIdempotencyKey(key)))

export const removeAccount = (id: string) => expectNoContent(api['linked-accounts'][':id'].$delete(accountOf(id)))

export const decideMandate = (id: string, json: MandateDecision, key: string) =>
  unwrap(api.mandates[':id'].decision.$post({ param: { id }, json }, withIdempotencyKey(key)))

export const cancelMandate = (id: string) => unwrap(api.mandates[':id'].cancel.$post({ param: { id } }))

export const claimBack = (id: string, key: string) =>
  unwrap(api['direct-debits'][':id']['claim-back'].$post({ param: { id } }, withIdempotencyKey(key)))

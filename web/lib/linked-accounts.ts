import { queryOptions } from '@tanstack/react-query'
import type { LinkedAccount, LinkedMoneyRequest } from '#contract/linked-accounts.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

/** What the customer has at other banks and services. */
export const linkedAccountsQuery = queryOptions({
  queryKey: ['linked-accounts'],
  meta: { ...KEPT, touchedBy: ['notification', 'change'] },
  queryFn: ({ signal }) => unwrap(api['linked-accounts'].$get({}, withSignal(signal))),
})

/** Those that money can be moved to and from. */
export function verifiedBanks(accounts: readonly LinkedAccount[] | undefined): LinkedAccount[] {
  return accounts?.filter(({ kind, status }) => kind === 'bank' && status === 'verified') ?? []
}

export function addMoneyFrom(id: string, json: LinkedMoneyRequest, key: string) {
  return unwrap(api['linked-accounts'][':id']['top-ups'].$post({ param: { id }, json }, withIdempotencyKey(key)))
}

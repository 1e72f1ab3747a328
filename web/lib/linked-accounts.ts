import { queryOptions } from '@tanstack/react-query'
import type { LinkedAccount, LinkedMoneyRequest } from '#contract/linked-accounts.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

/** The customer's external accounts at other banks and services. */
export const linkedAccountsQuery = queryOptions({
  queryKey: ['linked-accounts'],
  meta: { ...OFFLINE_DATED, touchedBy: ['notification', 'change'] },
  queryFn: ({ signal }) => unwrap(api['linked-accounts'].$get({}, withSignal(signal))),
})

/** Returns the bank accounts that are verified, so that money can move to and from them. */
export function listVerifiedBanks(accounts: readonly LinkedAccount[] | undefined): LinkedAccount[] {
  return accounts?.filter(({ kind, status }) => kind === 'bank' && status === 'verified') ?? []
}

export function addMoneyFrom(id: string, json: LinkedMoneyRequest, key: string) {
  return unwrap(api['linked-accounts'][':id']['top-ups'].$post({ param: { id }, json }, withIdempotencyKey(key)))
}

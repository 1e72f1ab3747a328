import { queryOptions } from '@tanstack/react-query'
import type { IncomingTransferRequest } from '#contract/sample-other-banks.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'

/** The balances and transactions at the customer's other banks. */
export const otherBanksQuery = queryOptions({
  queryKey: ['other-banks'],
  queryFn: ({ signal }) => unwrap(api.sample['other-banks'].$get({}, withSignal(signal))),
})

export const billerAsks = (key: string) => unwrap(api.sample.mandates.$post({ json: {} }, withIdempotencyKey(key)))

export const billerCollects = (key: string) =>
  unwrap(api.sample['direct-debits'].$post({ json: {} }, withIdempotencyKey(key)))

export const payoutComesBack = (key: string) =>
  unwrap(api.sample['payout-returns'].$post({ json: {} }, withIdempotencyKey(key)))

export const payIn = (transfer: IncomingTransferRequest, key: string) =>
  unwrap(api.sample.transfers.$post({ json: transfer }, withIdempotencyKey(key)))

export const recallTransfer = (key: string) =>
  unwrap(api.sample['transfer-recalls'].$post({ json: {} }, withIdempotencyKey(key)))

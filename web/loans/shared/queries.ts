import { queryOptions } from '@tanstack/react-query'
import type { LoanApplicationRequest, LoanPauseRequest, LoanWithdrawalRequest } from '#contract/loans.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { expectNoContent } from '#web/lib/expect-no-content.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'notification', 'change'] } as const

export const loansQuery = queryOptions({
  queryKey: ['loans', 'overview'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.loans.$get({}, withSignal(signal))),
})

export const preApprovalQuery = queryOptions({
  queryKey: ['loans', 'pre-approval'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.loans['pre-approval'].$get({}, withSignal(signal))),
})

export const loanQuery = (id: string) =>
  queryOptions({
    queryKey: ['loans', 'one', id],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    queryFn: ({ signal }) => unwrap(api.loans[':id'].$get({ param: { id } }, withSignal(signal))),
  })

/** Loads the amount that settles a loan today. It is loaded each time and never cached. */
export const quoteQuery = (id: string) =>
  queryOptions({
    queryKey: ['loans', 'quote', id],
    meta: TOUCHED,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => unwrap(api.loans[':id'].quotes.$post({ param: { id } }, withSignal(signal))),
  })

/** Loads the cost of each pause as of today. It is never cached, because the customer must agree to current terms. */
export const pauseQuery = (id: string) =>
  queryOptions({
    queryKey: ['loans', 'pause', id],
    meta: TOUCHED,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => unwrap(api.loans[':id'].pause.$get({ param: { id } }, withSignal(signal))),
  })

export const applyForLoan = (json: LoanApplicationRequest, key: string) =>
  unwrap(api['loan-applications'].$post({ json }, withIdempotencyKey(key)))

export const acceptOffer = (id: string, key: string) =>
  unwrap(api['loan-applications'][':id'].accept.$post({ param: { id } }, withIdempotencyKey(key)))

/** Withdraws an application, or declines its offer. */
export const withdrawApplication = (id: string) =>
  expectNoContent(api['loan-applications'][':id'].withdraw.$post({ param: { id } }))

export const payExtra = (id: string, json: { amountMinor: number; asset: 'USD' }, key: string) =>
  unwrap(api.loans[':id'].payments.$post({ param: { id }, json }, withIdempotencyKey(key)))

export const settleLoan = (id: string, quoteId: string, key: string) =>
  unwrap(api.loans[':id']['early-settlement'].$post({ param: { id }, json: { quoteId } }, withIdempotencyKey(key)))

export const withdrawFromLoan = (id: string, json: LoanWithdrawalRequest, key: string) =>
  unwrap(api.loans[':id'].withdrawal.$post({ param: { id }, json }, withIdempotencyKey(key)))

export const pauseLoan = (id: string, json: LoanPauseRequest, key: string) =>
  unwrap(api.loans[':id'].pause.$post({ param: { id }, json }, withIdempotencyKey(key)))

export const loanStatementUrl = (id: string) => `/api/v1/loans/${id}/statement`

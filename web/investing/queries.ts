import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  InvestmentOrderRequest,
  InvestmentPlanRequest,
  InvestmentPreviewQuery,
  SuitabilityAnswers,
} from '#contract/investing.ts'
import type { ValueRange } from '#contract/investment-terms.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'notification', 'change'] } as const

export const investmentsQuery = queryOptions({
  queryKey: ['investing', 'portfolio'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.investing.$get({}, withSignal(signal))),
})

export function valueQuery(range: ValueRange) {
  return queryOptions({
    queryKey: ['investing', 'value', range],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    queryFn: ({ signal }) => unwrap(api.investing.value.$get({ query: { range } }, withSignal(signal))),
    // The previous time range stays visible until the next one loads.
    placeholderData: keepPreviousData,
  })
}

/** The number of orders per page. */
const PAGE = '3'

export const ordersQuery = infiniteQueryOptions({
  queryKey: ['investing', 'history'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ pageParam, signal }) =>
    unwrap(
      api.investing.history.$get(
        { query: { limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } },
        withSignal(signal),
      ),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Loads the preview of an order at the last price. It is requested anew each time it is shown. */
export function previewQuery({ side, fund, amountMinor, unitsMinor }: InvestmentPreviewQuery) {
  return queryOptions({
    queryKey: ['investing', 'preview', side, fund, amountMinor ?? null, unitsMinor ?? null],
    meta: TOUCHED,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(
        api.investing.preview.$get(
          {
            query: {
              side,
              fund,
              ...(amountMinor !== undefined && { amountMinor: String(amountMinor) }),
              ...(unitsMinor !== undefined && { unitsMinor: String(unitsMinor) }),
            },
          },
          withSignal(signal),
        ),
      ),
  })
}

export const placeFundOrder = (content: InvestmentOrderRequest, key: string) =>
  unwrap(api.investing.orders.$post({ json: content }, withIdempotencyKey(key)))

export const cancelFundOrder = (id: string, key: string) =>
  unwrap(api.investing.orders[':id'].cancel.$post({ param: { id } }, withIdempotencyKey(key)))

export const answerSuitability = (content: SuitabilityAnswers) =>
  unwrap(api.investing.suitability.$put({ json: content }))

export const acceptRisk = (version: number) => unwrap(api.investing['risk-notice'].$put({ json: { version } }))

export const createPlan = (content: InvestmentPlanRequest, key: string) =>
  unwrap(api.investing.plans.$post({ json: content }, withIdempotencyKey(key)))

export const pausePlan = (id: string) => unwrap(api.investing.plans[':id'].pause.$post({ param: { id } }))
export const resumePlan = (id: string) => unwrap(api.investing.plans[':id'].resume.$post({ param: { id } }))
export const cancelPlan = (id: string) => unwrap(api.investing.plans[':id'].cancel.$post({ param: { id } }))

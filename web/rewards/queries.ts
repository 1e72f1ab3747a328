import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { PremiumRequest, RedeemRequest } from '#contract/rewards-api.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'change'] } as const

export const rewardsQuery = queryOptions({
  queryKey: ['rewards'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.rewards.$get({}, withSignal(signal))),
})

/** The number of entries per page. */
const PAGE = '10'

export const pointsQuery = infiniteQueryOptions({
  queryKey: ['rewards', 'history'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ pageParam, signal }) =>
    unwrap(
      api.rewards.history.$get(
        { query: { limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } },
        withSignal(signal),
      ),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** The codes are not stored on the device, because anyone with a code can use the reward. */
export const codesQuery = queryOptions({
  queryKey: ['rewards', 'codes'],
  meta: TOUCHED,
  queryFn: ({ signal }) => unwrap(api.rewards.codes.$get({}, withSignal(signal))),
})

export const redeemReward = (content: RedeemRequest, key: string) =>
  unwrap(api.rewards.redemptions.$post({ json: content }, withIdempotencyKey(key)))

export const upgrade = (content: PremiumRequest, key: string) =>
  unwrap(api.rewards.premium.$post({ json: content }, withIdempotencyKey(key)))

export const cancelPremium = () => unwrap(api.rewards.premium.cancel.$post())

export const resumePremium = () => unwrap(api.rewards.premium.resume.$post())

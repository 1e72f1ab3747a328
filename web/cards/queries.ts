import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CardMoveRequest, CardSettings, NewCardRequest } from '#contract/cards.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { expectNoContent } from '#web/lib/expect-no-content.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'card'] } as const

export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.cards.$get({}, withSignal(signal))),
})

/** The virtual cards that were ended. */
export const pastCardsQuery = infiniteQueryOptions({
  queryKey: ['cards', 'past'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.cards.past.$get({ query: pageParam === null ? {} : { cursor: pageParam } }, withSignal(signal))),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

const ofCard = (id: string) => ({ param: { id } })

/** The transactions of a virtual card. */
export const cardActivityQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['cards', id, 'transactions'],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.cards[':id'].transactions.$get(
          { ...ofCard(id), query: pageParam === null ? {} : { cursor: pageParam } },
          withSignal(signal),
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const createCard = (json: NewCardRequest, key: string) =>
  unwrap(api.cards.$post({ json }, withIdempotencyKey(key)))

export const issueMainCard = () => unwrap(api.cards.main.$post())

/** Loads a card's secret details. They are shown for one minute and bypass the query cache, so that no copy remains. */
export const revealCard = (id: string) => unwrap(api.cards[':id'].details.$post(ofCard(id)))

export const setCardFrozen = (id: string, frozen: boolean) =>
  expectNoContent(frozen ? api.cards[':id'].freeze.$post(ofCard(id)) : api.cards[':id'].unfreeze.$post(ofCard(id)))

export const changeCard = (id: string, json: CardSettings) =>
  expectNoContent(api.cards[':id'].$patch({ ...ofCard(id), json }))

export const moveCardMoney = (id: string, json: CardMoveRequest, key: string) =>
  unwrap(api.cards[':id'].moves.$post({ ...ofCard(id), json }, withIdempotencyKey(key)))

export const removeCard = (id: string) => unwrap(api.cards[':id'].removal.$post(ofCard(id)))

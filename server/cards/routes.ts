import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  cardDetails as details,
  cardList,
  cardMoveRequest,
  cardMoveResponse,
  cardRemoved,
  cardSettings,
  newCardRequest,
  newCardResponse,
  pastCardPage,
} from '#contract/cards.ts'
import { transactionPage } from '#contract/accounts.ts'
import { pageQuery } from '#contract/common.ts'
import { cardActivity } from '#server/cards/activity.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { cardDetails } from '#server/cards/details.ts'
import { createVirtualCard, issueMainCard } from '#server/cards/issue.ts'
import { listCards } from '#server/cards/list.ts'
import { type Holder, setFrozen } from '#server/cards/manage.ts'
import { moveCardMoney } from '#server/cards/moves.ts'
import { listPastCards } from '#server/cards/past.ts'
import { removeCard } from '#server/cards/remove.ts'
import { changeSettings, loosens } from '#server/cards/settings.ts'
import { countCustomer } from '#server/identity/access/limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'

/** Each makes rows that are kept for good: so many in an hour for one customer. */
const ISSUES = { name: 'card-issue', points: 30, seconds: 60 * 60 }
const CHANGES = { name: 'card-change', points: 120, seconds: 60 * 60 }

const holderIn = (c: Context<ApiEnv>): Holder => ({ customer: c.get('customer'), caller: callerOf(c) })

export const cardRoutes = routes('Cards')
  .get(
    '/cards',
    {
      summary: 'Your cards, and the cashback they have earned this month',
      response: cardList,
      responseDescription: 'The main card first',
    },
    (c) => listCards(c.deps, c.customer),
  )
  .get(
    '/cards/past',
    {
      summary: 'Your virtual cards that were ended, the latest first',
      description: 'What each paid stays at /cards/{id}/transactions.',
      query: z.object(pageQuery),
      response: pastCardPage,
      responseDescription: 'A page',
    },
    (c) => listPastCards(c.deps, c.customer, c.query),
  )
  .post(
    '/cards',
    {
      money: true,
      refuses: ['card_limit_too_high', 'cards_full', ...POSTING_REFUSALS],
      summary: 'Create a virtual card',
      description: 'With money of its own, moved from the current account: now, or later by /cards/{id}/moves.',
      body: newCardRequest,
      response: newCardResponse,
      responseDescription: 'The card',
    },
    async (c) => {
      await countCustomer(c.http, ISSUES)
      const id = await createVirtualCard(c.deps, holderIn(c.http), c.body, c.key)
      return { id }
    },
  )
  .post(
    '/cards/main',
    {
      refuses: ['main_card_exists'],
      summary: 'Issue a main card where there is none',
      response: newCardResponse,
      responseDescription: 'The card',
    },
    async (c) => {
      await countCustomer(c.http, ISSUES)
      return { id: await issueMainCard(c.deps, holderIn(c.http), c.key) }
    },
  )
  .post(
    '/cards/{id}/details',
    {
      proof: true,
      key: 'none',
      refuses: ['card_removed'],
      summary: 'The number, expiry and CVV of a card',
      description: 'To be shown for a minute, and kept nowhere.',
      response: details,
      responseDescription: 'What pays with it',
    },
    async (c) => {
      await countCustomer(c.http, CHANGES)
      return await cardDetails(c.deps, holderIn(c.http), c.id)
    },
  )
  .post(
    '/cards/{id}/freeze',
    {
      key: 'none',
      protects: true,
      refuses: ['card_removed'],
      summary: 'Freeze a card: it pays nothing until it is unfrozen',
    },
    async (c) => {
      await countCustomer(c.http, CHANGES)
      await setFrozen(c.deps, holderIn(c.http), c.id, true)
    },
  )
  .post(
    '/cards/{id}/unfreeze',
    { proof: true, key: 'none', refuses: ['card_removed'], summary: 'Unfreeze a card' },
    async (c) => {
      await countCustomer(c.http, CHANGES)
      await setFrozen(c.deps, holderIn(c.http), c.id, false)
    },
  )
  .patch(
    '/cards/{id}',
    {
      refuses: ['card_removed', 'card_limit_too_high'],
      summary: 'Change the limits of a card and what it may be used for',
      description: 'What is left out stays. Whatever lets the card do more asks for a fresh proof.',
      parameters: [stepUpParameter],
      body: cardSettings,
    },
    async (c) => {
      const [deps, holder, id] = [c.deps, holderIn(c.http), c.id]
      const asked = c.body
      if (await loosens(deps, holder.customer.id, id, asked)) await requireStepUp(c.http)
      await countCustomer(c.http, CHANGES)
      await changeSettings(deps, holder, id, asked)
    },
  )
  .post(
    '/cards/{id}/moves',
    {
      money: true,
      refuses: ['card_removed', 'card_used', ...POSTING_REFUSALS],
      summary: 'Move money between a virtual card and the current account',
      body: cardMoveRequest,
      response: cardMoveResponse,
      responseDescription: 'The current account’s transaction',
    },
    async (c) => {
      const customer = c.customer
      const asked = { ...c.body, cardId: c.id }
      const transaction = await moveMoney(
        c.http,
        async (key) =>
          transactionOfBooked(await moveCardMoney(c.deps, customer, asked, key), customer.currentAccountId),
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return { transaction }
    },
  )
  .get(
    '/cards/{id}/transactions',
    {
      summary: 'What moved the money of a virtual card, newest first',
      description: 'The main card pays from the current account, whose transactions say so.',
      query: z.object(pageQuery),
      response: transactionPage,
      responseDescription: 'A page',
    },
    (c) => cardActivity(c.deps, c.customer, c.id, c.query),
  )
  .post(
    '/cards/{id}/removal',
    {
      refuses: ['card_removed', 'card_payment_pending', ...POSTING_REFUSALS],
      summary: 'Remove a card for good',
      description: 'What a virtual card still has goes back to the current account.',
      response: cardRemoved,
      responseDescription: 'What went back',
    },
    async (c) => {
      const { returnedMinor } = await removeCard(c.deps, holderIn(c.http), c.id, c.key)
      return { returnedMinor, asset: 'USD' as const }
    },
  )

import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  cardDetails as details,
  cardList,
  cardMoveRequest,
  cardMoveResponse,
  cardRemovedResponse,
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
import { type CardOwner, setFrozen } from '#server/cards/own-card.ts'
import { moveCardMoney } from '#server/cards/virtual-card-transfers.ts'
import { listPastCards } from '#server/cards/removed-cards.ts'
import { removeCard } from '#server/cards/remove.ts'
import { changeSettings, loosensLimits } from '#server/cards/settings.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'

/** The hourly limits for one customer. There are limits because each request creates rows that are never deleted. */
const ISSUES = { name: 'card-issue', points: 30, seconds: 60 * 60 }
const CHANGES = { name: 'card-change', points: 120, seconds: 60 * 60 }

const holderIn = (c: Context<ApiEnv>): CardOwner => ({ customer: c.get('customer'), caller: callerOf(c) })

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
      summary: 'Your removed virtual cards, the latest first',
      description: 'The payments of each card remain at /cards/{id}/transactions.',
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
      description: 'The card has its own money, moved from the current account: now, or later with /cards/{id}/moves.',
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
      summary: 'Issue a main card to a customer without one',
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
      description: 'A client should show them for a minute and never store them.',
      response: details,
      responseDescription: 'The details for a payment',
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
      summary: 'Freeze a card, so that it cannot pay until it is unfrozen',
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
      summary: 'Change the limits and the permitted uses of a card',
      description: 'Settings that are left out stay. A change that lets the card do more requires a fresh proof.',
      parameters: [stepUpParameter],
      body: cardSettings,
    },
    async (c) => {
      const [deps, holder, id] = [c.deps, holderIn(c.http), c.id]
      const request = c.body
      if (await loosensLimits(deps, holder.customer.id, id, request)) await requireStepUp(c.http)
      await countCustomer(c.http, CHANGES)
      await changeSettings(deps, holder, id, request)
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
      const request = { ...c.body, cardId: c.id }
      const transaction = await moveMoney(
        c.http,
        async (key) =>
          transactionOfBooked(await moveCardMoney(c.deps, customer, request, key), customer.currentAccountId),
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return { transaction }
    },
  )
  .get(
    '/cards/{id}/transactions',
    {
      summary: 'Transactions of a virtual card, newest first',
      description: 'The main card pays from the current account and has its transactions there.',
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
      summary: 'Remove a card permanently',
      description: 'The remaining money of a virtual card goes back to the current account.',
      response: cardRemovedResponse,
      responseDescription: 'The amount moved back',
    },
    async (c) => {
      const { returnedMinor } = await removeCard(c.deps, holderIn(c.http), c.id, c.key)
      return { returnedMinor, asset: 'USD' as const }
    },
  )

import { idParam, readId } from '#server/platform/http/id-param.ts'
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
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import type { Deps } from '#server/platform/deps.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import { done, json } from '#server/platform/http/described.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

const tags = ['Cards']

/** Each makes rows that are kept for good: so many in an hour for one customer. */
const ISSUES = { name: 'card-issue', points: 30, seconds: 60 * 60 }
const CHANGES = { name: 'card-change', points: 120, seconds: 60 * 60 }

const list = defineRoute({
  method: 'get',
  path: '/cards',
  summary: 'Your cards, and the cashback they have earned this month',
  tags,
  responses: { 200: { description: 'The main card first', ...json(cardList) } },
})

const past = defineRoute({
  method: 'get',
  path: '/cards/past',
  summary: 'Your virtual cards that were ended, the latest first',
  description: 'What each paid stays at /cards/{id}/transactions.',
  tags,
  request: { query: z.object(pageQuery) },
  responses: { 200: { description: 'A page', ...json(pastCardPage) } },
})

const create = defineRoute({
  method: 'post',
  path: '/cards',
  needs: { money: true },
  summary: 'Create a virtual card',
  description: 'With money of its own, moved from the current account: now, or later by /cards/{id}/moves.',
  tags,
  request: { body: { required: true, ...json(newCardRequest) } },
  responses: { 200: { description: 'The card', ...json(newCardResponse) } },
})

const issue = defineRoute({
  method: 'post',
  path: '/cards/main',
  summary: 'Issue a main card where there is none',
  tags,
  responses: { 200: { description: 'The card', ...json(newCardResponse) } },
})

const reveal = defineRoute({
  method: 'post',
  path: '/cards/{id}/details',
  needs: { proof: true, key: 'none' },
  summary: 'The number, expiry and CVV of a card',
  description: 'To be shown for a minute, and kept nowhere.',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'What pays with it', ...json(details) } },
})

const freeze = defineRoute({
  method: 'post',
  path: '/cards/{id}/freeze',
  needs: { key: 'none', protects: true },
  summary: 'Freeze a card: it pays nothing until it is unfrozen',
  tags,
  request: { params: idParam },
  responses: done,
})

const unfreeze = defineRoute({
  method: 'post',
  path: '/cards/{id}/unfreeze',
  needs: { proof: true, key: 'none' },
  summary: 'Unfreeze a card',
  tags,
  request: { params: idParam },
  responses: done,
})

const settings = defineRoute({
  method: 'patch',
  path: '/cards/{id}',
  summary: 'Change the limits of a card and what it may be used for',
  description: 'What is left out stays. Whatever lets the card do more asks for a fresh proof.',
  tags,
  parameters: [stepUpParameter],
  request: { params: idParam, body: { required: true, ...json(cardSettings) } },
  responses: done,
})

const move = defineRoute({
  method: 'post',
  path: '/cards/{id}/moves',
  needs: { money: true },
  summary: 'Move money between a virtual card and the current account',
  tags,
  request: { params: idParam, body: { required: true, ...json(cardMoveRequest) } },
  responses: { 200: { description: 'The current account’s transaction', ...json(cardMoveResponse) } },
})

const activity = defineRoute({
  method: 'get',
  path: '/cards/{id}/transactions',
  summary: 'What moved the money of a virtual card, newest first',
  description: 'The main card pays from the current account, whose transactions say so.',
  tags,
  request: { params: idParam, query: z.object(pageQuery) },
  responses: { 200: { description: 'A page', ...json(transactionPage) } },
})

const remove = defineRoute({
  method: 'post',
  path: '/cards/{id}/removal',
  summary: 'Remove a card for good',
  description: 'What a virtual card still has goes back to the current account.',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'What went back', ...json(cardRemoved) } },
})

const idIn = (c: Context<ApiEnv>): string => readId(c.req.param('id') ?? '')

const holderIn = (c: Context<ApiEnv>): Holder => ({ customer: c.get('customer'), caller: callerOf(c) })

export function cardRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limitIssues = limitByCustomer({ limiters }, ISSUES)
  const limitChanges = limitByCustomer({ limiters }, CHANGES)
  return router()
    .openapi(list, async (c) => c.json(await listCards(c.get('deps'), c.get('customer')), 200))
    .openapi(past, async (c) =>
      c.json(await listPastCards(c.get('deps'), c.get('customer'), c.req.valid('query')), 200),
    )
    .openapi(create, async (c) => {
      await limitIssues(c, async () => undefined)
      const id = await createVirtualCard(c.get('deps'), holderIn(c), c.req.valid('json'), c.get('key'))
      return c.json({ id }, 200)
    })
    .openapi(issue, async (c) => {
      await limitIssues(c, async () => undefined)
      return c.json({ id: await issueMainCard(c.get('deps'), holderIn(c), c.get('key')) }, 200)
    })
    .openapi(reveal, async (c) => {
      await limitChanges(c, async () => undefined)
      return c.json(await cardDetails(c.get('deps'), holderIn(c), idIn(c)), 200)
    })
    .openapi(freeze, async (c) => {
      await limitChanges(c, async () => undefined)
      await setFrozen(c.get('deps'), holderIn(c), idIn(c), true)
      return c.body(null, 204)
    })
    .openapi(unfreeze, async (c) => {
      await limitChanges(c, async () => undefined)
      await setFrozen(c.get('deps'), holderIn(c), idIn(c), false)
      return c.body(null, 204)
    })
    .openapi(settings, async (c) => {
      const [deps, holder, id] = [c.get('deps'), holderIn(c), idIn(c)]
      const asked = c.req.valid('json')
      if (await loosens(deps, holder.customer.id, id, asked)) await requireStepUp(c)
      await limitChanges(c, async () => undefined)
      await changeSettings(deps, holder, id, asked)
      return c.body(null, 204)
    })
    .openapi(move, async (c) => {
      const customer = c.get('customer')
      const asked = { ...c.req.valid('json'), cardId: idIn(c) }
      const transaction = await moveMoney(
        c,
        async (key) =>
          transactionOfBooked(await moveCardMoney(c.get('deps'), customer, asked, key), customer.currentAccountId),
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return c.json({ transaction }, 200)
    })
    .openapi(activity, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await cardActivity(c.get('deps'), c.get('customer'), readId(id), c.req.valid('query')), 200)
    })
    .openapi(remove, async (c) => {
      const { returnedMinor } = await removeCard(c.get('deps'), holderIn(c), idIn(c), c.get('key'))
      return c.json({ returnedMinor, asset: 'USD' as const }, 200)
    })
}

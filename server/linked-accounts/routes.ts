import { topUpResponse } from '#contract/accounts.ts'
import {
  linkedAccountResponse,
  linkedAccounts,
  linkedMoneyRequest,
  linkRequest,
  verifyRequest,
} from '#contract/linked-accounts.ts'
import { topUpAnswer } from '#server/accounts/top-ups.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { linkAccount, verifyAccount } from '#server/linked-accounts/link.ts'
import {
  withdrawToLinkedAccount,
  readLinkedAccounts,
  removeAccount,
  topUpFromLinkedAccount,
} from '#server/linked-accounts/service.ts'
import { PAYMENT_REFUSALS } from '#server/limits/service.ts'
import { TOP_UP_REFUSALS } from '#server/rails/collections.ts'

export const linkedAccountRoutes = routes('Linked accounts', { live: true })
  .get(
    '/linked-accounts',
    {
      summary: 'Your linked accounts at other banks and services',
      response: linkedAccounts,
      responseDescription: 'Oldest first',
    },
    (c) => readLinkedAccounts(c.deps, c.customer.id),
  )
  .post(
    '/linked-accounts',
    {
      refuses: [
        'routing_number_invalid',
        'account_number_invalid',
        'account_not_external',
        'account_linked',
        'accounts_full',
        'method_unavailable',
      ],
      summary: 'Link an account at another bank',
      description:
        'Two small deposits are sent to the account. Their amounts verify it, within ten days and three attempts.',
      body: linkRequest,
      response: linkedAccountResponse,
      responseDescription: 'The account',
    },
    async (c) => {
      const account = await linkAccount(c.deps, c.customer, c.body, c.key)
      return { account }
    },
  )
  .post(
    '/linked-accounts/{id}/verification',
    {
      refuses: ['deposits_wrong', 'deposits_over'],
      summary: 'Verify an account with the amounts of its deposits',
      description: 'The amounts may be in either order. The third wrong attempt is the last.',
      body: verifyRequest,
      response: linkedAccountResponse,
      responseDescription: 'The account',
    },
    async (c) => {
      const tried = { id: c.params.id, amounts: c.body }
      return { account: await verifyAccount(c.deps, c.customer, tried, c.key) }
    },
  )
  .post(
    '/linked-accounts/{id}/payouts',
    {
      money: true,
      proof: true,
      refuses: ['account_unverified', 'method_unavailable', ...PAYMENT_REFUSALS],
      summary: 'Move money out to a verified account',
      description:
        'The money is set aside right away and arrives after one to two business days. The other bank may send it back.',
      body: linkedMoneyRequest,
      response: topUpResponse,
      responseDescription: 'The transaction',
    },
    async (c) => {
      const customer = c.customer
      const payout = { ...c.params, ...c.body }
      const answer = await moveMoney(
        c.http,
        (key) => withdrawToLinkedAccount(c.deps, customer, payout, key),
        (booked) => topUpAnswer(booked, customer),
      )
      return answer
    },
  )
  .post(
    '/linked-accounts/{id}/top-ups',
    {
      money: true,
      refuses: ['account_unverified', ...TOP_UP_REFUSALS],
      summary: 'Add money from a verified account',
      body: linkedMoneyRequest,
      response: topUpResponse,
      responseDescription: 'The transaction',
    },
    async (c) => {
      const customer = c.customer
      const topUp = { ...c.params, ...c.body }
      const answer = await moveMoney(
        c.http,
        (key) => topUpFromLinkedAccount(c.deps, customer, topUp, key),
        (booked) => topUpAnswer(booked, customer),
      )
      return answer
    },
  )
  .delete(
    '/linked-accounts/{id}',
    { summary: 'Remove an account', description: 'Payments in progress to or from the account continue.' },
    async (c) => {
      await removeAccount(c.deps, c.customer.id, c.params.id)
    },
  )

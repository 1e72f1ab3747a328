import { claimBackResponse, mandateDecision, mandateList, mandateResponse } from '#contract/direct-debits.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { claimBack } from '#server/direct-debits/collections.ts'
import { cancelMandate, decideMandate, mandatesOf } from '#server/direct-debits/mandates.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'

export const directDebitRoutes = routes('Direct debits', { live: true })
  .get(
    '/mandates',
    {
      summary: 'The billers that collect from your account or request to',
      response: mandateList,
      responseDescription: 'Requests first',
    },
    async (c) => ({ mandates: await mandatesOf(c.deps, c.customer.id) }),
  )
  .post(
    '/mandates/{id}/decision',
    {
      proof: true,
      refuses: ['mandate_not_active'],
      summary: 'Approve or decline the request of a biller',
      body: mandateDecision,
      response: mandateResponse,
      responseDescription: 'The mandate',
    },
    async (c) => {
      const decided = { ...c.params, ...c.body }
      return { mandate: await decideMandate(c.deps, c.customer, decided, c.key) }
    },
  )
  .post(
    '/mandates/{id}/cancel',
    {
      key: 'none',
      refuses: ['mandate_not_active'],
      summary: 'Stop a biller from collecting',
      description: 'Payments that the biller has already announced are not collected either.',
      response: mandateResponse,
      responseDescription: 'The mandate',
    },
    async (c) => ({ mandate: await cancelMandate(c.deps, c.customer.id, c.params.id) }),
  )
  .post(
    '/direct-debits/{id}/claim-back',
    {
      money: true,
      refuses: ['already_reversed', 'claim_back_late', 'claim_back_impossible', 'account_closed'],
      summary: 'Claim a direct debit back',
      description: 'Within eight weeks of the payment, without a reason.',
      response: claimBackResponse,
      responseDescription: 'The refund',
    },
    async (c) => {
      const customer = c.customer
      const { id } = c.params
      const transaction = await moveMoney(
        c.http,
        (key) => claimBack(c.deps, customer, id, key),
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return { transaction }
    },
  )

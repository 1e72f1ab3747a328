import { emptyObject } from '#contract/sample.ts'
import {
  billerRequest,
  billerCollectionResponse,
  otherBanks,
  payoutReturnResponse,
  incomingTransferResponse,
  transferRecallResponse,
  incomingTransferRequest,
} from '#contract/sample-other-banks.ts'
import { routes } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import {
  billerAsks,
  billerCollects,
  payoutComesBack,
  readOtherBanks,
  strangerPaysIn,
  transferIsRecalled,
} from '#server/sample/other-banks.ts'

const elsewhereRoutes = routes('Sample')
  .get(
    '/sample/other-banks',
    {
      summary: 'The payments that your other banks received',
      description: 'Payments from this bank, including the deposits that verify a linked account.',
      response: otherBanks,
      responseDescription: 'Newest first',
    },
    (c) => readOtherBanks(c.deps, c.customer.id),
  )
  .post(
    '/sample/mandates',
    {
      refuses: ['mandates_full'],
      summary: 'Have a biller request a direct debit',
      body: emptyObject,
      isBodyOptional: true,
      response: billerRequest,
      responseDescription: 'The biller',
    },
    (c) => billerAsks(c.deps, c.customer, c.key),
  )
  .post(
    '/sample/direct-debits',
    {
      refuses: ['debit_repeated', 'mandate_not_active'],
      summary: 'Have a biller collect',
      description: 'The collection is today, or on the next business day.',
      body: emptyObject,
      isBodyOptional: true,
      response: billerCollectionResponse,
      responseDescription: 'The outcome',
    },
    (c) => billerCollects(c.deps, c.customer, c.key),
  )
  .post(
    '/sample/transfers',
    {
      refuses: ['amount_invalid'],
      summary: 'Have someone pay in from another bank',
      description: 'Any account number is accepted. Money for a wrong or unknown number is sent back.',
      body: incomingTransferRequest,
      response: incomingTransferResponse,
      responseDescription: 'The outcome',
    },
    (c) => strangerPaysIn(c.deps, c.body, c.key),
  )
  .post(
    '/sample/transfer-recalls',
    {
      refuses: ['transfer_missing'],
      summary: 'Have the sender’s bank recall the latest transfer that you received',
      description: 'If you have spent the money, you owe the missing part.',
      body: emptyObject,
      isBodyOptional: true,
      response: transferRecallResponse,
      responseDescription: 'The recalled transfer',
    },
    (c) => transferIsRecalled(c.deps, c.customer, c.key),
  )
  .post(
    '/sample/payout-returns',
    {
      refuses: ['payout_missing'],
      summary: 'Have your other bank send your latest withdrawal back',
      body: emptyObject,
      isBodyOptional: true,
      response: payoutReturnResponse,
      responseDescription: 'The returned withdrawal',
    },
    (c) => payoutComesBack(c.deps, c.customer, c.key),
  )

/** Returns the routes that simulate billers and other banks, or no routes if the bank has no control panel. */
export function elsewhere({ policy }: Pick<Deps, 'policy'>): typeof elsewhereRoutes {
  return policy.controlPanel ? elsewhereRoutes : routes('Sample')
}

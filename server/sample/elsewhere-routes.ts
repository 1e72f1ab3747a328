import { nothing } from '#contract/sample.ts'
import {
  billerAsked,
  billerCollected,
  otherBanks,
  payoutReturned,
  transferArrived,
  transferRecalled,
  transferSent,
} from '#contract/sample-elsewhere.ts'
import { routes } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import {
  billerAsks,
  billerCollects,
  payoutComesBack,
  readOtherBanks,
  strangerPaysIn,
  transferIsRecalled,
} from '#server/sample/elsewhere.ts'

const elsewhereRoutes = routes('Sample')
  .get(
    '/sample/other-banks',
    {
      summary: 'What your other banks show',
      description: 'What arrived there from this one, the deposits that verify a linked account among it.',
      response: otherBanks,
      responseDescription: 'Newest first',
    },
    (c) => readOtherBanks(c.deps, c.customer.id),
  )
  .post(
    '/sample/mandates',
    {
      refuses: ['mandates_full'],
      summary: 'Have a biller ask for a direct debit',
      body: nothing,
      isBodyOptional: true,
      response: billerAsked,
      responseDescription: 'Who asked',
    },
    (c) => billerAsks(c.deps, c.customer, c.key),
  )
  .post(
    '/sample/direct-debits',
    {
      refuses: ['debit_repeated', 'mandate_not_active'],
      summary: 'Have a biller collect',
      description: 'Today, or on the next business day.',
      body: nothing,
      isBodyOptional: true,
      response: billerCollected,
      responseDescription: 'What became of it',
    },
    (c) => billerCollects(c.deps, c.customer, c.key),
  )
  .post(
    '/sample/transfers',
    {
      refuses: ['amount_invalid'],
      summary: 'Have someone pay in from another bank',
      description: 'To any account number. One that is wrong, or is nobody’s, has it sent back.',
      body: transferSent,
      response: transferArrived,
      responseDescription: 'What became of it',
    },
    (c) => strangerPaysIn(c.deps, c.body, c.key),
  )
  .post(
    '/sample/transfer-recalls',
    {
      refuses: ['transfer_missing'],
      summary: 'Have the sender’s bank take back the latest transfer that you received',
      description: 'What you have spent of it you owe.',
      body: nothing,
      isBodyOptional: true,
      response: transferRecalled,
      responseDescription: 'What was taken back',
    },
    (c) => transferIsRecalled(c.deps, c.customer, c.key),
  )
  .post(
    '/sample/payout-returns',
    {
      refuses: ['payout_missing'],
      summary: 'Have your other bank send your latest withdrawal back',
      body: nothing,
      isBodyOptional: true,
      response: payoutReturned,
      responseDescription: 'What came back',
    },
    (c) => payoutComesBack(c.deps, c.customer, c.key),
  )

/** Billers and other banks, as the panel plays them; a bank without a panel has none of it. */
export function elsewhere({ policy }: Pick<Deps, 'policy'>): typeof elsewhereRoutes {
  return policy.controlPanel ? elsewhereRoutes : routes('Sample')
}

import { randomUUIDv7 } from 'node:crypto'
import { expiryFrom, lastExpiryDueForRenewal } from '#server/cards/renewal.ts'
import { issueCards, type NewCard } from '#server/cards/service.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { type CardMove, cardMoveOperation } from '#server/cards/virtual-card-transfers.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Translator } from '#server/platform/translations.ts'
import { type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

/** The expiry date in the specification. */
const SPECIFIED_EXPIRY = '2028-12-31'

/**
 * Returns the expiry date of a new visitor's cards. Once cards with the specified date are due for renewal, new visitors get
 * the date of a new card.
 */
export const sampleExpiry = (now: Date): string =>
  SPECIFIED_EXPIRY > lastExpiryDueForRenewal(now) ? SPECIFIED_EXPIRY : expiryFrom(now)

/** Makes a main card, and a virtual card with 500.00 on its own account. */
export const cardSampleHistory: SampleHistoryPart = async (deps, trx, { customer, translator }) => {
  // One account is opened, so its id is always there. The zero only satisfies the compiler.
  const [virtualAccountId = 0] = await openAccounts(runIn(trx), [{ holderId: customer.id, code: 'card', asset: 'USD' }])
  const [mainCard, virtualCard] = newCards(customer, {
    virtualAccountId,
    translator,
    expiresOn: sampleExpiry(deps.clock.businessNow()),
  })
  await issueCards({ ...deps, db: trx }, [mainCard, virtualCard])
  return [topUpOperation({ from: customer.currentAccountId, to: virtualAccountId, name: virtualCard.name })]
}

type SampleCardOptions = { virtualAccountId: AccountId; translator: Translator; expiresOn: string }

function newCards(
  customer: Customer,
  { virtualAccountId, translator, expiresOn }: SampleCardOptions,
): [NewCard, NewCard] {
  const name = translator.i18n._({ id: 'sample.card', message: 'Virtual Card' })
  const common = { customerId: customer.id, type: 'debit' as const, expiresOn }
  return [
    { ...common, kind: 'main', accountId: customer.currentAccountId, name: 'Main Card' },
    { ...common, kind: 'multi_use', accountId: virtualAccountId, name },
  ]
}

/** Returns the operation that moves 500.00 from the current account to the virtual card's account. */
function topUpOperation(accounts: Pick<CardMove, 'from' | 'to' | 'name'>): Operation {
  const id = randomUUIDv7()
  // June 2, 12:00.
  const bookedAt = sampleTime(6, 2, 12)
  // `story` is an earlier word for the sample history. The fingerprints of existing rows are made with it.
  return cardMoveOperation({ id, fingerprint: fingerprintOf('story', id), bookedAt, amountMinor: 500_00, ...accounts })
}

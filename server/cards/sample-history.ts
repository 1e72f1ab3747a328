import { randomUUIDv7 } from 'node:crypto'
import { expiryFrom, renewedUpTo } from '#server/cards/renewal.ts'
import { issueCards, type NewCard } from '#server/cards/service.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { type CardMove, cardMoveOperation } from '#server/cards/virtual-card-transfers.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Translator } from '#server/platform/translations.ts'
import { type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

/**
 * The expiry date in the specification. If a visitor comes when a card with this date is due for renewal, the visitor's card
 * was just renewed.
 */
const SPECIFIED_EXPIRY = '2028-12-31'
export const sampleExpiry = (now: Date): string =>
  SPECIFIED_EXPIRY > renewedUpTo(now) ? SPECIFIED_EXPIRY : expiryFrom(now)

/** Makes a main card, and a virtual card with 500.00 on its own account. */
export const cardSampleHistory: SampleHistoryPart = async (deps, trx, { customer, translator }) => {
  const [virtual = 0] = await openAccounts(runIn(trx), [{ holderId: customer.id, code: 'card', asset: 'USD' }])
  const [main, onItsOwn] = newCards(customer, {
    virtual,
    translator,
    expiresOn: sampleExpiry(deps.clock.businessNow()),
  })
  await issueCards({ ...deps, db: trx }, [main, onItsOwn])
  return [loaded({ from: customer.currentAccountId, to: virtual, name: onItsOwn.name })]
}

type SampleCards = { virtual: AccountId; translator: Translator; expiresOn: string }

function newCards(customer: Customer, { virtual, translator, expiresOn }: SampleCards): [NewCard, NewCard] {
  const name = translator.i18n._({ id: 'sample.card', message: 'Virtual Card' })
  const common = { customerId: customer.id, type: 'debit' as const, expiresOn }
  return [
    { ...common, kind: 'main', accountId: customer.currentAccountId, name: 'Main Card' },
    { ...common, kind: 'multi_use', accountId: virtual, name },
  ]
}

function loaded(accounts: Pick<CardMove, 'from' | 'to' | 'name'>): Operation {
  const id = randomUUIDv7()
  const bookedAt = sampleTime(6, 2, 12)
  return cardMoveOperation({ id, fingerprint: fingerprintOf('story', id), bookedAt, amountMinor: 500_00, ...accounts })
}

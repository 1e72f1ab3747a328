import { randomUUIDv7 } from 'node:crypto'
import { expiryFrom, renewedUpTo } from '#server/cards/renewal.ts'
import { issueCards, type NewCard } from '#server/cards/service.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { type CardMove, cardMoveOperation } from '#server/cards/moves.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Translator } from '#server/platform/translations.ts'
import { type StoryPart, storyTime } from '#server/story/part.ts'

/** What the specification shows. A visitor who comes when it is to be renewed gets a card that has just been. */
const SPECIFIED_EXPIRY = '2028-12-31'
export const sampleExpiry = (now: Date): string =>
  SPECIFIED_EXPIRY > renewedUpTo(now) ? SPECIFIED_EXPIRY : expiryFrom(now)

/** A main card, and a virtual one with 500.00 on an account of its own. */
export const cardStory: StoryPart = async (deps, trx, { customer, say }) => {
  const [virtual = 0] = await openAccounts(runIn(trx), [{ holderId: customer.id, code: 'card', asset: 'USD' }])
  const [main, onItsOwn] = newCards(customer, { virtual, say, expiresOn: sampleExpiry(deps.clock.businessNow()) })
  await issueCards({ ...deps, db: trx }, [main, onItsOwn])
  return [loaded({ from: customer.currentAccountId, to: virtual, name: onItsOwn.name })]
}

type Made = { virtual: AccountId; say: Translator; expiresOn: string }

function newCards(customer: Customer, { virtual, say, expiresOn }: Made): [NewCard, NewCard] {
  const name = say.i18n._({ id: 'sample.card', message: 'Virtual Card' })
  const common = { customerId: customer.id, type: 'debit' as const, expiresOn }
  return [
    { ...common, kind: 'main', accountId: customer.currentAccountId, name: 'Main Card' },
    { ...common, kind: 'multi_use', accountId: virtual, name },
  ]
}

function loaded(accounts: Pick<CardMove, 'from' | 'to' | 'name'>): Operation {
  const id = randomUUIDv7()
  const bookedAt = storyTime(6, 2, 12)
  return cardMoveOperation({ id, fingerprint: fingerprintOf('story', id), bookedAt, amountMinor: 500_00, ...accounts })
}

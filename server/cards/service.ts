import { randomUUID } from 'node:crypto'
import { FIRST_LOOKS } from '#contract/card-terms.ts'
import type { CardRecord, CardLimits } from '#server/cards/card.ts'
import { beginCashback } from '#server/cards/cashback.ts'
import { newNumber, sealedNumber } from '#server/cards/numbers.ts'
import type { Deps } from '#server/platform/deps.ts'

export type NewCard = Pick<CardRecord, 'customerId' | 'accountId' | 'type' | 'kind' | 'name' | 'expiresOn'> &
  Partial<CardLimits & Pick<CardRecord, 'look'>> & {
    /** The last four digits of the number; random by default. */
    lastFour?: string
  }

export type IssuedCard = NewCard & Pick<CardRecord, 'id' | 'lastFour'>

type IssueDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** Issues cards, whose accounts must exist already, and returns them in order. */
export async function issueCards(deps: IssueDeps, cards: readonly NewCard[]): Promise<IssuedCard[]> {
  const newCards = cards.map((card) => ({ ...card, id: randomUUID() }))
  const lastFours = new Map<string, string>()
  while (lastFours.size < newCards.length) {
    const rows = await deps.db
      .insertInto('bank.card')
      .values(newCards.filter(({ id }) => !lastFours.has(id)).map((card) => newRow(deps, card)))
      // If another card has the number, the next number is tried.
      .onConflict((conflict) => conflict.column('number_digest').doNothing())
      .returning(['id', 'last_four'])
      .execute()
    for (const row of rows) lastFours.set(row.id, row.last_four)
  }
  await beginCashback(deps, [...new Set(cards.map(({ customerId }) => customerId))])
  return newCards.map((card) => ({ ...card, lastFour: lastFours.get(card.id) ?? '' }))
}

/** Issues one card. */
export async function issueCard(deps: IssueDeps, card: NewCard): Promise<IssuedCard> {
  const [issuedCard] = await issueCards(deps, [card])
  if (!issuedCard) throw new Error('No card was issued')
  return issuedCard
}

function newRow({ config, clock }: IssueDeps, card: NewCard & { id: string }) {
  const number = newNumber(card.lastFour)
  const look = card.kind === 'main' ? null : (card.look ?? FIRST_LOOKS[card.kind])
  return {
    id: card.id,
    customer_id: card.customerId,
    account_id: card.accountId,
    own_account_id: card.kind === 'main' ? null : card.accountId,
    type: card.type,
    kind: card.kind,
    name: card.name,
    colour: look?.colour ?? null,
    design: look?.design ?? null,
    last_four: number.slice(-4),
    expires_on: card.expiresOn,
    payment_limit_minor: card.paymentLimitMinor ?? null,
    month_limit_minor: card.monthLimitMinor ?? null,
    created_at: clock.businessNow(),
    ...sealedNumber({ config }, card.id, number),
  }
}

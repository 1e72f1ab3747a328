import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Card } from '#server/cards/card.ts'
import { cardsUsed, usesCounted } from '#server/cards/use.ts'
import { openSettledPurse, type OwedDeps } from '#server/owed/taking.ts'
import { answerFor, type AuthoriseDeps, type Question, REUSED_PAYMENT } from '#server/card-scheme/authorise.ts'
import { cover } from '#server/card-scheme/booking.ts'
import { readFacts } from '#server/card-scheme/facts.ts'
import { answeredAgain, type Answered, messagesKept, paymentDigest } from '#server/card-scheme/messages.ts'
import { paymentDetail, rowOf } from '#server/card-scheme/payment.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Leg, Operation } from '#server/ledger/types.ts'
import { inTransaction, runAll, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>
export type AdviseDeps = AuthoriseDeps & OwedDeps & Pick<Deps, 'db' | 'alerts'>

/**
 * Takes note of a payment that the scheme approved in the bank's absence, whatever the card may do: as much as the customer
 * has is held. Throws Refusal `not_found` where the bank has no such card.
 */
export async function takeAdvice(deps: AdviseDeps, advice: Question): Promise<Answered> {
  const { message } = advice
  const taken = await inTransaction(deps.db, async (trx) => {
    const facts = await readFacts(deps, trx, [message])
    const known = facts.messages.get(message.messageId)
    if (known) return { answered: answeredAgain(advice, known), card: null }
    const card = facts.cardsByNumber.get(message.card.number)
    if (!card) throw new Refusal('not_found', 'card.number')
    const earlier = facts.payments.get(message.authorisationId)
    const isOther = earlier && !earlier.digest.equals(paymentDigest(deps, message))
    const isNew = !earlier || earlier.status === 'declined'
    if (isNew && !isOther) await approve(deps, trx, { advice, card, id: earlier?.id ?? null, now: facts.now })
    const answered = isOther ? REUSED_PAYMENT : answerFor(message, null)
    await runAll(trx, messagesKept(deps, [{ received: advice, answered }]))
    return { answered, card: isNew && !isOther ? card : null }
  })
  if (taken.card) {
    const { amountMinor, asset, merchant } = message
    const params = { amountMinor, asset, name: merchant.name }
    deps.alerts.add({ customerId: taken.card.customerId, kind: 'card_payment', params })
  }
  return taken.answered
}

/** `id`: of the same payment where the bank had declined it. */
type Approval = { advice: Question; card: Card; id: string | null; now: Date }

async function approve(deps: AdviseDeps, trx: Trx, { advice: { message }, card, id, now }: Approval): Promise<void> {
  const rowId = id ?? randomUUIDv7()
  const row = rowOf(deps, message, { card, at: now })
  const operation = (amountMinor: number, moves: Leg[]): Operation => ({
    ...derived('card-scheme', rowId, 'advise'),
    kind: 'card.advise',
    fingerprint: fingerprintOf('card.advise', message.authorisationId),
    bookedAt: now,
    legs: [
      ...moves,
      {
        kind: 'hold',
        debit: card.accountId,
        credit: bankAccount('card_scheme'),
        amountMinor,
        detail: paymentDetail(card, row),
        expiresAt: row.expires_at,
      },
    ],
  })
  const spent = { card, merchant: row.merchant, amountMinor: message.amountMinor }
  const heldMinor = await holdWhatThereIs(deps, trx, spent, operation)
  const held = {
    status: 'held' as const,
    reason: null,
    advised: true,
    open_minor: message.amountMinor,
    held_minor: heldMinor,
    hold_id: heldMinor > 0 ? operation(heldMinor, []).id : null,
  }
  if (id) {
    // Authorised now, by the scheme: the days it is held for and the month it counts to begin here, not when it was declined.
    const { authorised_at, expires_at } = row
    await trx
      .updateTable('bank.card_authorisation')
      .set({ ...held, authorised_at, expires_at })
      .where('id', '=', id)
      .execute()
  } else {
    const digest = paymentDigest(deps, message)
    await trx
      .insertInto('bank.card_authorisation')
      .values({ ...row, ...held, id: rowId, digest })
      .execute()
  }
  const isUsed = card.kind === 'single_use' && !card.usedAt
  const use = { cardId: card.id, amountMinor: message.amountMinor, at: now }
  await runAll(trx, [...usesCounted([use]), ...cardsUsed(isUsed ? [card.id] : [], now)])
}

/** Holds the amount, or as much of it as there is anywhere: it was spent, and the shop will ask for it. Answers how much. */
async function holdWhatThereIs(
  deps: OwedDeps,
  trx: Trx,
  { card, merchant, amountMinor }: { card: Card; merchant: string; amountMinor: number },
  operation: (amountMinor: number, moves: Leg[]) => Operation,
): Promise<number> {
  const bankAccounts = [bankAccount('card_scheme')]
  const purse = await openSettledPurse(deps, trx, { customerId: card.customerId, bankAccounts })
  const { legs, coveredMinor } = purse
    ? cover(purse, { card, payment: { merchant } }, amountMinor)
    : { legs: [], coveredMinor: 0 }
  if (coveredMinor > 0) await deps.ledger.postWithin(runIn(trx), [operation(coveredMinor, legs)])
  return coveredMinor
}

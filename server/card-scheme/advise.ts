import { randomUUIDv7 } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import {
  answerBefore,
  answerFor,
  type AuthoriseDeps,
  changeOf,
  heldBy,
  type Question,
} from '#server/card-scheme/authorise.ts'
import { cover } from '#server/card-scheme/booking.ts'
import { type CardChange, stateOf } from '#server/card-scheme/changes.ts'
import type { Facts } from '#server/card-scheme/facts.ts'
import type { Answered } from '#server/card-scheme/messages.ts'
import { holdLeg, rowOf } from '#server/card-scheme/payment.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Apart, Outcome, Ride } from '#server/ledger/types.ts'
import { bookedOrThrow } from '#server/ledger/with-rows.ts'
import { openSettledPurse, type OwedDeps } from '#server/owed/taking.ts'

/**
 * Takes note of a payment that the scheme approved in the bank's absence, whatever the card may do: as much as the customer
 * has anywhere is held, for it was spent, and the shop will ask for it. Throws Refusal `not_found` where the bank has no such card.
 */
export function advise(
  deps: AuthoriseDeps & OwedDeps,
  facts: Facts,
  advice: Question,
): Ride<CardChange, Answered> | Apart<CardChange, Answered> {
  const repeated = answerBefore(deps, facts, advice)
  if (repeated) return { end: () => repeated }
  const { message } = advice
  const card = facts.cardsByNumber.get(message.card.number)
  if (!card) throw new Refusal('not_found', 'card.number')
  const earlier = facts.payments.get(message.authorisationId)
  const row = { ...rowOf(deps, message, { card, at: facts.now }), id: earlier?.id ?? randomUUIDv7() }
  const named = derived('card-scheme', row.id, 'advise')
  return {
    async apart(trx) {
      const asked = { customerId: card.customerId, bankAccounts: [bankAccount('card_scheme')] }
      const purse = await openSettledPurse(deps, trx, asked)
      const { legs, coveredMinor: amountMinor } = cover(purse, { card, payment: row }, message.amountMinor)
      const hold = { id: named.id, amountMinor }
      const approved = changeOf(deps, facts, { message, row, card, reason: null, hold })
      const { authorised: _, ...beside } = approved
      // One that the bank had declined: the days it is held for and the month it counts to begin now.
      const { amount_minor: open_minor, authorised_at, expires_at } = row
      const begun = { status: 'held' as const, reason: null, advised: true, open_minor, authorised_at, expires_at }
      const answer = answerFor(message, null)
      const change = {
        kept: { received: advice, answered: answer },
        ...(earlier ? { ...beside, payment: { ...stateOf(earlier), ...begun, ...heldBy(hold) } } : approved),
      }
      if (amountMinor === 0) return { end: () => ({ answer, change }) }
      return {
        operation: {
          ...named,
          kind: 'card.advise',
          fingerprint: fingerprintOf('card.advise', message.authorisationId),
          bookedAt: facts.now,
          legs: [...legs, holdLeg(card, row, amountMinor)],
        },
        end(outcome: Outcome | undefined) {
          bookedOrThrow(outcome)
          return { answer, change }
        },
      }
    },
  }
}

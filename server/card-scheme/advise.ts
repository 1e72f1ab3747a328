import { randomUUIDv7 } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import {
  earlierAnswer,
  authorizationAnswer,
  type AuthorizeDeps,
  changeOf,
  holdColumns,
  type AuthorizationMessage,
} from '#server/card-scheme/authorize.ts'
import { coverAmount } from '#server/card-scheme/booking.ts'
import { type CardChange, paymentStateOf } from '#server/card-scheme/row-changes.ts'
import type { DecisionContext } from '#server/card-scheme/decision-context.ts'
import type { MessageAnswer } from '#server/card-scheme/messages.ts'
import { holdLeg, paymentColumns } from '#server/card-scheme/payment.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { SeparateRequest, PostingOutcome, RequestDecision } from '#server/ledger/types.ts'
import { bookedOrThrow } from '#server/ledger/post-with-rows.ts'
import { lockFundsAfterCollecting, type OwedDeps } from '#server/owed/take-or-owe.ts'

/**
 * Records a payment that the scheme approved while the bank was unreachable, even if the card may not pay. The money is already
 * spent, and the shop will capture it. The bank therefore holds the customer's money up to the amount. Throws Refusal
 * `not_found` if the bank has no such card.
 */
export function advise(
  deps: AuthorizeDeps & OwedDeps,
  facts: DecisionContext,
  advice: AuthorizationMessage,
): RequestDecision<CardChange, MessageAnswer> | SeparateRequest<CardChange, MessageAnswer> {
  const repeated = earlierAnswer(deps, facts, advice)
  if (repeated) return { end: () => repeated }
  const { message } = advice
  const card = facts.cardsByNumber.get(message.card.number)
  if (!card) throw new Refusal('not_found', 'card.number')
  const earlierPayment = facts.payments.get(message.authorisationId)
  const row = { ...paymentColumns(deps, message, { card, at: facts.now }), id: earlierPayment?.id ?? randomUUIDv7() }
  const holdIdentity = derivedIdentity('card-scheme', row.id, 'advise')
  return {
    async apart(trx) {
      const request = { customerId: card.customerId, bankAccounts: [bankAccount('card_scheme')] }
      const purse = await lockFundsAfterCollecting(deps, trx, request)
      const { legs, coveredMinor: amountMinor } = coverAmount(purse, { card, payment: row }, message.amountMinor)
      const hold = { id: holdIdentity.id, amountMinor }
      const approved = changeOf(deps, facts, { message, row, card, reason: null, hold })
      const { authorised: _, ...beside } = approved
      // If the bank had declined this payment before, its holding time and its calendar month begin now.
      const { amount_minor: open_minor, authorised_at, expires_at } = row
      const authorization = {
        status: 'held' as const,
        reason: null,
        advised: true,
        open_minor,
        authorised_at,
        expires_at,
      }
      const answer = authorizationAnswer(message, null)
      const change = {
        answeredMessage: { received: advice, answered: answer },
        ...(earlierPayment
          ? { ...beside, payment: { ...paymentStateOf(earlierPayment), ...authorization, ...holdColumns(hold) } }
          : approved),
      }
      if (amountMinor === 0) return { end: () => ({ answer, change }) }
      return {
        operation: {
          ...holdIdentity,
          kind: 'card.advise',
          fingerprint: fingerprintOf('card.advise', message.authorisationId),
          bookedAt: facts.now,
          legs: [...legs, holdLeg(card, row, amountMinor)],
        },
        end(outcome: PostingOutcome | undefined) {
          bookedOrThrow(outcome)
          return { answer, change }
        },
      }
    },
  }
}

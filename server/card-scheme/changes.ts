import type { Insertable } from 'kysely'
import { cardsUsed, type CardUse, usesCounted } from '#server/cards/use.ts'
import { type AnsweredMessage, messagesKept } from '#server/card-scheme/messages.ts'
import type { AuthorisationRow } from '#server/card-scheme/payment.ts'
import type { CardPoints } from '#server/card-scheme/points.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { insertRows, type Statement, updateRows } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'

/** How a payment stands after a message. */
type PaymentState = Pick<
  AuthorisationRow,
  'id' | 'status' | 'open_minor' | 'held_minor' | 'hold_id' | 'captured_minor' | 'refunded_minor' | 'lost_minor'
> &
  Partial<Pick<AuthorisationRow, 'reason' | 'advised' | 'authorised_at' | 'expires_at'>>

/** What a message of the card scheme changes in the bank's rows. */
export type CardChange = {
  /** The message itself, unless it was known. */
  kept?: AnsweredMessage
  authorised?: Insertable<Database['bank.card_authorisation']>
  payment?: PaymentState
  captured?: Insertable<Database['bank.card_capture']>
  use?: CardUse
  guesses?: Insertable<Database['bank.card_guess']>
  /** A single-use card that has paid. */
  usedCardId?: string
  /** The points of a payment are given once it is committed (points.ts). */
  earns?: CardPoints
  /** What else follows a moment later. */
  jobs?: Statement[]
  /** A message to the customer inside the app. */
  notice?: NewNotice
}

/** What a message about a payment changes that was approved. */
export type PaymentChange = CardChange & { payment: PaymentState }

/** The statements that write changes. Their number does not grow with that of the changes; only each job has a statement of its own. */
export function changesWritten(deps: Pick<Deps, 'clock'>, changes: readonly CardChange[]): Statement[] {
  const all = <Part>(partOf: (change: CardChange) => Part | undefined): Part[] =>
    changes.flatMap((change) => partOf(change) ?? [])
  return [
    ...insertRows(
      'bank.card_authorisation',
      all(({ authorised }) => authorised),
    ),
    ...usesCounted(all(({ use }) => use)),
    ...insertRows(
      'bank.card_guess',
      all(({ guesses }) => guesses),
      { replace: ['card_id'] },
    ),
    ...cardsUsed(
      all(({ usedCardId }) => usedCardId),
      deps.clock.businessNow(),
    ),
    ...updateRows(
      'bank.card_authorisation',
      all(({ payment }) => payment),
    ),
    ...insertRows(
      'bank.card_capture',
      all(({ captured }) => captured),
    ),
    ...messagesKept(
      deps,
      all(({ kept }) => kept),
    ),
    ...changes.flatMap(({ jobs = [] }) => jobs),
  ]
}

/** The state of a payment, to be changed. */
export function stateOf(payment: AuthorisationRow): PaymentState {
  const { id, status, open_minor, held_minor, hold_id, captured_minor, refunded_minor, lost_minor } = payment
  return { id, status, open_minor, held_minor, hold_id, captured_minor, refunded_minor, lost_minor }
}

/** Has told what follows from changes that are committed, and what may be lost with the server that did. */
export function changesCommitted(
  { alerts, paymentPoints }: Pick<Deps, 'alerts' | 'paymentPoints'>,
  changes: readonly CardChange[],
): void {
  for (const { notice, earns } of changes) {
    if (notice) alerts.add(notice)
    if (earns) paymentPoints.add(earns)
  }
}

import type { Insertable } from 'kysely'
import { markCardsUsed, type CardUse, addUsesToMonths } from '#server/cards/card-usage.ts'
import { type AnsweredMessage, insertAnswers } from '#server/card-scheme/messages.ts'
import type { AuthorizationRow } from '#server/card-scheme/payment.ts'
import type { CardPoints } from '#server/card-scheme/points.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { insertRows, type SqlStatement, updateRows } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The state of a payment after a message. */
type PaymentState = Pick<
  AuthorizationRow,
  'id' | 'status' | 'open_minor' | 'held_minor' | 'hold_id' | 'captured_minor' | 'refunded_minor' | 'lost_minor'
> &
  Partial<Pick<AuthorizationRow, 'reason' | 'advised' | 'authorised_at' | 'expires_at'>>

/** The changes that one message of the card scheme makes in the bank's rows. */
export type CardChange = {
  /** The message with its answer; left out if it is stored already. */
  answeredMessage?: AnsweredMessage
  authorised?: Insertable<Database['bank.card_authorisation']>
  payment?: PaymentState
  captured?: Insertable<Database['bank.card_capture']>
  use?: CardUse
  guesses?: Insertable<Database['bank.card_guess']>
  /** The id of a single-use card that has paid. */
  usedCardId?: string
  /** The points that the payment earns. They are credited after the commit (points.ts). */
  earns?: CardPoints
  /** The statements that enqueue jobs, which run soon after the commit. */
  jobs?: SqlStatement[]
  /** A notice to the customer inside the app. */
  notice?: NewNotice
}

/** The changes of a message about an approved payment. */
export type PaymentChange = CardChange & { payment: PaymentState }

/**
 * Returns the statements that write changes. Each job has its own statement. The number of the other statements does not grow
 * with the number of changes.
 */
export function changeStatements(deps: Pick<Deps, 'clock'>, changes: readonly CardChange[]): SqlStatement[] {
  const collectParts = <Part>(partOf: (change: CardChange) => Part | undefined): Part[] =>
    changes.flatMap((change) => partOf(change) ?? [])
  return [
    ...insertRows(
      'bank.card_authorisation',
      collectParts(({ authorised }) => authorised),
    ),
    ...addUsesToMonths(collectParts(({ use }) => use)),
    ...insertRows(
      'bank.card_guess',
      collectParts(({ guesses }) => guesses),
      { replace: ['card_id'] },
    ),
    ...markCardsUsed(
      collectParts(({ usedCardId }) => usedCardId),
      deps.clock.businessNow(),
    ),
    ...updateRows(
      'bank.card_authorisation',
      collectParts(({ payment }) => payment),
    ),
    ...insertRows(
      'bank.card_capture',
      collectParts(({ captured }) => captured),
    ),
    ...insertAnswers(
      deps,
      collectParts(({ answeredMessage }) => answeredMessage),
    ),
    ...changes.flatMap(({ jobs = [] }) => jobs),
  ]
}

/** Returns the state of a payment as a copy to change. */
export function paymentStateOf(payment: AuthorizationRow): PaymentState {
  const { id, status, open_minor, held_minor, hold_id, captured_minor, refunded_minor, lost_minor } = payment
  return { id, status, open_minor, held_minor, hold_id, captured_minor, refunded_minor, lost_minor }
}

/** Announces committed changes and credits their points. This work may be lost if the server stops. */
export function announceChanges(
  { alerts, paymentPoints }: Pick<Deps, 'alerts' | 'paymentPoints'>,
  changes: readonly CardChange[],
): void {
  for (const { notice, earns } of changes) {
    if (notice) alerts.add(notice)
    if (earns) paymentPoints.add(earns)
  }
}

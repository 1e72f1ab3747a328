import type { Transaction } from 'kysely'
import type { CardAnswer, CardMessage, PaymentMessage } from '#contract/card-scheme.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { insertRows, type Statement } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'
import { keyedDigest, keyedDigests } from '#server/platform/secrets/derived-key.ts'

/** For how long a message is known again, in milliseconds of real time. */
const KEPT_MS = KEPT_FOR['bank.card_message'].ms

/** How a message was answered: with what the scheme asked, or that the bank does not do it. */
export type Answered = { answer: CardAnswer } | { refused: { code: ErrorCode; field?: string } }

/** A message, and what tells whether another one under its name is the same. */
export type Received<Message extends CardMessage = CardMessage> = {
  message: Message
  digest: Buffer
  /** Whether this is what another one under its name had said. */
  isOf(known: Buffer): boolean
}

export function received<Message extends CardMessage>(
  { config }: Pick<Deps, 'config'>,
  message: Message,
): Received<Message> {
  const text = JSON.stringify(message)
  const digest = keyedDigest(config, KIND, text)
  // Under an earlier secret it is looked for only where it is not the same under this one.
  return { message, digest, isOf: (known) => known.equals(digest) || isAmong(known, keyedDigests(config, KIND, text)) }
}

const KIND = 'card message'
const isAmong = (known: Buffer, digests: readonly Buffer[]) => digests.some((digest) => digest.equals(known))
const textOf = ({ card, entry, merchant, amountMinor, asset }: PaymentMessage) =>
  JSON.stringify({ card, entry, merchant, amountMinor, asset })

/** What tells whether another payment under the same name is the same: all of it but the message around it. */
export function paymentDigest({ config }: Pick<Deps, 'config'>, message: PaymentMessage): Buffer {
  return keyedDigest(config, KIND, textOf(message))
}

/** Whether a payment was the same as one whose digest was kept. */
export function isSamePayment({ config }: Pick<Deps, 'config'>, message: PaymentMessage, known: Buffer): boolean {
  return isAmong(known, keyedDigests(config, KIND, textOf(message)))
}

const REUSED: Answered = { refused: { code: 'message_id_reused', field: 'messageId' } }

type Known = { digest: Buffer; answer: unknown }

/** The messages among these that were answered before. */
export async function knownMessages(trx: Transaction<Database>, ids: string[]): Promise<ReadonlyMap<string, Known>> {
  const rows = await trx
    .selectFrom('bank.card_message')
    .select(['id', 'digest', 'answer'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** What a message is answered that comes again: the same, or that its name is another's. */
export function answeredAgain({ isOf }: Received, known: Known): Answered {
  return isOf(known.digest) ? (known.answer as Answered) : REUSED
}

/** A message with what it was answered. */
export type AnsweredMessage = { received: Received; answered: Answered }

/** The statement that keeps what messages were answered. One that is known already stays as it is. */
export function messagesKept({ clock }: Pick<Deps, 'clock'>, answers: readonly AnsweredMessage[]): Statement[] {
  return insertRows(
    'bank.card_message',
    answers.map(({ received: { message, digest }, answered }) => ({
      id: message.messageId,
      digest,
      answer: answered,
      received_at: clock.realNow(),
    })),
  )
}

/** Forgets old messages. Their payments stay, and none of them is made twice. */
export const purgeMessagesJob = defineRecurringJob({
  name: 'card_scheme.purge_messages',
  everyMinutes: 60,
  work: async ({ db, clock }) => {
    const before = new Date(clock.realNow().getTime() - KEPT_MS)
    await db.deleteFrom('bank.card_message').where('received_at', '<', before).execute()
  },
})

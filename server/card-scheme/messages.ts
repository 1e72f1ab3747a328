import type { Transaction } from 'kysely'
import type { CardAnswer, CardMessage, PaymentMessage } from '#contract/card-scheme.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { insertRows, type SqlStatement } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'
import { keyedDigest, keyedDigests } from '#server/platform/secrets/derived-key.ts'

/** The time for which a message and its answer are stored, in milliseconds of real time. */
const KEPT_MS = KEPT_FOR['bank.card_message'].ms

/** The bank's answer to a message: an answer in the scheme's form, or a refusal. */
export type MessageAnswer = { answer: CardAnswer } | { refused: { code: ErrorCode; field?: string } }

/** A received message with its digest, which serves to detect a different message with the same id. */
export type ReceivedMessage<Message extends CardMessage = CardMessage> = {
  message: Message
  digest: Buffer
  /** Whether this message equals an earlier message with the stored digest. */
  isOf(storedDigest: Buffer): boolean
}

export function receiveCardMessage<Message extends CardMessage>(
  { config }: Pick<Deps, 'config'>,
  message: Message,
): ReceivedMessage<Message> {
  const text = JSON.stringify(message)
  const digest = keyedDigest(config, KIND, text)
  // Digests with earlier secrets are only computed if the digest with the current secret differs.
  return {
    message,
    digest,
    isOf: (storedDigest) => storedDigest.equals(digest) || isAmong(storedDigest, keyedDigests(config, KIND, text)),
  }
}

const KIND = 'card message'
const isAmong = (storedDigest: Buffer, digests: readonly Buffer[]) =>
  digests.some((digest) => digest.equals(storedDigest))
const textOf = ({ card, entry, merchant, amountMinor, asset }: PaymentMessage) =>
  JSON.stringify({ card, entry, merchant, amountMinor, asset })

/** Returns the digest of a payment without its ids. It serves to detect a different payment with the same id. */
export function paymentDigest({ config }: Pick<Deps, 'config'>, message: PaymentMessage): Buffer {
  return keyedDigest(config, KIND, textOf(message))
}

/** Whether a payment equals the one with the stored digest. */
export function isSamePayment(
  { config }: Pick<Deps, 'config'>,
  message: PaymentMessage,
  storedDigest: Buffer,
): boolean {
  return isAmong(storedDigest, keyedDigests(config, KIND, textOf(message)))
}

const REUSED: MessageAnswer = { refused: { code: 'message_id_reused', field: 'messageId' } }

type CheckedMessage = { digest: Buffer; answer: unknown }

/** Returns the stored answers to these messages. */
export async function findStoredAnswers(
  trx: Transaction<Database>,
  ids: string[],
): Promise<ReadonlyMap<string, CheckedMessage>> {
  const rows = await trx
    .selectFrom('bank.card_message')
    .select(['id', 'digest', 'answer'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the answer to a repeated message: the stored one, or a refusal if another message used the id. */
export function repeatedAnswer({ isOf }: ReceivedMessage, result: CheckedMessage): MessageAnswer {
  return isOf(result.digest) ? (result.answer as MessageAnswer) : REUSED
}

/** A message with its answer. */
export type AnsweredMessage = { received: ReceivedMessage; answered: MessageAnswer }

/** Returns the statement that stores the answers to messages. A stored answer stays unchanged. */
export function insertAnswers({ clock }: Pick<Deps, 'clock'>, answers: readonly AnsweredMessage[]): SqlStatement[] {
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

/** Deletes old messages. Their payments stay, and the ledger still prevents a second booking of the same message. */
export const purgeMessagesJob = defineRecurringJob({
  name: 'card_scheme.purge_messages',
  everyMinutes: 60,
  work: async ({ db, clock }) => {
    const before = new Date(clock.realNow().getTime() - KEPT_MS)
    await db.deleteFrom('bank.card_message').where('received_at', '<', before).execute()
  },
})

import type { CardAnswer, CardMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { receiveCardMessage } from '#server/card-scheme/messages.ts'
import type { Deps } from '#server/platform/deps.ts'

export type SchemeDeps = Pick<Deps, 'config' | 'cardMessages' | 'concurrencyLimits'>

/**
 * Processes a message of the card scheme once; a repeated message gets the same answer. Throws Refusal `message_id_reused` for
 * a different message with the same id, `too_many_requests` if too many messages about one card or payment wait, `unavailable`
 * under heavy load, and the refusals of `advise` and `clearMessage`. `isWanted` returns whether the scheme still waits for the
 * answer.
 */
export async function receiveMessage(
  deps: SchemeDeps,
  message: CardMessage,
  isWanted?: () => boolean,
): Promise<CardAnswer> {
  const { cardMessages, concurrencyLimits: shares } = deps
  const received = receiveCardMessage(deps, message)
  const result = await (message.type === 'authorise'
    ? shares.cardQuestions(
        message.card.number,
        () => {
          // A person is waiting at a till, so the server's reads run one at a time until the answer is ready.
          const resume = shares.reads.stepBack()
          return cardMessages(received).finally(resume)
        },
        isWanted,
      )
    : shares.cardClearings(message.authorisationId, () => cardMessages(received), isWanted))
  if ('answer' in result) return result.answer
  throw new Refusal(result.refused.code, result.refused.field)
}

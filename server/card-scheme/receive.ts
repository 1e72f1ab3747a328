import type { CardAnswer, CardMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { received } from '#server/card-scheme/messages.ts'
import type { Deps } from '#server/platform/deps.ts'

export type SchemeDeps = Pick<Deps, 'config' | 'cardMessages' | 'shares'>

/**
 * Does what a message of the card scheme says, once: the same message again is answered the same. Throws Refusal
 * `message_id_reused` for another one under its name, `unavailable` where too many wait, and what advise and clear refuse.
 * `isWanted` says whether the scheme still waits.
 */
export async function receiveMessage(
  deps: SchemeDeps,
  message: CardMessage,
  isWanted?: () => boolean,
): Promise<CardAnswer> {
  const { cardMessages, shares } = deps
  const told = received(deps, message)
  const answered = await (message.type === 'authorise'
    ? shares.cardQuestions(
        message.card.number,
        () => {
          // Somebody stands at a till meanwhile.
          const goOn = shares.reads.stepBack()
          return cardMessages(told).finally(goOn)
        },
        isWanted,
      )
    : shares.cardClearings(message.authorisationId, () => cardMessages(told), isWanted))
  if ('answer' in answered) return answered.answer
  throw new Refusal(answered.refused.code, answered.refused.field)
}

import type { CardAnswer, CardMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { takeAdvice } from '#server/card-scheme/advise.ts'
import type { AuthoriseDeps } from '#server/card-scheme/authorise.ts'
import { ALONE, clearAlone, type ClearingDeps } from '#server/card-scheme/clearing.ts'
import { type Answered, type Received, received } from '#server/card-scheme/messages.ts'
import { isUniqueViolation } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

export type SchemeDeps = AuthoriseDeps & ClearingDeps & Pick<Deps, 'cardMessages' | 'shares'>

/**
 * Does what a message of the card scheme says, once: the same message again is answered the same. Throws Refusal
 * `message_id_reused` for another one under its name, `unavailable` where too many wait, and what takeAdvice and clear
 * refuse. `isWanted` says whether the scheme still waits.
 */
export async function receiveMessage(
  deps: SchemeDeps,
  message: CardMessage,
  isWanted?: () => boolean,
): Promise<CardAnswer> {
  const answered = await dispatch(deps, received(deps, message), isWanted)
  if ('answer' in answered) return answered.answer
  throw new Refusal(answered.refused.code, answered.refused.field)
}

async function dispatch(deps: SchemeDeps, { message, digest }: Received, isWanted?: () => boolean): Promise<Answered> {
  const { cardMessages, shares } = deps
  const { authorisationId } = message
  /** With a connection of its own: a few at a time. */
  const alone = (work: () => Promise<Answered>) =>
    shares.cardsAlone(authorisationId, () => work().catch((error: unknown) => retriedTwin(error, work)), isWanted)
  switch (message.type) {
    case 'authorise':
      return shares.cardQuestions(
        message.card.number,
        async () => {
          // Somebody stands at a till meanwhile.
          const goOn = shares.reads.stepBack()
          const answered = await cardMessages({ message, digest }).finally(goOn)
          if (answered === ALONE) throw new Error('A question needs nothing but its batch')
          return answered
        },
        isWanted,
      )
    case 'advise':
      return alone(() => takeAdvice(deps, { message, digest }))
    case 'capture':
    case 'reverse':
    case 'refund':
    case 'expire': {
      const answered = await shares.cardClearings(authorisationId, () => cardMessages({ message, digest }), isWanted)
      return answered === ALONE ? alone(() => clearAlone(deps, { message, digest })) : answered
    }
  }
}

/** The same name was taken in the same instant: now it is found. */
async function retriedTwin(error: unknown, work: () => Promise<Answered>): Promise<Answered> {
  if (isUniqueViolation(error)) return work()
  throw error
}

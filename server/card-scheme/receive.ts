import type { CardAnswer, CardMessage } from '#contract/card-scheme.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { takeAdvice } from '#server/card-scheme/advise.ts'
import type { AuthoriseDeps } from '#server/card-scheme/authorise.ts'
import { clear, type ClearingDeps } from '#server/card-scheme/clearing.ts'
import { type Answered, keepMessages, type Received, received } from '#server/card-scheme/messages.ts'
import { isUniqueViolation } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

export type SchemeDeps = AuthoriseDeps & ClearingDeps & Pick<Deps, 'cardQuestions'>

/** Refusals that are decisions about a payment: the same message is refused again whatever became of it since. */
const DECISIONS: ReadonlySet<ErrorCode> = new Set(['hold_not_open', 'hold_amount_exceeded', 'refund_too_large'])

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
  const taken = received(deps, message)
  const answered = await answerOnce(deps, taken, isWanted)
  if ('answer' in answered) return answered.answer
  throw new Refusal(answered.refused.code, answered.refused.field)
}

async function answerOnce(deps: SchemeDeps, taken: Received, isWanted?: () => boolean): Promise<Answered> {
  try {
    return await dispatch(deps, taken, isWanted).catch((error: unknown) => {
      // The same name was taken in the same instant: now it is found.
      if (isUniqueViolation(error)) return dispatch(deps, taken, isWanted)
      throw error
    })
  } catch (error) {
    if (!(error instanceof Refusal) || !DECISIONS.has(error.code)) throw error
    const { code, field } = error
    const answered: Answered = { refused: { code, ...(field ? { field } : {}) } }
    await keepMessages(deps, deps.db, [{ received: taken, answered }]).catch((reason: unknown) => {
      if (!isUniqueViolation(reason)) throw reason
    })
    return answered
  }
}

function dispatch(deps: SchemeDeps, { message, digest }: Received, isWanted?: () => boolean): Promise<Answered> {
  const { cardQuestions } = deps
  const { authorisationId } = message
  switch (message.type) {
    case 'authorise':
      return cardQuestions.ask({ message, digest }, isWanted)
    case 'advise':
      return cardQuestions.inTurn(authorisationId, () => takeAdvice(deps, { message, digest }), isWanted)
    case 'capture':
    case 'reverse':
    case 'refund':
    case 'expire':
      return cardQuestions.inTurn(authorisationId, () => clear(deps, { message, digest }), isWanted)
  }
}

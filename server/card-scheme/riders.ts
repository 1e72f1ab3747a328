import type { ClearingMessage } from '#contract/card-scheme.ts'
import { authorise, type AuthoriseDeps, type Question } from '#server/card-scheme/authorise.ts'
import { changesCommitted, changesWritten } from '#server/card-scheme/changes.ts'
import { ALONE, clear } from '#server/card-scheme/clearing.ts'
import { isPayment, readFacts } from '#server/card-scheme/facts.ts'
import type { Answered, Received } from '#server/card-scheme/messages.ts'
import type { Riders } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'

type Asked = Question | Received<ClearingMessage>

/** Decides messages of the card scheme: the busier the bank is, the more of them share a commit. */
export type CardMessages = Riders<Asked, Answered | typeof ALONE>

declare module '#server/platform/deps.ts' {
  interface Deps {
    cardMessages: CardMessages
  }
}

export function openCardMessages(
  deps: AuthoriseDeps & Pick<Deps, 'ledger' | 'alerts' | 'paymentPoints'>,
): CardMessages {
  return deps.ledger.openRiders({
    namesOf: ({ message }: Asked) => [
      `message ${message.messageId}`,
      `payment ${message.authorisationId}`,
      ...(isPayment(message) ? [`card ${message.card.number}`] : []),
    ],
    // Somebody stands at a till.
    isFirst: ({ message }: Asked) => isPayment(message),
    read: (trx, asked) =>
      readFacts(
        deps,
        trx,
        asked.map(({ message }) => message),
      ),
    decide: (facts, { message, digest }) =>
      isPayment(message) ? authorise(deps, facts, { message, digest }) : clear(facts, { message, digest }),
    write: (changes) => changesWritten(deps, changes),
    committed: (changes) => changesCommitted(deps, changes),
  })
}

import { advise } from '#server/card-scheme/advise.ts'
import { authorise, type AuthoriseDeps } from '#server/card-scheme/authorise.ts'
import { changesCommitted, changesWritten } from '#server/card-scheme/changes.ts'
import { clear } from '#server/card-scheme/clearing.ts'
import { isPayment, readFacts } from '#server/card-scheme/facts.ts'
import type { Answered, Received } from '#server/card-scheme/messages.ts'
import type { Riders } from '#server/ledger/types.ts'
import type { OwedDeps } from '#server/owed/taking.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Decides messages of the card scheme: the busier the bank is, the more of them share a commit. */
export type CardMessages = Riders<Received, Answered>

declare module '#server/platform/deps.ts' {
  interface Deps {
    cardMessages: CardMessages
  }
}

export function openCardMessages(
  deps: AuthoriseDeps & OwedDeps & Pick<Deps, 'alerts' | 'paymentPoints'>,
): CardMessages {
  return deps.ledger.openRiders({
    namesOf: ({ message }: Received) => [
      `message ${message.messageId}`,
      `payment ${message.authorisationId}`,
      ...(isPayment(message) ? [`card ${message.card.number}`] : []),
    ],
    // Somebody stands at a till.
    isFirst: ({ message }) => isPayment(message),
    read: (trx, asked) =>
      readFacts(
        deps,
        trx,
        asked.map(({ message }) => message),
      ),
    decide(facts, { message, ...rest }) {
      if (message.type === 'authorise') return authorise(deps, facts, { message, ...rest })
      if (message.type === 'advise') return advise(deps, facts, { message, ...rest })
      return clear(deps, facts, { message, ...rest })
    },
    write: (changes) => changesWritten(deps, changes),
    committed: (changes) => changesCommitted(deps, changes),
  })
}

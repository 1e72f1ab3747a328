import { advise } from '#server/card-scheme/advise.ts'
import { authorize, type AuthorizeDeps } from '#server/card-scheme/authorize.ts'
import { announceChanges, changeStatements } from '#server/card-scheme/row-changes.ts'
import { clearMessage } from '#server/card-scheme/clearing.ts'
import { isPayment, readDecisionContext } from '#server/card-scheme/decision-context.ts'
import type { MessageAnswer, ReceivedMessage } from '#server/card-scheme/messages.ts'
import type { BatchedRequests } from '#server/ledger/types.ts'
import type { OwedDeps } from '#server/owed/take-or-owe.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Decides messages of the card scheme. Under load, more messages share a commit. */
export type CardMessages = BatchedRequests<ReceivedMessage, MessageAnswer>

declare module '#server/platform/deps.ts' {
  interface Deps {
    cardMessages: CardMessages
  }
}

export function openCardMessages(
  deps: AuthorizeDeps & OwedDeps & Pick<Deps, 'alerts' | 'paymentPoints'>,
): CardMessages {
  return deps.ledger.openBatchedRequests({
    namesOf: ({ message }: ReceivedMessage) => [
      `message ${message.messageId}`,
      `payment ${message.authorisationId}`,
      ...(isPayment(message) ? [`card ${message.card.number}`] : []),
    ],
    // Messages about new payments are decided first, because a person is waiting at a till.
    isFirst: ({ message }) => isPayment(message),
    read: (trx, requests) =>
      readDecisionContext(
        deps,
        trx,
        requests.map(({ message }) => message),
      ),
    decide(facts, { message, ...rest }) {
      if (message.type === 'authorise') return authorize(deps, facts, { message, ...rest })
      if (message.type === 'advise') return advise(deps, facts, { message, ...rest })
      return clearMessage(deps, facts, { message, ...rest })
    },
    write: (changes) => changeStatements(deps, changes),
    committed: (changes) => announceChanges(deps, changes),
  })
}

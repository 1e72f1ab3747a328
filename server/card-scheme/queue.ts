import { type AuthoriseDeps, decideQuestions, type Question } from '#server/card-scheme/authorise.ts'
import type { Answered } from '#server/card-scheme/messages.ts'
import { isUniqueViolation } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The most questions that share a SQL transaction. */
const BATCH = 64
/** Whether the scheme still waits for the answer. */
type IsWanted = () => boolean

/**
 * Where the scheme's messages wait, each within its share. They refuse with `unavailable` what would wait too long: the
 * scheme sends it again.
 */
export type CardQuestions = {
  /** Questions are decided together: the busier the bank is, the more of them share a commit. */
  ask(question: Question, isWanted?: IsWanted): Promise<Answered>
  /** What else the scheme tells of a payment is done beside the questions, a few at a time. */
  inTurn(paymentId: string, work: () => Promise<Answered>, isWanted?: IsWanted): Promise<Answered>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    cardQuestions: CardQuestions
  }
}

type Waiting = { question: Question; resolve: (answered: Answered) => void; reject: (reason: unknown) => void }

export function openCardQuestions(deps: AuthoriseDeps & Pick<Deps, 'shares'>): CardQuestions {
  const { cardQuestions, cardMessages } = deps.shares
  const queue: Waiting[] = []
  let running = false
  let scheduled = false

  /** Later in this turn, so that all who ask in the same turn share a batch. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      if (running || queue.length === 0) return
      running = true
      // Somebody stands at a till meanwhile.
      const goOn = deps.shares.reads.stepBack()
      void settle(deps, takeBatch()).finally(() => {
        running = false
        goOn()
        schedule()
      })
    })
  }

  /** What shares no card and no name. The rest keeps its order. */
  function takeBatch(): Waiting[] {
    const taken = new Set<string>()
    const batch: Waiting[] = []
    const left: Waiting[] = []
    for (const waiting of queue) {
      const names = namesOf(waiting.question)
      const isAlone = batch.length < BATCH && !names.some((name) => taken.has(name))
      for (const name of names) taken.add(name)
      if (isAlone) batch.push(waiting)
      else left.push(waiting)
    }
    queue.splice(0, queue.length, ...left)
    return batch
  }

  return {
    ask: (question, isWanted) =>
      cardQuestions(
        question.message.card.number,
        () =>
          new Promise((resolve, reject) => {
            queue.push({ question, resolve, reject })
            schedule()
          }),
        isWanted,
      ),
    inTurn: (paymentId, work, isWanted) => cardMessages(paymentId, work, isWanted),
  }
}

/** What two questions in one batch must not have in common. */
function namesOf({ message }: Question): string[] {
  return [`card ${message.card.number}`, `message ${message.messageId}`, `payment ${message.authorisationId}`]
}

/** Decides a batch; where that fails, each alone, so that none waits for another's trouble. Never rejects. */
async function settle(deps: AuthoriseDeps, batch: Waiting[], isRepeated = false): Promise<void> {
  try {
    const answers = await decideQuestions(
      deps,
      batch.map(({ question }) => question),
    )
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answered)
  } catch (error) {
    const [first, ...others] = batch
    // The same name was taken in the same instant by another server, or for another card: the next try finds it.
    const again = others.length > 0 || (isUniqueViolation(error) && !isRepeated)
    if (!again) return first?.reject(error)
    await Promise.all(batch.map((one) => settle(deps, [one], others.length === 0)))
  }
}

import pLimit from 'p-limit'
import { type AuthoriseDeps, decideQuestions, type Question } from '#server/card-scheme/authorise.ts'
import type { Answered } from '#server/card-scheme/messages.ts'
import { isUniqueViolation } from '#server/platform/db/run.ts'

/** The most questions that share a SQL transaction. */
const BATCH = 64
/** How much of what nobody waits for at a till is done at a time: more would take the questions' connections. */
const BESIDE = 3

/**
 * Where the scheme's messages wait. All of them book on the bank's own account with the scheme, so that more of them at a
 * time would only wait for its lock.
 */
export type CardQuestions = {
  /** Questions are decided together: the busier the bank is, the more of them share a commit. */
  ask(question: Question): Promise<Answered>
  /** What else the scheme tells is done beside the questions, a few at a time. */
  inTurn(work: () => Promise<Answered>): Promise<Answered>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    cardQuestions: CardQuestions
  }
}

type Waiting = { question: Question; resolve: (answered: Answered) => void; reject: (reason: unknown) => void }

export function openCardQuestions(deps: AuthoriseDeps): CardQuestions {
  const queue: Waiting[] = []
  let running = false
  const turn = pLimit(BESIDE)
  let scheduled = false

  /** Later in this turn, so that all who ask in the same turn share a batch. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      if (running || queue.length === 0) return
      running = true
      void settle(deps, takeBatch()).finally(() => {
        running = false
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
    ask: (question) =>
      new Promise((resolve, reject) => {
        queue.push({ question, resolve, reject })
        schedule()
      }),
    inTurn: (work) => turn(work),
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

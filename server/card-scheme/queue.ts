import { type AuthoriseDeps, decideQuestions, type Question } from '#server/card-scheme/authorise.ts'
import type { Answered } from '#server/card-scheme/messages.ts'
import { isUniqueViolation } from '#server/platform/db/run.ts'

/** The most questions that share a SQL transaction. */
const BATCH = 64
/** How many are decided at a time: one batch commits while another is decided. */
const LANES = 2

/** Where shops' questions wait to be decided together, so that the busier the bank is, the more of them share a commit. */
export type CardQuestions = { ask(question: Question): Promise<Answered> }

declare module '#server/platform/deps.ts' {
  interface Deps {
    cardQuestions: CardQuestions
  }
}

type Waiting = { question: Question; resolve: (answered: Answered) => void; reject: (reason: unknown) => void }

export function openCardQuestions(deps: AuthoriseDeps): CardQuestions {
  const queue: Waiting[] = []
  /** The cards and names of what is being decided: each is in one batch at a time. */
  const busy = new Set<string>()
  let running = 0
  let scheduled = false

  /** Later in this turn, so that all who ask in the same turn share a batch. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (running < LANES) {
        const batch = takeBatch()
        if (batch.length === 0) return
        running += 1
        void settle(deps, batch).finally(() => {
          running -= 1
          for (const { question } of batch) for (const name of namesOf(question)) busy.delete(name)
          if (queue.length > 0) schedule()
        })
      }
    })
  }

  function takeBatch(): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    for (const waiting of queue) {
      const names = namesOf(waiting.question)
      if (batch.length < BATCH && !names.some((name) => busy.has(name))) {
        batch.push(waiting)
        for (const name of names) busy.add(name)
      } else left.push(waiting)
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

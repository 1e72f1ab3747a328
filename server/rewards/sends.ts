import type { Deps } from '#server/platform/deps.ts'
import { countedOn, type PointsCause } from '#server/rewards/causes.ts'
import { earnPoints, isEnough } from '#server/rewards/earning.ts'

/** How long a send waits to earn its points with those that follow, in milliseconds. */
const GATHER_MS = 250
/** The most that earn in one SQL transaction. */
const BATCH = 200
/** The most that wait. What is left out earns when the sweep finds it. */
const MOST_WAITING = 50_000
/** How many sends a server remembers of the day, by who paid whom, so that it need not ask again whether they earn. */
const MOST_REMEMBERED = 50_000

type Send = Extract<PointsCause, { kind: 'send' }>

type SendDeps = Parameters<typeof earnPoints>[0] & Pick<Deps, 'log'>

/** Sends that earn points a moment after their commit, together, so that no send waits for them. */
export type SentPoints = {
  add(send: Send): void
  /** Gives what waits, after what is being given. */
  flush(): Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    sentPoints: SentPoints
  }
}

/** A server that dies before it has given them leaves them to the sweep of another, or its own next start. */
export function openSentPoints(deps: SendDeps): SentPoints {
  const asked = rememberPairs()
  const waiting: Send[] = []
  let timer: NodeJS.Timeout | null = null
  let giving = Promise.resolve()
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    giving = giving.then(async () => {
      while (waiting.length > 0) await giveAll(deps, waiting.splice(0, BATCH))
    })
    return giving
  }
  const add = (send: Send) => {
    if (!isEnough(send) || waiting.length >= MOST_WAITING || asked(send)) return
    waiting.push(send)
    timer ??= setTimeout(() => void flush(), GATHER_MS).unref()
  }
  return { add, flush }
}

/** Whether the one has paid the other before on that day: a pair earns once, so asking again would be in vain. */
function rememberPairs(): (send: Send) => boolean {
  const pairs = new Set<string>()
  let today = ''
  return (send) => {
    const day = countedOn(send)
    if (day !== today || pairs.size >= MOST_REMEMBERED) pairs.clear()
    today = day
    const pair = `${send.customerId} ${send.recipientId}`
    if (pairs.has(pair)) return true
    pairs.add(pair)
    return false
  }
}

async function giveAll(deps: SendDeps, sends: readonly Send[]): Promise<void> {
  try {
    await earnPoints(deps, sends)
  } catch (error) {
    if (sends.length === 1) {
      deps.log.warn({ err: error, operationId: sends[0]?.causeId }, 'a send earned no points yet')
      return
    }
    // One that cannot be given points, because somebody closes at this moment, must not keep the others.
    for (const send of sends) await giveAll(deps, [send])
  }
}

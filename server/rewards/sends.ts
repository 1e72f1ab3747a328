import type { Deps } from '#server/platform/deps.ts'
import { countedOn, type PointsCause } from '#server/rewards/causes.ts'
import { openWriteLater, type WriteLater } from '#server/platform/db/write-later.ts'
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
export type SentPoints = WriteLater<Send>

declare module '#server/platform/deps.ts' {
  interface Deps {
    sentPoints: SentPoints
  }
}

/** A server that dies before it has given them leaves them to the sweep of another, or its own next start. */
export function openSentPoints(deps: SendDeps): SentPoints {
  const asked = rememberPairs()
  const points = openWriteLater<Send>({
    gatherMs: GATHER_MS,
    batch: BATCH,
    most: MOST_WAITING,
    write: (sends) => earnPoints(deps, sends),
    // Such as one by somebody who closes at this moment.
    onLost: (error, { causeId }) => deps.log.warn({ err: error, operationId: causeId }, 'a send earned no points yet'),
  })
  const add = (send: Send) => {
    if (isEnough(send) && !asked(send)) points.add(send)
  }
  return { ...points, add }
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

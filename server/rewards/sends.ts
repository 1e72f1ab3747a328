import type { Deps } from '#server/platform/deps.ts'
import { countedOn, type PointsCause } from '#server/rewards/causes.ts'
import { gather, type Gathered } from '#server/platform/gather.ts'
import { earnPoints, isEnough } from '#server/rewards/earning.ts'

/** How many sends a server remembers of the day, by who paid whom, so that it need not ask again whether they earn. */
const MOST_REMEMBERED = 50_000

type Send = Extract<PointsCause, { kind: 'send' }>

export type SendDeps = Parameters<typeof earnPoints>[0] & Pick<Deps, 'log'>

/** Sends that earn points a moment after their commit, together, so that no send waits for them. */
export type SentPoints = Gathered<Send>

declare module '#server/platform/deps.ts' {
  interface Deps {
    sentPoints: SentPoints
  }
}

/** A server that dies before it has given them leaves them to the sweep of another, or its own next start. */
export function openSentPoints(deps: SendDeps): SentPoints {
  const asked = rememberPairs()
  const points = gather<Send>({
    waitMs: 250,
    batch: 200,
    // What is left out earns when the sweep finds it.
    most: 50_000,
    write: (sends) => earnPoints(deps, sends),
    // Such as one by somebody who closes at this moment.
    onError: (error, { causeId }) => deps.log.warn({ err: error, operationId: causeId }, 'a send earned no points yet'),
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

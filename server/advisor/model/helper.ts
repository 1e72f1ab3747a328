import type { Prompt } from '#server/advisor/model/model.ts'
import { NotUsable, selectBy } from '#server/advisor/model/model.ts'
import type { Selection } from '#server/advisor/questions/selection.ts'
import { countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Deps } from '#server/platform/deps.ts'

declare module '#server/platform/deps.ts' {
  interface Deps {
    advisor: Helper
  }
}

/** The questions that a model is reading for this server. */
export type Helper = {
  /** One for each of them, with its customer. */
  slots: Set<{ customerId: string }>
  stopping: AbortController
  /** The customers for whom it has failed in a row, and until when it is not asked again, real time in milliseconds. */
  failures: readonly string[]
  restsUntil: number
}

export type HelperDeps = Pick<Deps, 'config' | 'clock' | 'log' | 'limiters' | 'advisor'>

export const openHelper = (): Helper => ({
  slots: new Set(),
  stopping: new AbortController(),
  failures: [],
  restsUntil: 0,
})

/** How many questions are read at the same moment, those of one customer, and how many of theirs in a day. */
const UNDERWAY_MOST = 16
const UNDERWAY_OF_ONE = 3
const PER_DAY = { name: 'advisor-replies', points: 200, seconds: 24 * 60 * 60 }
/**
 * An endpoint that fails so often in a row is left alone for a while, so that nobody waits for it; where it has failed for one
 * customer alone, by that customer alone, whose questions may be what it fails at.
 */
const FAILURES_MOST = 3
const REST_MS = 60_000

/** What a model selects; null where there is none, where it may not be asked now, and where it fails in any way. */
export async function selectedBy(deps: HelperDeps, customerId: string, prompt: Prompt): Promise<Selection | null> {
  const { advisor: helper, config, clock, log } = deps
  const now = clock.realNow().getTime()
  if (!config.advisor || helper.stopping.signal.aborted || rests(helper, customerId, now)) return null
  const own = [...helper.slots].filter((one) => one.customerId === customerId)
  if (helper.slots.size >= UNDERWAY_MOST || own.length >= UNDERWAY_OF_ONE) return null
  const slot = { customerId }
  helper.slots.add(slot)
  try {
    if ((await countWithin(limiterFor(deps, PER_DAY), customerId)) === null) return null
    const selected = await selectBy(config.advisor, prompt, helper.stopping.signal)
    helper.failures = []
    return selected
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'advisor: the rules reply')
    helper.failures = failuresAfter(error, helper.failures, customerId)
    if (helper.failures.length >= FAILURES_MOST) helper.restsUntil = clock.realNow().getTime() + REST_MS
    return null
  } finally {
    helper.slots.delete(slot)
  }
}

const rests = ({ failures, restsUntil }: Helper, customerId: string, now: number): boolean =>
  now < restsUntil && (failures.includes(customerId) || new Set(failures).size > 1)

/** The answers of 400 to 499 that say something of the endpoint, or of how it is configured: any other is about what was asked. */
const OF_THE_ENDPOINT = new Set([401, 403, 404, 408, 429])

/** What an endpoint says wrongly came in time: only what it does not say at all, nobody should wait for again and again. */
const SAID_WRONGLY: ReadonlySet<string> = new Set([
  NotUsable.name,
  'AI_NoObjectGeneratedError',
  'AI_NoOutputGeneratedError',
])

/** The latest customers for whom the endpoint has failed in a row, this one among them where it has. */
function failuresAfter(error: unknown, before: readonly string[], customerId: string): readonly string[] {
  if (error instanceof Error && SAID_WRONGLY.has(error.name)) return []
  const status = statusOf(error)
  // What its filter refuses is one customer's: the others are still to be served.
  const isOfThisOne = status !== undefined && status >= 400 && status < 500 && !OF_THE_ENDPOINT.has(status)
  return isOfThisOne ? before : [...before, customerId].slice(-FAILURES_MOST)
}

function statusOf(error: unknown): number | undefined {
  const { statusCode } = error instanceof Error ? (error as { statusCode?: unknown }) : {}
  return typeof statusCode === 'number' ? statusCode : undefined
}

/**
 * Why the rules reply, for the log: in our own words, or else what kind of error it was. What an endpoint says of an error may repeat
 * the customer's question.
 */
function reasonOf(error: unknown): string {
  if (error instanceof NotUsable) return `${error.name}: ${error.message}`
  if (!(error instanceof Error)) return 'unknown'
  return [error.name, statusOf(error), codeOf(error)].filter((part) => part !== undefined).join(' ')
}

/** What the system calls the cause: 'ECONNREFUSED', say. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown }
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code
  }
  return undefined
}

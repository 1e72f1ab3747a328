import type { Prompt } from '#server/advisor/model/model.ts'
import { NotUsable, selectBy } from '#server/advisor/model/model.ts'
import type { ModelSelection } from '#server/advisor/questions/selection.ts'
import { countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Deps } from '#server/platform/deps.ts'

declare module '#server/platform/deps.ts' {
  interface Deps {
    advisor: Helper
  }
}

/** The state of this server's calls to the model. */
export type Helper = {
  /** One entry per question in progress, with its customer. */
  slots: Set<{ customerId: string }>
  stopping: AbortController
  /** The customers of the consecutive failures, and the end of the pause in milliseconds of real time. */
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

/** The limits: questions in progress in all, questions in progress of one customer, and questions of one customer per day. */
const MAX_UNDERWAY = 16
const UNDERWAY_OF_ONE = 3
const PER_DAY = { name: 'advisor-replies', points: 200, seconds: 24 * 60 * 60 }
/**
 * After this number of consecutive failures, the endpoint is not called for REST_MS milliseconds, so that no customer waits for
 * it. If all failures came from one customer, only that customer's questions skip it, because they may cause the failures.
 */
const MAX_FAILURES = 3
const REST_MS = 60_000

/** Returns the model's selection. Returns null if there is no model, if a limit or pause applies, or if the call fails. */
export async function selectWithModel(
  deps: HelperDeps,
  customerId: string,
  prompt: Prompt,
): Promise<ModelSelection | null> {
  const { advisor: helper, config, clock, log } = deps
  const now = clock.realNow().getTime()
  if (!config.advisor || helper.stopping.signal.aborted || rests(helper, customerId, now)) return null
  const slots = [...helper.slots].filter((customerSlot) => customerSlot.customerId === customerId)
  if (helper.slots.size >= MAX_UNDERWAY || slots.length >= UNDERWAY_OF_ONE) return null
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
    if (helper.failures.length >= MAX_FAILURES) helper.restsUntil = clock.realNow().getTime() + REST_MS
    return null
  } finally {
    helper.slots.delete(slot)
  }
}

const rests = ({ failures, restsUntil }: Helper, customerId: string, now: number): boolean =>
  now < restsUntil && (failures.includes(customerId) || new Set(failures).size > 1)

/** The 4xx statuses that concern the endpoint or its configuration. Any other 4xx status concerns the question. */
const OF_THE_ENDPOINT = new Set([401, 403, 404, 408, 429])

/**
 * The errors of a model that responded in time but wrongly. They do not count as failures, because the endpoint works. They end
 * a series of failures.
 */
const SAID_WRONGLY: ReadonlySet<string> = new Set([
  NotUsable.name,
  'AI_NoObjectGeneratedError',
  'AI_NoOutputGeneratedError',
])

/** Returns the customers of the consecutive failures, including this customer if the endpoint failed for them. */
function failuresAfter(error: unknown, before: readonly string[], customerId: string): readonly string[] {
  if (error instanceof Error && SAID_WRONGLY.has(error.name)) return []
  const status = statusOf(error)
  // A refusal by the endpoint's content filter concerns one customer, so the endpoint stays in use for the others.
  const isOfThisOne = status !== undefined && status >= 400 && status < 500 && !OF_THE_ENDPOINT.has(status)
  return isOfThisOne ? before : [...before, customerId].slice(-MAX_FAILURES)
}

function statusOf(error: unknown): number | undefined {
  const { statusCode } = error instanceof Error ? (error as { statusCode?: unknown }) : {}
  return typeof statusCode === 'number' ? statusCode : undefined
}

/**
 * Returns the reason for the log why the rules reply. It consists of our own words or the type of the error. An endpoint's
 * error message may repeat the customer's question, so it is left out.
 */
function reasonOf(error: unknown): string {
  if (error instanceof NotUsable) return `${error.name}: ${error.message}`
  if (!(error instanceof Error)) return 'unknown'
  return [error.name, statusOf(error), codeOf(error)].filter((part) => part !== undefined).join(' ')
}

/** Returns the system's error code, such as 'ECONNREFUSED'. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown }
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code
  }
  return undefined
}

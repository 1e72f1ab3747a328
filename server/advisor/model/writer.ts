import type { ModelMessage } from 'ai'
import type { Figures } from '#server/advisor/figures/figures.ts'
import { NotUsable, writeReply } from '#server/advisor/model/prose.ts'
import { countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Deps } from '#server/platform/deps.ts'

declare module '#server/platform/deps.ts' {
  interface Deps {
    advisor: Writing
  }
}

/** The replies that a model is writing on this server. */
export type Writing = {
  underway: Set<Promise<void>>
  /** One for each of them, and for each that is about to begin. */
  slots: Set<{ customerId: string }>
  stopping: AbortController
  /** The customers for whom it has failed in a row, and until when it is not asked again, real time in milliseconds. */
  failures: readonly string[]
  restsUntil: number
}

export type WriterDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'limiters' | 'advisor'>

export const openWriting = (): Writing => ({
  underway: new Set(),
  slots: new Set(),
  stopping: new AbortController(),
  failures: [],
  restsUntil: 0,
})

/** How many replies one server has written at the same moment, those of one customer, and how many they have written in a day. */
const UNDERWAY_MOST = 16
const UNDERWAY_OF_ONE = 3
const PER_DAY = { name: 'advisor-replies', points: 200, seconds: 24 * 60 * 60 }
/**
 * An endpoint that fails so often in a row is left alone for a while, so that nobody waits for it; where it has failed for one
 * customer alone, by that customer alone, whose questions may be what it fails at.
 */
const FAILURES_MOST = 3
const REST_MS = 60_000
/** What is written takes this much longer than the endpoint may: to be kept, that is. */
const KEEP_MS = 2_000

type Slot = { customerId: string; until: Date; release(): void }

/** A place for one more reply of a model's; null where the rules are to reply. Whoever has it gives it back. */
export async function mayWrite(deps: WriterDeps, customerId: string): Promise<Slot | null> {
  const { advisor: writing, config, clock } = deps
  const now = clock.realNow().getTime()
  if (!config.advisor || writing.stopping.signal.aborted || rests(writing, customerId, now)) return null
  const own = [...writing.slots].filter((one) => one.customerId === customerId)
  if (writing.slots.size >= UNDERWAY_MOST || own.length >= UNDERWAY_OF_ONE) return null
  const slot = { customerId }
  writing.slots.add(slot)
  const release = () => void writing.slots.delete(slot)
  const counted = await countWithin(limiterFor(deps, PER_DAY), customerId).catch(() => null)
  if (counted !== null) return { customerId, until: new Date(now + config.advisor.timeoutMs + KEEP_MS), release }
  release()
  return null
}

const rests = ({ failures, restsUntil }: Writing, customerId: string, now: number): boolean =>
  now < restsUntil && (failures.includes(customerId) || new Set(failures).size > 1)

type Begun = {
  id: string
  question: string
  language: string
  figures: Figures
  /** Reads what was said before. */
  before(): Promise<readonly { question: string; prose: string | null }[]>
}

/** Has the model write the reply, and keeps each sentence as it comes. Where anything is wrong, the rules' reply stands. */
export function startWriting(deps: WriterDeps, slot: Slot, begun: Begun): void {
  const { underway } = deps.advisor
  const done = write(deps, slot, begun)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'advisor: a reply was not kept'))
    .finally(() => {
      slot.release()
      underway.delete(done)
    })
  underway.add(done)
}

/** Stops what is being written: the rules reply. */
export async function stopWriting({ advisor }: Pick<Deps, 'advisor'>): Promise<void> {
  advisor.stopping.abort()
  await Promise.all(advisor.underway)
}

type Kept = { prose: string | null; links?: string; writes_until?: null }

async function write(
  deps: WriterDeps,
  { customerId }: Slot,
  { id, question, language, figures, before }: Begun,
): Promise<void> {
  const { advisor: writing, config, db, log, clock } = deps
  const keep = async (kept: Kept) => {
    const { numUpdatedRows } = await db
      .updateTable('bank.advisor_exchange')
      .set(kept)
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  if (!config.advisor) return
  try {
    const prompt = {
      question,
      language,
      figures,
      before: (await before()).flatMap(messagesOf),
      signal: writing.stopping.signal,
    }
    let last: Kept = { prose: null }
    for await (const { prose, links } of writeReply(config.advisor, prompt)) {
      last = { prose, links: JSON.stringify(links) }
      // The customer has cleared the conversation.
      if (!(await keep(last))) return
    }
    await keep({ ...last, writes_until: null })
    writing.failures = []
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'advisor: the rules reply')
    await keep({ prose: null, links: '[]', writes_until: null })
    writing.failures = failuresAfter(error, writing.failures, customerId)
    if (writing.failures.length >= FAILURES_MOST) writing.restsUntil = clock.realNow().getTime() + REST_MS
  }
}

/** The answers of 400 to 499 that say something of the endpoint, or of how it is configured: any other is about what was asked. */
const OF_THE_ENDPOINT = new Set([401, 403, 404, 408, 429])

/** The latest customers for whom the endpoint has failed in a row, this one among them where it has. */
function failuresAfter(error: unknown, before: readonly string[], customerId: string): readonly string[] {
  // What it says wrongly came in time; what is late, nobody should wait for again and again.
  if (error instanceof NotUsable && !error.isLate) return []
  const status = statusOf(error)
  // What its filter refuses is one customer's: the others are still to be served.
  const isOfThisReply = status !== undefined && status >= 400 && status < 500 && !OF_THE_ENDPOINT.has(status)
  return isOfThisReply ? before : [...before, customerId].slice(-FAILURES_MOST)
}

function statusOf(error: unknown): number | undefined {
  const { statusCode } = error instanceof Error ? (error as { statusCode?: unknown }) : {}
  return typeof statusCode === 'number' ? statusCode : undefined
}

/**
 * Why the rules reply, for the log: in our own words, or else what kind of error it was. What an endpoint says of an error may repeat
 * the customer's question and figures.
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

/** What was said before; what the rules replied is not the model's. */
const messagesOf = ({ question, prose }: Awaited<ReturnType<Begun['before']>>[number]): ModelMessage[] =>
  prose === null
    ? []
    : [
        { role: 'user', content: question },
        { role: 'assistant', content: prose },
      ]

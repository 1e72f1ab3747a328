import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCards } from '../../bench/card-scheme.ts'
import { type MixKind, MIX, nextKind } from '../../bench/day-load.ts'
import { openSenders } from '../../bench/http.ts'
import { openPeopleWithPassword, PASSWORD } from '../../bench/sign-ins.ts'
import { transactionIdOf } from '#server/accounts/identifiers.ts'
import { sign } from '#server/platform/signature.ts'
import type { DrilledBank } from './bank.ts'

/** The requests that people and shops send all day, with the bank's answers. */
export type Load = {
  /** Stops once every payment that was started is answered. */
  stop(): Promise<void>
  /** Returns the faults in the books of those payments. */
  verify(): Promise<string[]>
  count(): Record<string, number>
  people: readonly { cookie: string; email: string }[]
  /** Sends a request to either server, as a person's browser does. */
  ask(path: string, body?: RequestBody): Promise<Response>
  /** Authorizes a card payment that is never captured. Returns the id of the authorization, or null. */
  authorise(): Promise<string | null>
}

type RequestBody = { body?: object; headers?: Record<string, string>; place?: number }

const PEOPLE = 100
/** Each person's opening balance, far below the limit for a balance. */
const OPENING_MINOR = 1_000_00
/** A timeout in milliseconds, longer than the bank takes to report that it is unavailable. */
const PATIENCE_MS = 9_000
const AGAIN_MS = 250
const MAX_WAIT_MS = 2_000
const CAPTURED_AFTER_MS = 1_000
/** The percentage of payments with a top-up before them. */
const TOP_UPS_PERCENT = 10

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
const address = (): string => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`

/** Opens the customers and cards that exist from the start. */
const openPeople = (bank: DrilledBank) =>
  bank.within(async (deps) => ({
    people: await openSenders(deps, PEOPLE, OPENING_MINOR),
    cards: await openCards(deps, PEOPLE),
    emails: await openPeopleWithPassword(deps, PEOPLE),
  }))

/**
 * Starts the mix of a day (bench/day-load.ts) at `perSecond` requests per second. A payer retries until there is an answer, and
 * turns to another server if one does not respond.
 */
export async function openLoad(bank: DrilledBank, perSecond: number): Promise<Load> {
  const { people, cards, emails } = await openPeople(bank)
  const answeredIds = { sends: new Set<string>(), captures: new Set<string>(), topUps: new Set<string>() }
  const counts: Record<string, number> = {}
  const count = (outcome: string): void => void (counts[outcome] = (counts[outcome] ?? 0) + 1)
  let place = 0

  const ask: Load['ask'] = (path, { body, headers, place: serverIndex = (place += 1) } = {}) => {
    const server = bank.servers[serverIndex % bank.servers.length]
    return fetch(`${server?.url}${path}`, {
      method: body ? 'POST' : 'GET',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { origin: bank.origin, 'content-type': 'application/json', 'x-forwarded-for': address(), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  }

  /** Retries a request until there is a final answer, and returns it. Returns null for a refusal. */
  async function askUntilAnswered(kind: string, path: string, makeBody: () => RequestBody): Promise<unknown> {
    for (let waitMs = AGAIN_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      const response = await ask(path, makeBody()).catch(() => null)
      if (response?.status === 200) {
        count(kind)
        return response.json()
      }
      const text = await response?.text().catch(() => '')
      if (response && response.status < 500 && response.status !== 429) {
        count(`${kind} refused: ${response.status} ${text?.slice(0, 120)}`)
        return null
      }
      count(`${kind} tried again`)
      await sleep(waitMs)
    }
  }

  const pay = async (kind: string, path: string, body: object, into: Set<string>): Promise<void> => {
    const headers = { cookie: pick(people).cookie, 'idempotency-key': randomUUID() }
    const answer = await askUntilAnswered(kind, path, () => ({ body, headers }))
    const { transaction } = (answer ?? {}) as { transaction?: { transactionId: string } }
    if (!transaction) return
    if (into.has(transaction.transactionId)) count(`two answers name one of ${kind}`)
    into.add(transaction.transactionId)
  }

  const sendToScheme = (kind: string, message: object) =>
    askUntilAnswered(kind, '/hooks/cards', () => {
      const { timestamp, signature } = sign(bank.secrets.cardScheme, JSON.stringify(message), new Date())
      return { body: message, headers: { 'alder-timestamp': timestamp, 'alder-signature': signature } }
    })

  const amount = { amountMinor: 1, asset: 'USD' }
  /** Returns the id of an approved card authorization, or null. */
  async function authorise(): Promise<string | null> {
    const authorisationId = randomUUID()
    const merchant = { name: 'Greenmarket', mcc: '5411', city: 'Portland', country: 'US' }
    const question = { type: 'authorise', messageId: randomUUID(), authorisationId, card: pick(cards) }
    const body = { ...question, entry: 'contactless', merchant, ...amount }
    const answer = (await sendToScheme('card payments', body)) as { outcome?: string } | null
    if (answer?.outcome === 'approved') return authorisationId
    count(`card payments not approved: ${JSON.stringify(answer)}`)
    return null
  }

  async function payByCard(): Promise<void> {
    const authorisationId = await authorise()
    if (authorisationId === null) return
    await sleep(CAPTURED_AFTER_MS)
    const capture = { type: 'capture', messageId: randomUUID(), authorisationId, ...amount }
    if (await sendToScheme('captures', capture)) answeredIds.captures.add(authorisationId)
  }

  async function readOnce(kind: string, path: string, body: RequestBody): Promise<void> {
    const response = await ask(path, body).catch(() => null)
    await response?.arrayBuffer().catch(() => undefined)
    count(response?.ok ? kind : `${kind} not answered: ${response?.status ?? 'nothing'}`)
  }

  const begin = async (kind: MixKind): Promise<void> => {
    const { cookie } = pick(people)
    switch (kind) {
      case 'authorise':
        return payByCard()
      case 'send': {
        if (Math.random() * 100 < TOP_UPS_PERCENT)
          await pay(
            'top-ups',
            '/api/v1/top-ups',
            { amountMinor: 100, asset: 'USD', method: 'card' },
            answeredIds.topUps,
          )
        const body = { recipient: pick(emails), amountMinor: 1, asset: 'USD' }
        return pay('sends', '/api/v1/transfers', body, answeredIds.sends)
      }
      case 'sign_in':
        return readOnce('sign-ins', '/api/v1/session', { body: { email: pick(emails), password: PASSWORD } })
      case 'dashboard':
      case 'transactions':
        return readOnce(kind, `/api/v1/${kind}`, { headers: { cookie } })
    }
  }

  let isGoing = true
  const pendingTasks = new Set<Promise<void>>()
  const work = (async () => {
    while (isGoing) {
      const task = begin(nextKind(MIX))
      pendingTasks.add(task)
      void task.finally(() => pendingTasks.delete(task))
      await sleep(1_000 / perSecond)
    }
  })()
  return {
    people,
    ask,
    authorise,
    count: () => counts,
    stop: async () => {
      isGoing = false
      await work
      await Promise.all(pendingTasks)
    },
    verify: () => wrongWith(bank, answeredIds),
  }
}

type Answered = Record<'sends' | 'captures' | 'topUps', Set<string>>

/**
 * Compares the answered payments with the ledger. Each must be there once, and no others, because every payment that was
 * started was answered in the end.
 */
async function wrongWith(bank: DrilledBank, answeredIds: Answered): Promise<string[]> {
  const idsOf = async (kind: string): Promise<string[]> =>
    (
      await bank.asOwner<{ id: string }>(`SELECT id FROM ledger.operation WHERE kind = $1 AND fingerprint <> 'bench'`, [
        kind,
      ])
    ).map(({ id }) => transactionIdOf(id))
  const captures = await bank.asOwner<{ scheme_id: string }>(
    `SELECT scheme_id FROM bank.card_authorisation JOIN bank.card_capture captured ON authorisation_id = id
       JOIN ledger.operation booked ON booked.id = captured.operation_id`,
  )
  const settledTopUps = await idsOf('top_up.settle')
  return [
    ...differing('sends', answeredIds.sends, await idsOf('payment.send')),
    ...differing(
      'captures',
      answeredIds.captures,
      captures.map(({ scheme_id: id }) => id),
    ),
    ...differing('top-ups', answeredIds.topUps, await idsOf('top_up.card')),
    ...(settledTopUps.length === answeredIds.topUps.size
      ? []
      : [`top-ups: ${settledTopUps.length} of ${answeredIds.topUps.size} were credited`]),
  ]
}

function differing(kind: string, answeredIds: ReadonlySet<string>, bookedIds: readonly string[]): string[] {
  const lostCount = [...answeredIds].filter((id) => !bookedIds.includes(id)).length
  const twiceCount = bookedIds.length - new Set(bookedIds).size
  const unknownCount = bookedIds.filter((id) => !answeredIds.has(id)).length
  if (lostCount + twiceCount + unknownCount === 0) return []
  return [`${kind}: ${lostCount} are lost, ${twiceCount} were booked twice, ${unknownCount} were never answered`]
}

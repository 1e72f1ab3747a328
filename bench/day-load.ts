import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sign } from '#server/platform/signature.ts'

/** The parameters of the load. bench/day.ts runs this file in a process of its own and sends them to it. */
export type DayLoadParameters = {
  url: string
  secret: string
  seconds: number
  /**
   * The number of requests that start per second, even if earlier requests are still unanswered. If it is null, `users` users
   * send requests instead, and each waits for an answer before the next request.
   */
  perSecond: number | null
  users: number
  mix: Mix
  /** Whether to send readiness checks during the load, as a load balancer does. */
  probes: boolean
  people: { cookie: string; email: string }[]
  cards: { number: string; expiry: string; cvv: string }[]
  signIns: { emails: string[]; password: string }
}

export const DAY_KINDS = ['authorise', 'capture', 'send', 'dashboard', 'transactions', 'sign_in', 'readyz'] as const
export type DayKind = (typeof DAY_KINDS)[number]

/** The results of one kind of request: done (2xx), refused (503 or 429), or failed for any other reason. */
export type KindReport = { doneMs: number[]; refusedMs: number[]; failed: number }
export type DayReport = { kinds: Record<DayKind, KindReport>; seconds: number; cpuMs: number }

/**
 * The kinds of request in a mix. The other two kinds are not in it: a capture follows each authorization, and readiness checks
 * come from a load balancer.
 */
export const MIX_KINDS = ['dashboard', 'transactions', 'send', 'authorise', 'sign_in'] as const satisfies DayKind[]
export type MixKind = (typeof MIX_KINDS)[number]

/** The share of each kind of request, in percent. */
export type Mix = [MixKind, number][]

/** The mix of requests on a normal day. */
export const MIX: Mix = [
  ['dashboard', 55],
  ['transactions', 15],
  ['send', 17],
  ['authorise', 11],
  ['sign_in', 2],
]
/** The time between an authorization and its capture. */
const CAPTURED_AFTER_MS = 1_000
/**
 * The interval between readiness checks. It is shorter than that of most load balancers, so that there are enough checks for a
 * percentile.
 */
const READYZ_MS = 200
const REFUSED_STATUSES = new Set([429, 503])

type RequestContent = { path: string; body?: object | undefined; headers?: Record<string, string> }

function createLoad(parameters: DayLoadParameters) {
  const agent = new Agent({ keepAlive: true })
  const emptyReport = (): KindReport => ({ doneMs: [], refusedMs: [], failed: 0 })
  const kinds = Object.fromEntries(DAY_KINDS.map((kind) => [kind, emptyReport()])) as Record<DayKind, KindReport>

  /** Sends a request and records its result. Returns the status, or 0 if the connection broke. */
  function sendRequest(kind: DayKind, { path, body, headers }: RequestContent): Promise<number> {
    const startedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<number>()
    const finish = (status: number): void => {
      const ms = performance.now() - startedAt
      if (status >= 200 && status < 300) kinds[kind].doneMs.push(ms)
      else if (REFUSED_STATUSES.has(status)) kinds[kind].refusedMs.push(ms)
      else kinds[kind].failed += 1
      resolve(status)
    }
    const requestOptions = { agent, method: body ? 'POST' : 'GET', ...(headers ? { headers } : {}) }
    const outgoing = request(`${parameters.url}${path}`, requestOptions, (response) => {
      response.resume().on('end', () => finish(response.statusCode ?? 0))
    })
    outgoing.on('error', () => finish(0))
    outgoing.end(body && JSON.stringify(body))
    return promise
  }

  /** Sends a message of the card scheme to the bank. */
  function sendCardMessage(kind: DayKind, message: object): Promise<number> {
    const { timestamp, signature } = sign(parameters.secret, JSON.stringify(message), new Date())
    const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
    return sendRequest(kind, { path: '/hooks/cards', body: message, headers })
  }
  /** The captures in flight. Users do not wait for them, but the load ends only when all are answered. */
  const captures: Promise<number>[] = []
  return { agent, kinds, sendRequest, sendCardMessage, captures }
}

type Load = ReturnType<typeof createLoad>

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** Authorizes a card payment, and captures it later if the authorization was answered with 200. */
async function payByCard({ sendCardMessage, captures }: Load, card: object): Promise<void> {
  const authorisationId = randomUUID()
  const amount = { amountMinor: 1_00, asset: 'USD' }
  const merchant = { name: 'Greenmarket', mcc: '5411', city: 'Portland', country: 'US' }
  const authorization = {
    type: 'authorise',
    messageId: randomUUID(),
    authorisationId,
    card,
    entry: 'contactless',
    merchant,
  }
  if ((await sendCardMessage('authorise', { ...authorization, ...amount })) !== 200) return
  const capture = { type: 'capture', messageId: randomUUID(), authorisationId, ...amount }
  captures.push(wait(CAPTURED_AFTER_MS).then(() => sendCardMessage('capture', capture)))
}

/** Sends a request of a kind, on behalf of a random person or card. */
function startRequest(kind: MixKind, load: Load, parameters: DayLoadParameters): Promise<unknown> {
  const { cookie, email } = pick(parameters.people)
  const headers = {
    cookie,
    origin: parameters.url,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  switch (kind) {
    case 'authorise':
      return payByCard(load, pick(parameters.cards))
    case 'send': {
      const otherPeople = parameters.people.filter((person) => person.email !== email)
      const body = { recipient: pick(otherPeople).email, amountMinor: 1_00, asset: 'USD' }
      return load.sendRequest(kind, { path: '/api/v1/transfers', body, headers })
    }
    case 'sign_in': {
      const { emails, password } = parameters.signIns
      // Each sign-in has a random address, because the bank limits the number of requests from one address.
      const address = `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`
      const signInHeaders = { origin: parameters.url, 'content-type': 'application/json', 'x-forwarded-for': address }
      const body = { email: pick(emails), password }
      return load.sendRequest(kind, { path: '/api/v1/session', body, headers: signInHeaders })
    }
    case 'dashboard':
    case 'transactions':
      return load.sendRequest(kind, { path: `/api/v1/${kind}`, headers: { cookie } })
  }
}

/** Returns a random kind of request, by the shares of the mix. */
export function nextKind(mix: Mix): MixKind {
  let remaining = Math.random() * 100
  for (const [kind, percent] of mix) if ((remaining -= percent) < 0) return kind
  return 'dashboard'
}

/** Starts requests at a steady rate, even if earlier requests are still unanswered. */
async function runAtRate(parameters: DayLoadParameters, load: Load, perSecond: number): Promise<void> {
  const startedAt = performance.now()
  const requests: Promise<unknown>[] = []
  for (let index = 0; index < perSecond * parameters.seconds; index += 1) {
    await wait(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()))
    requests.push(startRequest(nextKind(parameters.mix), load, parameters))
  }
  await Promise.all(requests)
}

/** Runs users who each wait for an answer before the next request. */
async function runUsers(parameters: DayLoadParameters, load: Load): Promise<void> {
  const until = performance.now() + parameters.seconds * 1_000
  const runUser = async (): Promise<void> => {
    while (performance.now() < until) await startRequest(nextKind(parameters.mix), load, parameters)
  }
  await Promise.all(Array.from({ length: parameters.users }, runUser))
}

async function run(parameters: DayLoadParameters): Promise<DayReport> {
  const load = createLoad(parameters)
  const startedAt = performance.now()
  const checkReadiness = () => void load.sendRequest('readyz', { path: '/readyz' })
  const readinessTimer = parameters.probes ? setInterval(checkReadiness, READYZ_MS) : undefined
  await (parameters.perSecond === null ? runUsers(parameters, load) : runAtRate(parameters, load, parameters.perSecond))
  await Promise.all(load.captures)
  clearInterval(readinessTimer)
  const { user, system } = process.cpuUsage()
  load.agent.destroy()
  return { kinds: load.kinds, seconds: (performance.now() - startedAt) / 1_000, cpuMs: (user + system) / 1_000 }
}

process.once('message', (parameters: DayLoadParameters) => {
  void run(parameters).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})

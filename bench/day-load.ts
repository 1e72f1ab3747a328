import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sign } from '#server/platform/signature.ts'

/** What the load is made of; sent by bench/day.ts, which runs this file in a process of its own. */
export type DayOrder = {
  url: string
  secret: string
  seconds: number
  /** Requests begun a second, whether or not those before are answered; null keeps `users` under way instead. */
  perSecond: number | null
  users: number
  mix: Mix
  /** Whether a balancer asks meanwhile if the bank is ready. */
  probes: boolean
  people: { cookie: string; email: string }[]
  cards: { number: string; expiry: string; cvv: string }[]
  signIns: { emails: string[]; password: string }
}

export const KINDS = ['authorise', 'capture', 'send', 'dashboard', 'transactions', 'sign_in', 'readyz'] as const
export type Kind = (typeof KINDS)[number]

/** How each request was answered: done (2xx), refused (503 or 429), or failed in any other way. */
export type KindReport = { doneMs: number[]; refusedMs: number[]; failed: number }
export type DayReport = { kinds: Record<Kind, KindReport>; seconds: number; cpuMs: number }

/** What people and shops begin; the rest follows, or is asked by a balancer. */
export const BEGUN = ['dashboard', 'transactions', 'send', 'authorise', 'sign_in'] as const satisfies Kind[]
export type Begun = (typeof BEGUN)[number]

/** In percent of what is begun; each authorisation is captured a second later. */
export type Mix = [Begun, number][]

/** A day at the bank. */
export const MIX: Mix = [
  ['dashboard', 55],
  ['transactions', 15],
  ['send', 17],
  ['authorise', 11],
  ['sign_in', 2],
]
const CAPTURED_AFTER_MS = 1_000
/** How often a balancer asks: more often than most do, so that there is a figure. */
const READYZ_MS = 200
const REFUSED = new Set([429, 503])

type Asked = { path: string; body?: object | undefined; headers?: Record<string, string> }

function openLoad(order: DayOrder) {
  const agent = new Agent({ keepAlive: true })
  const none = (): KindReport => ({ doneMs: [], refusedMs: [], failed: 0 })
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, none()])) as Record<Kind, KindReport>

  /** Answers the status, 0 where the connection broke. */
  function ask(kind: Kind, { path, body, headers }: Asked): Promise<number> {
    const begun = performance.now()
    const { promise, resolve } = Promise.withResolvers<number>()
    const answered = (status: number): void => {
      const ms = performance.now() - begun
      if (status >= 200 && status < 300) kinds[kind].doneMs.push(ms)
      else if (REFUSED.has(status)) kinds[kind].refusedMs.push(ms)
      else kinds[kind].failed += 1
      resolve(status)
    }
    const options = { agent, method: body ? 'POST' : 'GET', ...(headers ? { headers } : {}) }
    const asked = request(`${order.url}${path}`, options, (answer) => {
      answer.resume().on('end', () => answered(answer.statusCode ?? 0))
    })
    asked.on('error', () => answered(0))
    asked.end(body && JSON.stringify(body))
    return promise
  }

  function tellScheme(kind: Kind, message: object): Promise<number> {
    const { timestamp, signature } = sign(order.secret, JSON.stringify(message), new Date())
    const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
    return ask(kind, { path: '/hooks/cards', body: message, headers })
  }
  /** Those that follow a second after what was authorised: nobody at a till waits for them. */
  const captures: Promise<number>[] = []
  return { agent, kinds, ask, tellScheme, captures }
}

type Load = ReturnType<typeof openLoad>

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

async function pay({ tellScheme, captures }: Load, card: object): Promise<void> {
  const authorisationId = randomUUID()
  const amount = { amountMinor: 1_00, asset: 'USD' }
  const merchant = { name: 'Greenmarket', mcc: '5411', city: 'Portland', country: 'US' }
  const question = { type: 'authorise', messageId: randomUUID(), authorisationId, card, entry: 'contactless', merchant }
  if ((await tellScheme('authorise', { ...question, ...amount })) !== 200) return
  const capture = { type: 'capture', messageId: randomUUID(), authorisationId, ...amount }
  captures.push(wait(CAPTURED_AFTER_MS).then(() => tellScheme('capture', capture)))
}

function begin(kind: Begun, load: Load, order: DayOrder): Promise<unknown> {
  const { cookie, email } = pick(order.people)
  const own = { cookie, origin: order.url, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  switch (kind) {
    case 'authorise':
      return pay(load, pick(order.cards))
    case 'send': {
      const others = order.people.filter((person) => person.email !== email)
      const body = { recipient: pick(others).email, amountMinor: 1_00, asset: 'USD' }
      return load.ask(kind, { path: '/api/v1/transfers', body, headers: own })
    }
    case 'sign_in': {
      const { emails, password } = order.signIns
      // Everybody from an address of their own: those of one would be told to slow down.
      const address = `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`
      const headers = { origin: order.url, 'content-type': 'application/json', 'x-forwarded-for': address }
      return load.ask(kind, { path: '/api/v1/session', body: { email: pick(emails), password }, headers })
    }
    case 'dashboard':
    case 'transactions':
      return load.ask(kind, { path: `/api/v1/${kind}`, headers: { cookie } })
  }
}

export function nextKind(mix: Mix): Begun {
  let place = Math.random() * 100
  for (const [kind, percent] of mix) if ((place -= percent) < 0) return kind
  return 'dashboard'
}

async function openLoop(order: DayOrder, load: Load, perSecond: number): Promise<void> {
  const started = performance.now()
  const begun: Promise<unknown>[] = []
  for (let index = 0; index < perSecond * order.seconds; index += 1) {
    await wait(Math.max(0, started + (index * 1_000) / perSecond - performance.now()))
    begun.push(begin(nextKind(order.mix), load, order))
  }
  await Promise.all(begun)
}

async function closedLoop(order: DayOrder, load: Load): Promise<void> {
  const until = performance.now() + order.seconds * 1_000
  const use = async (): Promise<void> => {
    while (performance.now() < until) await begin(nextKind(order.mix), load, order)
  }
  await Promise.all(Array.from({ length: order.users }, use))
}

async function run(order: DayOrder): Promise<DayReport> {
  const load = openLoad(order)
  const started = performance.now()
  const probe = order.probes ? setInterval(() => void load.ask('readyz', { path: '/readyz' }), READYZ_MS) : undefined
  await (order.perSecond === null ? closedLoop(order, load) : openLoop(order, load, order.perSecond))
  await Promise.all(load.captures)
  clearInterval(probe)
  const { user, system } = process.cpuUsage()
  load.agent.destroy()
  return { kinds: load.kinds, seconds: (performance.now() - started) / 1_000, cpuMs: (user + system) / 1_000 }
}

process.once('message', (order: DayOrder) => {
  void run(order).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})

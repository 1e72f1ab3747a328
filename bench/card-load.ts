import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sign } from '#server/platform/signature.ts'

/** What the load is made of; sent by bench/card-scheme.ts, which runs this file in a process of its own. */
export type CardOrder = {
  url: string
  secret: string
  seconds: number
  /** Authorisations begun a second, whether or not those before are answered; each is captured a second later. */
  perSecond: number
  cards: { number: string; expiry: string; cvv: string }[]
}

export type CardReport = { authoriseMs: number[]; captureMs: number[]; approved: number; failed: number }

const CAPTURED_AFTER_MS = 1_000

type Answer = { status: number; ms: number; body: string }

function tell({ url, secret }: CardOrder, agent: Agent, message: object): Promise<Answer> {
  const body = JSON.stringify(message)
  const { timestamp, signature } = sign(secret, body, new Date())
  const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
  const begun = performance.now()
  return new Promise((resolve) => {
    const asked = request(`${url}/hooks/cards`, { agent, method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - begun, body: text }))
    })
    // Where the bank takes no more connections of one address, that is a payment that failed.
    asked.on('error', () => resolve({ status: 0, ms: performance.now() - begun, body: '' }))
    asked.end(body)
  })
}

async function payOnce(order: CardOrder, agent: Agent, index: number): Promise<{ authorise: Answer; capture: Answer }> {
  const authorisationId = randomUUID()
  const amount = { amountMinor: 1_00 + (index % 50), asset: 'USD' }
  const authorise = await tell(order, agent, {
    type: 'authorise',
    messageId: randomUUID(),
    authorisationId,
    card: order.cards[index % order.cards.length],
    entry: 'contactless',
    ...amount,
    merchant: { name: 'Greenmarket', mcc: '5411', city: 'Portland', country: 'US' },
  })
  await wait(CAPTURED_AFTER_MS)
  const capture = await tell(order, agent, { type: 'capture', messageId: randomUUID(), authorisationId, ...amount })
  return { authorise, capture }
}

async function load(order: CardOrder): Promise<CardReport> {
  const agent = new Agent({ keepAlive: true })
  const started = performance.now()
  const payments: ReturnType<typeof payOnce>[] = []
  for (let index = 0; index < order.perSecond * order.seconds; index += 1) {
    await wait(Math.max(0, started + (index * 1_000) / order.perSecond - performance.now()))
    payments.push(payOnce(order, agent, index))
  }
  const done = await Promise.all(payments)
  agent.destroy()
  const answers = done.flatMap(({ authorise, capture }) => [authorise, capture])
  return {
    authoriseMs: done.map(({ authorise }) => authorise.ms),
    captureMs: done.map(({ capture }) => capture.ms),
    approved: done.filter(({ authorise }) => authorise.body.includes('"approved"')).length,
    failed: answers.filter(({ status }) => status !== 200).length,
  }
}

process.once('message', (order: CardOrder) => {
  void load(order).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})

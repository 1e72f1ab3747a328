import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sign } from '#server/platform/signature.ts'

/** The parameters of the load. bench/card-scheme.ts sends them and runs this file in its own process. */
export type CardOrder = {
  url: string
  secret: string
  seconds: number
  /**
   * The number of authorizations started per second. A new one starts even when earlier ones are unanswered. Each is captured a
   * second later.
   */
  perSecond: number
  cards: { number: string; expiry: string; cvv: string }[]
}

export type CardReport = {
  authoriseMs: number[]
  /** The time of each capture in milliseconds, counted from the first attempt. */
  captureMs: number[]
  approved: number
  /** The number of times that the bank answered a capture with 503. The capture is then sent again, possibly several times. */
  refused: number
  failed: number
}

const CAPTURED_AFTER_MS = 1_000
/** The value of the bank's Retry-After header, in milliseconds. */
const AGAIN_AFTER_MS = 2_000

type Answer = { status: number; ms: number; body: string }

function sendMessage({ url, secret }: CardOrder, agent: Agent, message: object): Promise<Answer> {
  const body = JSON.stringify(message)
  const { timestamp, signature } = sign(secret, body, new Date())
  const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const outgoing = request(`${url}/hooks/cards`, { agent, method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt, body: text }))
    })
    // The bank limits the connections of one address. A message on a refused connection counts as failed.
    outgoing.on('error', () => resolve({ status: 0, ms: performance.now() - startedAt, body: '' }))
    outgoing.end(body)
  })
}

async function payOnce(parameters: CardOrder, agent: Agent, index: number) {
  const authorisationId = randomUUID()
  const amount = { amountMinor: 1_00 + (index % 50), asset: 'USD' }
  const authorisation = await sendMessage(parameters, agent, {
    type: 'authorise',
    messageId: randomUUID(),
    authorisationId,
    card: parameters.cards[index % parameters.cards.length],
    entry: 'contactless',
    ...amount,
    merchant: { name: 'Greenmarket', mcc: '5411', city: 'Portland', country: 'US' },
  })
  await wait(CAPTURED_AFTER_MS)
  const message = { type: 'capture', messageId: randomUUID(), authorisationId, ...amount }
  const capture = await tellUntilTaken(parameters, agent, message)
  return { authorise: authorisation, ...capture }
}

/** Sends a message again while the bank answers 503, as a card scheme does. */
async function tellUntilTaken(parameters: CardOrder, agent: Agent, message: object) {
  const startedAt = performance.now()
  for (let refused = 0; ; refused += 1) {
    const capture = await sendMessage(parameters, agent, message)
    if (capture.status !== 503) return { capture: { ...capture, ms: performance.now() - startedAt }, refused }
    await wait(AGAIN_AFTER_MS * (1 + Math.random() / 2))
  }
}

async function load(parameters: CardOrder): Promise<CardReport> {
  const agent = new Agent({ keepAlive: true })
  const startedAt = performance.now()
  const payments: ReturnType<typeof payOnce>[] = []
  for (let index = 0; index < parameters.perSecond * parameters.seconds; index += 1) {
    await wait(Math.max(0, startedAt + (index * 1_000) / parameters.perSecond - performance.now()))
    payments.push(payOnce(parameters, agent, index))
  }
  const finishedPayments = await Promise.all(payments)
  agent.destroy()
  const answers = finishedPayments.flatMap(({ authorise, capture }) => [authorise, capture])
  return {
    authoriseMs: finishedPayments.map(({ authorise }) => authorise.ms),
    captureMs: finishedPayments.map(({ capture }) => capture.ms),
    refused: finishedPayments.reduce((sum, { refused }) => sum + refused, 0),
    approved: finishedPayments.filter(({ authorise }) => authorise.body.includes('"approved"')).length,
    failed: answers.filter(({ status }) => status !== 200).length,
  }
}

process.once('message', (parameters: CardOrder) => {
  void load(parameters).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})

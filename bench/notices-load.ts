import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Notice } from '#contract/notifications.ts'

type Person = { cookie: string; email: string }

/** The parameters of the load. Payments go to one server, and the payees listen on another. */
export type NoticesOrder = {
  pays: string
  listens: string
  payer: Person
  listeners: Person[]
  count: number
  perSecond: number
}

/** The times in milliseconds from each payment's request to its live event, and to the list with its notice. */
export type NoticesReport = { eventMs: number[]; listMs: number[] }

type Listener = Person & { onEvent: (() => void) | null }

process.on('message', (parameters: NoticesOrder) => {
  void run(parameters).then((report) => {
    process.send?.(report)
    process.exit()
  })
})

async function run({ pays, listens, payer, listeners, count, perSecond }: NoticesOrder): Promise<NoticesReport> {
  const openListeners = await Promise.all(listeners.map((person) => listen(listens, person)))
  const report: NoticesReport = { eventMs: [], listMs: [] }
  const payments: Promise<void>[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const listener = openListeners[turn % openListeners.length]
    if (listener) payments.push(payAndWait({ pays, listens, payer, listener }, report))
    await wait(1_000 / perSecond)
  }
  await Promise.all(payments)
  return report
}

async function listen(url: string, person: Person): Promise<Listener> {
  const listener: Listener = { ...person, onEvent: null }
  const response = await fetch(`${url}/api/v1/events`, { headers: { cookie: person.cookie } })
  if (!response.body) throw new Error(`No stream: ${response.status}`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  // The first message of a stream contains only the delay for reconnecting.
  await reader.read()
  void (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (part.value.includes('"notification"')) listener.onEvent?.()
  })()
  return listener
}

type Notification = { pays: string; listens: string; payer: Person; listener: Listener }

/**
 * Pays a listener, and records the times until its live event and its notice. The listeners are paid in turn, so that a
 * listener's event normally belongs to its latest payment.
 */
async function payAndWait({ pays, listens, payer, listener }: Notification, report: NoticesReport): Promise<void> {
  const { promise: announced, resolve } = Promise.withResolvers<void>()
  listener.onEvent = resolve
  const startMs = performance.now()
  const answer = await fetch(`${pays}/api/v1/transfers`, {
    method: 'POST',
    headers: {
      cookie: payer.cookie,
      origin: pays,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ recipient: listener.email, amountMinor: 1, asset: 'USD' }),
  })
  if (answer.status !== 200) throw new Error(`Paying was answered with ${answer.status}`)
  const { transaction } = (await answer.json()) as { transaction: { id: string } }
  await announced
  report.eventMs.push(performance.now() - startMs)
  const list = await fetch(`${listens}/api/v1/notifications`, { headers: { cookie: listener.cookie } })
  const { notices } = (await list.json()) as { notices: Notice[] }
  if (notices[0]?.params['transactionId'] !== transaction.id) throw new Error('The notice is not in the list')
  report.listMs.push(performance.now() - startMs)
}

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { listSends } from '#server/test/list-sends.ts'

/** Two customers of a bank. One sends the other a cent at a time and records the bank's responses. */
export type FaultPayers = {
  /** Sends over several connections until stopped. */
  load(): { acknowledged(): number; stop(): Promise<void> }
  /** Sends once with a new key. Returns the status, or null without a response. */
  send(): Promise<number | null>
  /**
   * Checks a recovered bank at `url`: every acknowledged payment exists exactly once, and its retry returns the same response.
   * A payment without a response exists at most once. The balances match to the cent.
   */
  verify(url: string): Promise<void>
  acknowledged(): number
}

const FUNDS_MINOR = 1_000_000
const CONNECTIONS = 8

export async function openFaultPayers(url: string): Promise<FaultPayers> {
  let place = url
  const sender = openBrowser(() => place)
  const recipient = openBrowser(() => place)
  await sender.post('/api/v1/session/visit')
  await recipient.post('/api/v1/session/visit')
  const { customer } = await read(recipient, '/api/v1/me')
  const body = { recipient: customer.email, amountMinor: 1, asset: 'USD' }
  const funded = await sender.post('/api/v1/top-ups', { amountMinor: FUNDS_MINOR, asset: 'USD', method: 'card' })
  expect(funded.status).toBe(200)
  const before = await balances(sender, recipient)

  /** The response to each key; null if it is unknown. */
  const answers = new Map<string, unknown>()
  let acknowledged = 0
  const send = async (): Promise<number | null> => {
    const key = randomUUID()
    try {
      const answer = await sender.post('/api/v1/transfers', body, { key })
      answers.set(key, null)
      if (answer.status === 200) {
        answers.set(key, await answer.json())
        acknowledged += 1
      } else await answer.text()
      return answer.status
    } catch {
      answers.set(key, null)
      return null
    }
  }
  const load: FaultPayers['load'] = () => {
    let going = true
    const work = async (): Promise<void> => {
      while (going) await send()
    }
    const done = Promise.all(Array.from({ length: CONNECTIONS }, work))
    return {
      acknowledged: () => acknowledged,
      stop: async () => {
        going = false
        await done
      },
    }
  }
  const verify = async (at: string): Promise<void> => {
    place = at
    const sent = new Set<string>()
    for (const [key, answered] of answers) {
      const retry = await sender.post('/api/v1/transfers', body, { key })
      expect(retry.status).toBe(200)
      const repeated = await retry.json()
      if (answered) expect(repeated).toEqual(answered)
      sent.add(repeated.transaction.transactionId)
    }
    expect(sent.size).toBe(answers.size)
    const listed = await listSends((path) => read(sender, path))
    expect(listed.length).toBe(answers.size)
    expect(new Set(listed)).toEqual(sent)
    const after = await balances(sender, recipient)
    expect(after).toEqual([before[0] - answers.size, before[1] + answers.size])
  }
  return { load, send, verify, acknowledged: () => acknowledged }
}

async function read(browser: Browser, path: string) {
  const answer = await browser.get(path)
  expect(answer.status).toBe(200)
  return answer.json()
}

async function balances(...browsers: [Browser, Browser]): Promise<[number, number]> {
  const [one, other] = await Promise.all(browsers.map((browser) => read(browser, '/api/v1/dashboard')))
  return [one.account.availableMinor, other.account.availableMinor]
}

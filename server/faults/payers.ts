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
  let bankUrl = url
  const sender = openBrowser(() => bankUrl)
  const recipient = openBrowser(() => bankUrl)
  await sender.post('/api/v1/session/visit')
  await recipient.post('/api/v1/session/visit')
  const { customer } = await read(recipient, '/api/v1/me')
  const body = { recipient: customer.email, amountMinor: 1, asset: 'USD' }
  const funded = await sender.post('/api/v1/top-ups', { amountMinor: FUNDS_MINOR, asset: 'USD', method: 'card' })
  expect(funded.status).toBe(200)
  const balancesBefore = await balances(sender, recipient)

  /** The response to each key; null if it is unknown. */
  const answers = new Map<string, unknown>()
  let acknowledgedCount = 0
  const send = async (): Promise<number | null> => {
    const key = randomUUID()
    try {
      const answer = await sender.post('/api/v1/transfers', body, { key })
      answers.set(key, null)
      if (answer.status === 200) {
        answers.set(key, await answer.json())
        acknowledgedCount += 1
      } else await answer.text()
      return answer.status
    } catch {
      answers.set(key, null)
      return null
    }
  }
  const load: FaultPayers['load'] = () => {
    let isGoing = true
    const work = async (): Promise<void> => {
      while (isGoing) await send()
    }
    const workers = Promise.all(Array.from({ length: CONNECTIONS }, work))
    return {
      acknowledged: () => acknowledgedCount,
      stop: async () => {
        isGoing = false
        await workers
      },
    }
  }
  const verify = async (newUrl: string): Promise<void> => {
    bankUrl = newUrl
    const sentIds = new Set<string>()
    for (const [key, firstAnswer] of answers) {
      const retry = await sender.post('/api/v1/transfers', body, { key })
      expect(retry.status).toBe(200)
      const repeatedAnswer = await retry.json()
      if (firstAnswer) expect(repeatedAnswer).toEqual(firstAnswer)
      sentIds.add(repeatedAnswer.transaction.transactionId)
    }
    expect(sentIds.size).toBe(answers.size)
    const listedIds = await listSends((path) => read(sender, path))
    expect(listedIds.length).toBe(answers.size)
    expect(new Set(listedIds)).toEqual(sentIds)
    const balancesAfter = await balances(sender, recipient)
    expect(balancesAfter).toEqual([balancesBefore[0] - answers.size, balancesBefore[1] + answers.size])
  }
  return { load, send, verify, acknowledged: () => acknowledgedCount }
}

async function read(browser: Browser, path: string) {
  const answer = await browser.get(path)
  expect(answer.status).toBe(200)
  return answer.json()
}

async function balances(...browsers: [Browser, Browser]): Promise<[number, number]> {
  const [firstDashboard, secondDashboard] = await Promise.all(
    browsers.map((browser) => read(browser, '/api/v1/dashboard')),
  )
  return [firstDashboard.account.availableMinor, secondDashboard.account.availableMinor]
}

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { sign } from '#server/platform/signature.ts'

/** Shops that a customer pays by card, through a scheme that records the bank's responses. */
export type CardShops = {
  /** Pays at several shops at the same time until stopped. */
  load(): { captured(): number; stop(): Promise<void> }
  /**
   * Checks a recovered bank at `url`: the scheme repeats all messages, those answered before get the same answer, and every
   * payment is captured once. The balance matches to the cent.
   */
  verify(url: string): Promise<void>
}

const SHOPS = 8
const AMOUNT_MINOR = 1_00

type Message = { messageId: string; authorisationId: string }
type Payment = { authorise: Message; capture: Message }

/** Opens the shops. The bank must share `secret` with the scheme. */
export async function openCardShops(url: string, secret: string): Promise<CardShops> {
  let bankUrl = url
  const customer = openBrowser(() => bankUrl)
  await customer.post('/api/v1/session/visit')
  const card = await mainCard(customer)
  const accountBefore = await accountOf(customer)
  const payments: Payment[] = []
  /** The answers by message id; messages without an answer are missing. */
  const answers = new Map<string, unknown>()
  let capturedCount = 0

  const sendMessage = async (message: Message): Promise<unknown> => {
    const body = JSON.stringify(message)
    const { timestamp, signature } = sign(secret, body, new Date())
    const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
    const answer = await fetch(`${bankUrl}/hooks/cards`, { method: 'POST', headers, body }).catch(() => null)
    return answer?.status === 200 ? answer.json() : null
  }
  const shop = async (): Promise<void> => {
    const payment = newPayment(card)
    payments.push(payment)
    for (const message of [payment.authorise, payment.capture]) {
      const answer = await sendMessage(message)
      if (answer === null) return
      answers.set(message.messageId, answer)
    }
    capturedCount += 1
  }
  return {
    load: () => {
      let isGoing = true
      const work = async (): Promise<void> => {
        while (isGoing) await shop()
      }
      const workers = Promise.all(Array.from({ length: SHOPS }, work))
      return {
        captured: () => capturedCount,
        stop: async () => {
          isGoing = false
          await workers
        },
      }
    },
    verify: async (newUrl) => {
      bankUrl = newUrl
      for (const { authorise, capture } of payments) {
        for (const message of [authorise, capture]) {
          const repeatedAnswer = await sendMessage(message)
          expect(repeatedAnswer).not.toBeNull()
          if (answers.has(message.messageId)) expect(repeatedAnswer).toEqual(answers.get(message.messageId))
        }
      }
      const accountAfter = await accountOf(customer)
      expect(accountAfter).toEqual({
        ...accountBefore,
        availableMinor: accountBefore.availableMinor - payments.length * AMOUNT_MINOR,
      })
    },
  }
}

function newPayment(card: object): Payment {
  const authorisationId = randomUUID()
  const amount = { amountMinor: AMOUNT_MINOR, asset: 'USD' }
  const merchant = { name: 'Greenmarket', mcc: '5411', country: 'US' }
  const messageFields = () => ({ messageId: randomUUID(), authorisationId, ...amount })
  return {
    authorise: { type: 'authorise', ...messageFields(), card, entry: 'chip', merchant } as Message,
    capture: { type: 'capture', ...messageFields() } as Message,
  }
}

async function mainCard(customer: Browser): Promise<object> {
  const { cards } = await (await customer.get('/api/v1/cards')).json()
  const main = cards.find(({ kind }: { kind: string }) => kind === 'main')
  const details = await customer.post(`/api/v1/cards/${main.id}/details`)
  expect(details.status).toBe(200)
  const { number, expiresOn, cvv } = await details.json()
  return { number, cvv, expiry: `${expiresOn.slice(5, 7)}/${expiresOn.slice(2, 4)}` }
}

async function accountOf(customer: Browser): Promise<{ availableMinor: number; heldMinor: number }> {
  const { account } = await (await customer.get('/api/v1/dashboard')).json()
  return { availableMinor: account.availableMinor, heldMinor: account.heldMinor }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sign } from '#server/platform/signature.ts'

/** A bank outside the cells that takes part in the clearing. It makes payments and receives none. */
export type OutsideBank = {
  cell: { name: string; routingNumber: string; hooksUrl: string; secret: string }
  /** Pays an account of a cell once. */
  pay(to: { routingNumber: string; accountNumber: string }, amountMinor: number): Promise<void>
  /** The events that the clearing sent about payouts, each event once, by event id. */
  payoutsByReference: Map<string, { type: string; amountMinor: number }>
  paidMinor(): number
  close(): Promise<void>
}

/** Sends a request to the clearing as a bank does. Returns the status, or null if there was no response. */
export async function askClearing(
  url: string,
  secret: string,
  endpoint: string,
  message: object,
): Promise<number | null> {
  const body = JSON.stringify(message)
  const { timestamp, signature } = sign(secret, body, new Date())
  const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
  const response = await fetch(`${url}/${endpoint}`, { method: 'POST', headers, body }).catch(() => null)
  await response?.text()
  return response?.status ?? null
}

export async function openOutsideBank(settings: { clearingUrl: string; routingNumber: string }): Promise<OutsideBank> {
  const payoutsByReference: OutsideBank['payoutsByReference'] = new Map()
  const secret = randomBytes(32).toString('base64url')
  let paidMinor = 0
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const event = JSON.parse(Buffer.concat(parts).toString()) as {
        eventId: string
        type: string
        amountMinor: number
      }
      payoutsByReference.set(event.eventId, event)
      outgoing.writeHead(200).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cell = {
    name: 'harbor',
    routingNumber: settings.routingNumber,
    hooksUrl: `http://localhost:${port}/hooks/rails`,
    secret,
  }
  return {
    cell,
    pay: async (recipient, amountMinor) => {
      const payout = { id: randomUUID(), amountMinor, asset: 'USD', payerName: 'Harbor Payroll', to: recipient }
      while ((await askClearing(`${settings.clearingUrl}/harbor`, secret, 'payouts', payout)) !== 202) await sleep(100)
      paidMinor += amountMinor
    },
    payoutsByReference,
    paidMinor: () => paidMinor,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSigned, sign } from '#server/platform/signature.ts'

export type RailRequest = {
  id: string
  /** The bank's status of a mandate or direct debit, in a report to the provider that collects it. */
  status?: string
  reason?: string
  method?: string
  amountMinor: number
  asset: string
  callbackUrl: string
  from?: object
  to?: object
}

/** Responds to a request of the bank. An error status or a missing response simulates a fault of the provider. */
type Behaviour = (outgoing: ServerResponse, request: RailRequest) => void

const accept: Behaviour = (outgoing) => void outgoing.writeHead(202).end('{}')

/** A local payment provider with scripted responses. `url` and `secret` are values for the bank's configuration. */
export type TestRail = {
  url: string
  secret: string
  /** The received requests. `signed` is true if the signature was correct; `key` is the idempotency key. */
  requests: (RailRequest & { path: string | undefined; signed: boolean; key: string | undefined })[]
  behave(next: Behaviour): void
  /** Sends an event to the bank at `callbackUrl`, signed with the secret by default. */
  tell(callbackUrl: string, event: object, how?: EventOptions): Promise<Response>
  close(): Promise<void>
}

type EventOptions = { secret?: string; at?: Date; headers?: Record<string, string>; body?: string }

/** Opens a provider that accepts every request by default. `now` is the provider's clock. */
export async function openRail(now: () => Date = () => new Date()): Promise<TestRail> {
  const secret = `rail ${randomUUID()}`
  const requests: TestRail['requests'] = []
  let behaviour = accept
  const server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      const { 'alder-timestamp': timestamp, 'alder-signature': signature, 'idempotency-key': key } = incoming.headers
      const signed = isSigned(secret, body, { timestamp: String(timestamp), signature: String(signature) }, now())
      const request = JSON.parse(body) as RailRequest
      requests.push({ ...request, path: incoming.url, signed, key: key?.toString() })
      behaviour(outgoing, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    secret,
    requests,
    behave: (next) => {
      behaviour = next
    },
    tell: (callbackUrl, event, how = {}) => {
      const body = how.body ?? JSON.stringify(event)
      const { timestamp, signature } = sign(how.secret ?? secret, body, how.at ?? now())
      const headers = {
        'content-type': 'application/json',
        'alder-timestamp': timestamp,
        'alder-signature': signature,
        ...how.headers,
      }
      return fetch(callbackUrl, { method: 'POST', headers, body })
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

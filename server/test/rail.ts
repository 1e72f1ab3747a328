import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSigned, sign } from '#server/platform/signature.ts'

export type Asked = {
  id: string
  /** Of a mandate or a direct debit that the provider passed on. */
  status?: string
  reason?: string
  method?: string
  amountMinor: number
  asset: string
  callbackUrl: string
  from?: object
  to?: object
}

/** Answers a request to collect or to pay out; what it throws or never says is the provider's own fault. */
type Behaviour = (outgoing: ServerResponse, asked: Asked) => void

const accept: Behaviour = (outgoing) => void outgoing.writeHead(202).end('{}')

/** A provider that collects money and pays it out, as the bank's operator would configure one: on this computer, and as told. */
export type TestRail = {
  url: string
  secret: string
  /** What it was asked, and whether it was signed as agreed. */
  asked: (Asked & { path: string | undefined; signed: boolean; key: string | undefined })[]
  behave(next: Behaviour): void
  /** Tells the bank at `callbackUrl` an event, signed with the secret unless told otherwise. */
  tell(callbackUrl: string, event: object, how?: Telling): Promise<Response>
  close(): Promise<void>
}

type Telling = { secret?: string; at?: Date; headers?: Record<string, string>; body?: string }

/** Opens a provider that accepts whatever it is asked until told otherwise. `now` is what its watch says. */
export async function openRail(now: () => Date = () => new Date()): Promise<TestRail> {
  const secret = `rail ${randomUUID()}`
  const asked: TestRail['asked'] = []
  let behaviour = accept
  const server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      const { 'alder-timestamp': timestamp, 'alder-signature': signature, 'idempotency-key': key } = incoming.headers
      const signed = isSigned(secret, body, { timestamp: String(timestamp), signature: String(signature) }, now())
      const request = JSON.parse(body) as Asked
      asked.push({ ...request, path: incoming.url, signed, key: key?.toString() })
      behaviour(outgoing, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    secret,
    asked,
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

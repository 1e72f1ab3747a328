import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import { type ClearingStatus, acceptPayout, acceptReturn } from '#server/clearing/accept-payments.ts'
import type { Cell, ClearingConfig } from '#server/clearing/cells.ts'
import { createJournal } from '#server/clearing/journal.ts'
import { startEventDelivery } from '#server/clearing/deliver-events.ts'
import { realNow } from '#server/platform/clock.ts'
import { parseStrictJson } from '#server/platform/http/strict-json.ts'
import { isSigned } from '#server/platform/signature.ts'

/** The maximum size of a request. A bank's request has a few hundred bytes. */
const MAX_BYTES = 16 * 1024
const PATIENCE_MS = 10_000

export type RunningClearing = { port: number; stop(): Promise<void> }

/**
 * Serves the provider's side of the rail for several cells (docs/providers.md, "Money from outside"): a payout of one cell
 * arrives at another. `report` receives messages for the operator.
 */
export async function serveClearing(
  pool: Pool,
  { cells, port }: ClearingConfig,
  report: (sentence: string) => void,
): Promise<RunningClearing> {
  await createJournal(pool)
  const telling = startEventDelivery(pool, cells, report)
  const answer = async (incoming: IncomingMessage): Promise<number> => {
    const [, name, resource] = /^\/([^/]+)\/(\w+)$/.exec(incoming.url ?? '') ?? []
    const cell = cells.find((candidate) => candidate.name === name)
    if (!cell || incoming.method !== 'POST') return 404
    const body = await bodyOf(incoming)
    if (body === null) return 413
    if (!isSignedBy(cell, incoming, body)) return 401
    return answerTo(pool, cells, { cell, what: resource, body })
  }
  const server = createServer({ requestTimeout: PATIENCE_MS }, (incoming, outgoing) => {
    answer(incoming)
      .catch((error: unknown) => {
        report(`a request could not be processed: ${(error as Error).message}`)
        return 503
      })
      .then((status) => {
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{}')
        telling.call()
      })
      .catch(() => outgoing.destroy())
  })
  await listen(server, port)
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await telling.stop()
    },
  }
}

/** Listens on this machine without TLS. A proxy in front of the server provides TLS. */
async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

function isSignedBy({ secret }: Cell, { headers }: IncomingMessage, body: string): boolean {
  const { 'alder-timestamp': timestamp, 'alder-signature': signature } = headers
  return isSigned(secret, body, { timestamp: String(timestamp), signature: String(signature) }, realNow())
}

type Request = { cell: Cell; what: string | undefined; body: string }

/**
 * Answers a request. Only payouts and returns are possible between cells. Collections from accounts elsewhere, direct debits
 * and card payments are refused.
 */
function answerTo(
  pool: Pool,
  cells: readonly Cell[],
  { cell, what: resource, body }: Request,
): Promise<ClearingStatus> {
  const content = parseJson(body)
  if (resource === 'payouts') return acceptPayout(pool, cells, cell, content)
  if (resource === 'returns') return acceptReturn(pool, cell, content)
  return Promise.resolve(422)
}

/** Parses JSON. Returns undefined for invalid JSON or a repeated key. */
function parseJson(body: string): unknown {
  try {
    return parseStrictJson(body)
  } catch {
    return undefined
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

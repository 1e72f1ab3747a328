import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import { type Answer, acceptPayout, acceptReturn } from '#server/clearing/asking.ts'
import type { Cell, Clearing } from '#server/clearing/cells.ts'
import { makeJournal } from '#server/clearing/journal.ts'
import { startTelling } from '#server/clearing/telling.ts'
import { realNow } from '#server/platform/clock.ts'
import { parseUnambiguous } from '#server/platform/http/unambiguous.ts'
import { isSigned } from '#server/platform/signature.ts'

/** A request of a bank is a few hundred bytes. */
const MOST_BYTES = 16 * 1024
const PATIENCE_MS = 10_000

export type RunningClearing = { port: number; stop(): Promise<void> }

/**
 * The provider's side of the rail for several cells (docs/providers.md, "Money from outside"): what one pays out comes in at another.
 * `say` is told what an operator should read.
 */
export async function serveClearing(
  pool: Pool,
  { cells, port }: Clearing,
  say: (sentence: string) => void,
): Promise<RunningClearing> {
  await makeJournal(pool)
  const telling = startTelling(pool, cells, say)
  const answer = async (incoming: IncomingMessage): Promise<number> => {
    const [, name, what] = /^\/([^/]+)\/(\w+)$/.exec(incoming.url ?? '') ?? []
    const cell = cells.find((one) => one.name === name)
    if (!cell || incoming.method !== 'POST') return 404
    const body = await bodyOf(incoming)
    if (body === null) return 413
    if (!isSignedBy(cell, incoming, body)) return 401
    return answerTo(pool, cells, { cell, what, body })
  }
  const server = createServer({ requestTimeout: PATIENCE_MS }, (incoming, outgoing) => {
    answer(incoming)
      .catch((error: unknown) => {
        say(`a request could not be taken: ${(error as Error).message}`)
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

/** A proxy in front of it speaks TLS. */
async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

function isSignedBy({ secret }: Cell, { headers }: IncomingMessage, body: string): boolean {
  const { 'alder-timestamp': timestamp, 'alder-signature': signature } = headers
  return isSigned(secret, body, { timestamp: String(timestamp), signature: String(signature) }, realNow())
}

type Request = { cell: Cell; what: string | undefined; body: string }

/** What cells do not do for each other (collecting from an account elsewhere, direct debits, cards) is never done. */
function answerTo(pool: Pool, cells: readonly Cell[], { cell, what, body }: Request): Promise<Answer> {
  const asked = parsed(body)
  if (what === 'payouts') return acceptPayout(pool, cells, cell, asked)
  if (what === 'returns') return acceptReturn(pool, cell, asked)
  return Promise.resolve(422)
}

/** Undefined for what is no JSON, or says a thing twice. */
function parsed(body: string): unknown {
  try {
    return parseUnambiguous(body)
  } catch {
    return undefined
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

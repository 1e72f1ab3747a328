import { z } from 'zod'
import { PRICED, type Priced } from '#contract/markets.ts'
import type { Price } from '#server/markets/feed/port.ts'

/** The publisher of prices, from PRICE_FEED_URL and PRICE_FEED_TOKEN. */
export type PriceSource = { url: string; token: string | null; timeoutMs: number }

/** The largest answer accepted, in bytes. All prices together take far less. */
const MAX_BYTES = 64 * 1024

/** The number of decimal places in a price. Prices are stored in millionths of a dollar. */
const DECIMALS = 6

/**
 * Fetches the current prices (docs/providers.md defines the protocol). Leaves out invalid entries, assets that occur more than
 * once, and assets that the bank does not sell. Throws if no complete answer arrives within `timeoutMs`, or if the answer
 * has another status than 200, is too large or is not a list of prices.
 */
export async function fetchPrices({ url, token, timeoutMs }: PriceSource): Promise<Price[]> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    // Redirects are refused, so that the token is never sent to another address.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Error(`The price feed answered ${answer.status}`)
  }
  return readPrices(JSON.parse(await textOf(answer)))
}

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength
    // Leaving the loop closes the connection.
    if (bytes > MAX_BYTES) throw new Error('The price feed sent too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const answerSchema = z.object({ prices: z.array(z.unknown()).max(1_000) })
const entrySchema = z.object({ asset: z.enum(PRICED), price: z.string(), at: z.iso.datetime({ offset: true }) })

function readPrices(body: unknown): Price[] {
  const named = new Map<Priced, number>()
  const prices: Price[] = []
  for (const entry of answerSchema.parse(body).prices) {
    const { data } = entrySchema.safeParse(entry)
    if (!data) continue
    named.set(data.asset, (named.get(data.asset) ?? 0) + 1)
    const priceMicros = readPrice(data.price)
    if (priceMicros !== null) prices.push({ asset: data.asset, priceMicros, at: new Date(data.at) })
  }
  return prices.filter(({ asset }) => named.get(asset) === 1)
}

/**
 * Converts a price in US dollars from text to millionths. Returns null for an invalid price: zero, a sign, an exponent, more
 * than six decimals, or more than a number can represent exactly.
 */
export function readPrice(text: string): number | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) return null
  const micros = BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(DECIMALS, '0'))
  return micros > 0n && micros <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(micros) : null
}

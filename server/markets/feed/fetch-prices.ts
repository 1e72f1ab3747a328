import { z } from 'zod'
import { PRICED, type Priced } from '#contract/markets.ts'
import type { Price } from '#server/markets/feed/port.ts'

/** Who publishes prices, as PRICE_FEED_URL and PRICE_FEED_TOKEN say. */
export type PriceSource = { url: string; token: string | null; timeoutMs: number }

/** Far more than all prices take, in bytes. */
const MOST_BYTES = 64 * 1024

/** Decimals of a price in millionths. */
const DECIMALS = 6

/**
 * Asks for the current prices (docs/providers.md has the protocol). An entry that is not one is left out, and so is an
 * asset that is named twice; what the bank does not sell is ignored. Throws where there is no whole answer within
 * `timeoutMs`.
 */
export async function fetchPrices({ url, token, timeoutMs }: PriceSource): Promise<Price[]> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    // The token is for this address alone.
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
    // Leaving the loop ends the connection.
    if (bytes > MOST_BYTES) throw new Error('The price feed sent too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const answerSchema = z.object({ prices: z.array(z.unknown()).max(1_000) })
const entrySchema = z.object({ asset: z.enum(PRICED), price: z.string(), at: z.iso.datetime({ offset: true }) })

function readPrices(said: unknown): Price[] {
  const named = new Map<Priced, number>()
  const prices: Price[] = []
  for (const entry of answerSchema.parse(said).prices) {
    const { data } = entrySchema.safeParse(entry)
    if (!data) continue
    named.set(data.asset, (named.get(data.asset) ?? 0) + 1)
    const priceMicros = readPrice(data.price)
    if (priceMicros !== null) prices.push({ asset: data.asset, priceMicros, at: new Date(data.at) })
  }
  return prices.filter(({ asset }) => named.get(asset) === 1)
}

/**
 * A price in US dollars as text, in millionths; null for what is none: zero, a sign, an exponent, more than six decimals,
 * or more than a number holds exactly.
 */
export function readPrice(text: string): number | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) return null
  const micros = BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(DECIMALS, '0'))
  return micros > 0n && micros <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(micros) : null
}

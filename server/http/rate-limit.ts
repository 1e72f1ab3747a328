import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { createMiddleware } from 'hono/factory'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { Bank } from '#server/bank.ts'
import { clientAddress } from '#server/http/caller.ts'
import type { BankEnv } from '#server/http/context.ts'

/** What limits count an address as: of an IPv6 one only the network, since a subscriber owns all addresses in it. */
function sourceOf(c: Context<BankEnv>): string {
  const address = clientAddress(c)
  return isIPv6(address) ? networkOf(address) : address
}

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter(Boolean)
  const ending = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const missing = Math.max(0, 8 - groups.length - ending.length)
  return [...groups, ...Array<string>(missing).fill('0'), ...ending].slice(0, 4).join(':')
}

type Limit = { name: string; points: number; seconds: number }

/** Throws Refusal `too_many_requests` once an address has asked more than `points` times in `seconds`, on all servers together. */
export function limitByAddress(bank: Pick<Bank, 'pool'>, { name, points, seconds }: Limit) {
  const limiter = new RateLimiterPostgres({
    storeClient: bank.pool,
    storeType: 'pool',
    schemaName: 'bank',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
    inMemoryBlockOnConsumed: points + 1,
  })
  return createMiddleware<BankEnv>(async (c, next) => {
    // Kept under a digest, because an address is personal data and the table needs only to tell two apart.
    const key = createHmac('sha256', c.get('bank').config.secret).update(sourceOf(c)).digest('base64url')
    try {
      await limiter.consume(key)
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected
      c.header('Retry-After', String(Math.ceil(rejected.msBeforeNext / 1000)))
      throw new Refusal('too_many_requests')
    }
    return next()
  })
}

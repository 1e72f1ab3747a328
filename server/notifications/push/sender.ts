import { lookup as resolveLocally, type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import webPush from 'web-push'
import type { PushMessage, PushSubscriptionContent } from '#contract/push.ts'
import type { Config } from '#server/bank/config.ts'
import { isPublicAddress } from '#server/platform/http/address.ts'
import { vapidKeys } from '#server/notifications/push/keys.ts'

/**
 * What became of a message. `taken`, maybe only after a long time. `gone`: the browser takes no more. `refused`: this
 * message will never be taken. `failed`: it may be taken later, after `retryAfterMs` where the push service says so.
 */
export type PushOutcome =
  | { result: 'taken'; slowly: boolean }
  | { result: 'gone' }
  | { result: 'refused' }
  | { result: 'failed'; retryAfterMs: number | null }

export type PushSender = {
  publicKey: string
  /** Whether the bank sends to an address at all. It comes from a customer's browser, or from whoever says to be one. */
  allows(endpoint: string): boolean
  send(subscription: PushSubscriptionContent, message: PushMessage): Promise<PushOutcome>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    push: PushSender
  }
}

/** How long a push service has for its response, in milliseconds. */
const TIMEOUT_MS = 4_000
/** How long a name server has, in milliseconds; one of them is asked once more. */
const NAME_TIMEOUT_MS = 1_000
/** How long it keeps a message for a browser that is not running, in seconds. */
const TTL_SECONDS = 24 * 60 * 60
const MOST_RETRY_AFTER_MS = 60 * 60_000

/** A refusal of these says that the subscription is none, or is for other keys than the bank's. */
const GONE = new Set([401, 403, 404, 410])

type Resolve = (hostname: string, callback: (error: Error | null, found: LookupAddress[]) => void) => void

type SenderOptions = {
  /** Whether this computer may be sent to, without encryption: for tests. */
  loopback?: boolean
  resolve?: Resolve
  /** Who is asked for names, address:port; those of this computer unless told. */
  nameServers?: readonly string[]
  timeoutMs?: number
}

class ForbiddenAddress extends Error {}

/** Sends messages to browsers by way of their push services, and to nothing that is no server of the internet. */
export function openPushSender(config: Pick<Config, 'secret' | 'origin'>, options: SenderOptions = {}): PushSender {
  const { loopback = false, timeoutMs = TIMEOUT_MS } = options
  const resolve = options.resolve ?? (loopback ? resolveHere : resolveByServers(options.nameServers))
  const keys = vapidKeys(config)
  const subject = config.origin?.startsWith('https:') ? config.origin : 'mailto:push@alder.example'
  const allows = (endpoint: string): boolean => {
    const url = URL.parse(endpoint)
    if (!url || url.username !== '' || url.password !== '') return false
    if (loopback && url.hostname === 'localhost') return true
    // Push services have names, which are looked up as they are connected to.
    const isName = url.hostname.includes('.') && isIP(url.hostname) === 0
    return url.protocol === 'https:' && url.port === '' && isName
  }
  const lookup = guardedLookup(resolve, (address) => loopback || isPublicAddress(address))
  return {
    publicKey: keys.publicKey,
    allows,
    async send(subscription, message) {
      if (!allows(subscription.endpoint)) return { result: 'gone' }
      const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
        vapidDetails: { subject, ...keys },
        TTL: TTL_SECONDS,
        // A phone that sleeps is woken: whoever did not pay wants to know now.
        urgency: 'high',
      })
      const started = performance.now()
      try {
        const answer = await post(new URL(subscription.endpoint), { headers, body, lookup, timeoutMs })
        return outcomeOf(answer, performance.now() - started > (timeoutMs * 3) / 4)
      } catch (error) {
        return error instanceof ForbiddenAddress ? { result: 'gone' } : { result: 'failed', retryAfterMs: null }
      }
    },
  }
}

const resolveHere: Resolve = (host, done) => resolveLocally(host, { all: true }, done)

/**
 * Asks name servers itself. The operating system would be asked on one of the few threads that hash passwords and read
 * files, too, and whoever has a subscription's name answered by nobody would have all of these wait.
 */
function resolveByServers(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: NAME_TIMEOUT_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  return callbackify(async (host: string) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    )
  })
}

/** Looks a name up as it is connected to, so that it cannot mean one address now and another one then. */
function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname, (error, found) => {
      const [first] = found ?? []
      if (error || !first) callback(error ?? new Error('No address'), '', 0)
      else if (!found.every(({ address }) => isAllowed(address))) callback(new ForbiddenAddress(), '', 0)
      else if (all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}

type Answer = Pick<http.IncomingMessage, 'statusCode' | 'headers'>

type Sent = { headers: http.OutgoingHttpHeaders; body: Buffer | null; lookup: LookupFunction; timeoutMs: number }

/** Follows no redirect, and does not wait for a body. */
function post(url: URL, { headers, body, lookup, timeoutMs }: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { request } = url.protocol === 'https:' ? https : http
  const signal = AbortSignal.timeout(timeoutMs)
  // A connection of its own: one that is kept would have been looked up by an earlier rule.
  const asked = request(url, { method: 'POST', headers, lookup, signal, agent: false }, (answer) => {
    resolve(answer)
    answer.destroy()
  })
  asked.on('error', reject)
  asked.end(body)
  return promise
}

function outcomeOf({ statusCode = 0, headers }: Answer, slowly: boolean): PushOutcome {
  if (statusCode >= 200 && statusCode < 300) return { result: 'taken', slowly }
  if (GONE.has(statusCode)) return { result: 'gone' }
  if (statusCode !== 429 && statusCode < 500) return { result: 'refused' }
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return {
    result: 'failed',
    retryAfterMs: seconds > 0 ? Math.min(seconds * 1_000, MOST_RETRY_AFTER_MS) : null,
  }
}

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
 * The result of sending a message. `taken`: accepted, perhaps slowly. `gone`: the subscription has ended. `refused`: this
 * message will never be accepted. `failed`: a later attempt may succeed, after `retryAfterMs` if the push service requests a
 * delay.
 */
export type PushOutcome =
  | { result: 'taken'; slowly: boolean }
  | { result: 'gone' }
  | { result: 'refused' }
  | { result: 'failed'; retryAfterMs: number | null }

export type PushSender = {
  publicKey: string
  /** Returns whether the bank may send to an address. The address comes from a client, which might not be a browser. */
  allows(endpoint: string): boolean
  send(subscription: PushSubscriptionContent, message: PushMessage): Promise<PushOutcome>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    push: PushSender
  }
}

/** The time limit for a push service's response, in milliseconds. */
const TIMEOUT_MS = 4_000
/** The time limit of a name server, in milliseconds. A query is repeated once. */
const NAME_TIMEOUT_MS = 1_000
/** The time for which the push service keeps a message for an offline browser, in seconds. */
const TTL_SECONDS = 24 * 60 * 60
const MAX_RETRY_AFTER_MS = 60 * 60_000

/** The statuses for a subscription that does not exist or belongs to other keys than the bank's. */
const GONE = new Set([401, 403, 404, 410])

type Resolve = (hostname: string, callback: (error: Error | null, found: LookupAddress[]) => void) => void

type SenderOptions = {
  /** Whether sending to this computer without encryption is allowed, for tests. */
  loopback?: boolean
  resolve?: Resolve
  /** The name servers as address:port. The default is the computer's own configuration. */
  nameServers?: readonly string[]
  timeoutMs?: number
}

class ForbiddenAddress extends Error {}

/** Opens a sender of messages to browsers through their push services. It sends only to public internet servers. */
export function openPushSender(config: Pick<Config, 'secret' | 'origin'>, options: SenderOptions = {}): PushSender {
  const { loopback = false, timeoutMs = TIMEOUT_MS } = options
  const resolve = options.resolve ?? (loopback ? resolveHere : resolveByServers(options.nameServers))
  const keys = vapidKeys(config)
  const subject = config.origin?.startsWith('https:') ? config.origin : 'mailto:push@alder.example'
  const allows = (endpoint: string): boolean => {
    const url = URL.parse(endpoint)
    if (!url || url.username !== '' || url.password !== '') return false
    if (loopback && url.hostname === 'localhost') return true
    // Push services have host names. The sender resolves the name when it connects.
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
        // Urgency `high` wakes a sleeping phone: customers must learn at once of a payment that they did not make.
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
 * Returns a function that queries name servers directly. The operating system's look-up would use the few threads that also
 * hash passwords and read files. A name whose servers do not respond would block those threads.
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

/** Resolves a name while connecting and checks the address. The name therefore cannot change its address after the check. */
function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all: isAllWanted }, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) callback(error ?? new Error('No address'), '', 0)
      else if (!addresses.every(({ address }) => isAllowed(address))) callback(new ForbiddenAddress(), '', 0)
      else if (isAllWanted) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

type Answer = Pick<http.IncomingMessage, 'statusCode' | 'headers'>

type PushRequest = { headers: http.OutgoingHttpHeaders; body: Buffer | null; lookup: LookupFunction; timeoutMs: number }

/** Posts without following redirects or waiting for the response's body. */
function post(url: URL, { headers, body, lookup, timeoutMs }: PushRequest): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { request } = url.protocol === 'https:' ? https : http
  const signal = AbortSignal.timeout(timeoutMs)
  // Each request has a new connection. A reused one might have been opened to an address that was checked under other rules.
  const outgoing = request(url, { method: 'POST', headers, lookup, signal, agent: false }, (answer) => {
    resolve(answer)
    answer.destroy()
  })
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

function outcomeOf({ statusCode = 0, headers }: Answer, slowly: boolean): PushOutcome {
  if (statusCode >= 200 && statusCode < 300) return { result: 'taken', slowly }
  if (GONE.has(statusCode)) return { result: 'gone' }
  if (statusCode !== 429 && statusCode < 500) return { result: 'refused' }
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return {
    result: 'failed',
    retryAfterMs: seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : null,
  }
}

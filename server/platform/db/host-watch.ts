import { Socket } from 'node:net'
import pg from 'pg'

export type HostWatchOptions = {
  /** The silence on all connections of the pools after which the host is probed, in milliseconds. */
  silenceMs?: number
  /** The time that the host has to answer a probe, in milliseconds. */
  probeMs?: number
  /** The silence after which a connection in use is closed even if the host answers, in milliseconds; null for never. */
  connectionSilenceMs?: number | null
}

const SILENCE_MS = 1_000
const PROBE_MS = 2_000
const CHECK_MS = 250

/** Returns an error with Node's code for an unreachable host, which the rest of the bank handles. */
const hostGoneError = (): Error =>
  Object.assign(new Error('The database host does not answer'), { code: 'EHOSTUNREACH' })

/**
 * A watch for a vanished host. A vanished host leaves connections open on which nothing arrives any more. Without the watch,
 * statements would wait on them for a quarter of an hour, until the operating system gives up. A probe on a separate connection
 * distinguishes a vanished host from a slow statement: a host with a slow statement answers the probe.
 */
export type HostWatch = {
  /** Creates sockets for the pool's `stream` setting. While the host is gone, connecting fails at once. */
  stream: () => Socket
  /**
   * Adds a pool of this host to the watch. If the host is gone, the connections of all watched pools are closed, and the
   * statements on them fail.
   */
  watch(pool: pg.Pool): void
}

type Heard = { bytes: number; at: number }

export function hostWatch(options: HostWatchOptions = {}): HostWatch {
  const { silenceMs = SILENCE_MS, probeMs = PROBE_MS, connectionSilenceMs = null } = options
  const pools = new Set<pg.Pool>()
  const heardByClient = new Map<pg.PoolClient, Heard>()
  const inUse = new Set<pg.PoolClient>()
  let isGone = false
  let heardAt = performance.now()
  let checkedAt = heardAt
  let isProbing = false
  let timer: NodeJS.Timeout | null = null

  const listen = (now: number): void => {
    for (const [client, heard] of heardByClient) {
      const bytes = bytesFrom(client)
      if (bytes === heard.bytes) continue
      Object.assign(heard, { bytes, at: now })
      heardAt = now
    }
  }
  const probe = async (pool: pg.Pool): Promise<void> => {
    isProbing = true
    const startedAt = performance.now()
    const hasAnswered = await hostAnswers(pool, probeMs)
    isProbing = false
    listen(performance.now())
    isGone = !hasAnswered && heardAt < startedAt
    if (!isGone) heardAt = performance.now()
    else for (const client of heardByClient.keys()) client.connection.stream.destroy()
  }
  const check = (): void => {
    const now = performance.now()
    // If this process was too busy for a check, arrived data may still be unread. So the silence is measured from now on.
    if (now - checkedAt > 4 * CHECK_MS) heardAt = now
    checkedAt = now
    for (const pool of pools) if (pool.ended) pools.delete(pool)
    const [pool] = pools
    if (!pool) return stop()
    listen(now)
    if (isProbing) return
    if (isGone || (inUse.size > 0 && now - heardAt >= silenceMs)) void probe(pool)
    for (const client of inUse) {
      const { at } = heardByClient.get(client) ?? { at: now }
      if (connectionSilenceMs !== null && now - at >= connectionSilenceMs) client.connection.stream.destroy()
    }
  }
  const stop = (): void => {
    if (timer) clearInterval(timer)
    timer = null
  }

  return {
    stream: () => {
      const socket = new Socket()
      if (isGone) setImmediate(() => socket.destroy(hostGoneError()))
      return socket
    },
    watch: (pool) => {
      pools.add(pool)
      pool.on('connect', (client) => heardByClient.set(client, { bytes: bytesFrom(client), at: performance.now() }))
      pool.on('remove', (client) => heardByClient.delete(client))
      pool.on('release', (_error, client) => inUse.delete(client))
      pool.on('acquire', (client) => {
        const heard = heardByClient.get(client)
        if (heard) heard.at = performance.now()
        if (inUse.size === 0) heardAt = performance.now()
        inUse.add(client)
      })
      timer ??= setInterval(check, CHECK_MS).unref()
    },
  }
}

const bytesFrom = ({ connection }: pg.PoolClient): number => (connection.stream as Socket).bytesRead

/** Returns whether the host answers a new connection with anything at all, even a refusal. */
async function hostAnswers(pool: pg.Pool, ms: number): Promise<boolean> {
  const { stream: _stream, ...settings } = pool.options
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: ms })
  client.on('error', () => undefined)
  const startedAt = performance.now()
  try {
    await client.connect()
    return true
  } catch {
    return performance.now() - startedAt < ms * 0.9
  } finally {
    void client.end().catch(() => undefined)
  }
}

import { Socket } from 'node:net'
import pg from 'pg'

export type HostWatchOptions = {
  /** How long nothing comes from the host, on any connection of the pools, before it is asked whether it is there. */
  silenceMs?: number
  /** How long it has to answer that. */
  probeMs?: number
  /** A connection in use from which nothing has come for so long is given up, though the host be there; null for never. */
  connectionSilenceMs?: number | null
}

const SILENCE_MS = 1_000
const PROBE_MS = 2_000
const CHECK_MS = 250

/** With Node's code for a host that cannot be reached, which the rest of the bank knows. */
const gone = (): Error => Object.assign(new Error('The database host does not answer'), { code: 'EHOSTUNREACH' })

/**
 * What a host that has vanished leaves behind: connections that stay open and on which nothing comes any more. Without
 * this, statements would wait on them for a quarter of an hour, until the operating system gives up. A slow statement is
 * told from that by a probe on a connection of its own, which its host answers.
 */
export type HostWatch = {
  /** For the pool's `stream` setting: while the host is known to be gone, connecting fails at once. */
  stream: () => Socket
  /**
   * Begins to watch one more pool of this host. Connections to a host that is gone fail, and with them the statements on
   * them: what one pool finds out, all of them know.
   */
  watch(pool: pg.Pool): void
}

type Heard = { bytes: number; at: number }

export function hostWatch(options: HostWatchOptions = {}): HostWatch {
  const { silenceMs = SILENCE_MS, probeMs = PROBE_MS, connectionSilenceMs = null } = options
  const pools = new Set<pg.Pool>()
  const all = new Map<pg.PoolClient, Heard>()
  const inUse = new Set<pg.PoolClient>()
  let isGone = false
  let heardAt = performance.now()
  let checkedAt = heardAt
  let probing = false
  let timer: NodeJS.Timeout | null = null

  const listen = (now: number): void => {
    for (const [client, heard] of all) {
      const bytes = bytesFrom(client)
      if (bytes === heard.bytes) continue
      Object.assign(heard, { bytes, at: now })
      heardAt = now
    }
  }
  const probe = async (pool: pg.Pool): Promise<void> => {
    probing = true
    const startedAt = performance.now()
    const answered = await hostAnswers(pool, probeMs)
    probing = false
    listen(performance.now())
    isGone = !answered && heardAt < startedAt
    if (!isGone) heardAt = performance.now()
    else for (const client of all.keys()) client.connection.stream.destroy()
  }
  const check = (): void => {
    const now = performance.now()
    // Where we were too busy to look, what has come is still to be read.
    if (now - checkedAt > 4 * CHECK_MS) heardAt = now
    checkedAt = now
    for (const pool of pools) if (pool.ended) pools.delete(pool)
    const [pool] = pools
    if (!pool) return stop()
    listen(now)
    if (probing) return
    if (isGone || (inUse.size > 0 && now - heardAt >= silenceMs)) void probe(pool)
    for (const client of inUse) {
      const { at } = all.get(client) ?? { at: now }
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
      if (isGone) setImmediate(() => socket.destroy(gone()))
      return socket
    },
    watch: (pool) => {
      pools.add(pool)
      pool.on('connect', (client) => all.set(client, { bytes: bytesFrom(client), at: performance.now() }))
      pool.on('remove', (client) => all.delete(client))
      pool.on('release', (_error, client) => inUse.delete(client))
      pool.on('acquire', (client) => {
        const heard = all.get(client)
        if (heard) heard.at = performance.now()
        if (inUse.size === 0) heardAt = performance.now()
        inUse.add(client)
      })
      timer ??= setInterval(check, CHECK_MS).unref()
    },
  }
}

const bytesFrom = ({ connection }: pg.PoolClient): number => (connection.stream as Socket).bytesRead

/** Whether the host says anything at all, a refusal included, on a new connection. */
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

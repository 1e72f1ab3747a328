import { randomInt } from 'node:crypto'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { z } from 'zod'
import type { LiveEvent } from '#contract/events.ts'
import type { Deps } from '#server/platform/deps.ts'
import { clientNetwork } from '#server/platform/http/caller.ts'
import { routes } from '#server/identity/access/route.ts'
import { isSessionLive } from '#server/identity/sessions/sessions.ts'

/** The interval of heartbeats and session checks, in milliseconds. Proxies cut a stream that is silent for long. */
const HEARTBEAT_MS = 25_000
/** The interval, in milliseconds, within which events of one kind become one event. */
const GATHER_MS = 150
/**
 * The time that a browser waits before it reopens a broken stream, in milliseconds. It is random, so that not all browsers
 * reconnect at the same moment after a restart.
 */
const RETRY_MS = { least: 500, most: 5_000 }

const retryMs = (): number => randomInt(RETRY_MS.least, RETRY_MS.most)

/** Returns a function that writes events. It writes the first event at once and combines events that follow closely. */
function gatherer(stream: SSEStreamingApi) {
  const timers = new Map<LiveEvent['type'], { timer: NodeJS.Timeout; more: boolean }>()
  const write = (type: LiveEvent['type']) => {
    void stream.writeSSE({ data: JSON.stringify({ type } satisfies LiveEvent) })
    const entry = {
      more: false,
      timer: setTimeout(() => {
        timers.delete(type)
        if (entry.more) write(type)
      }, GATHER_MS),
    }
    timers.set(type, entry)
  }
  return {
    add(type: LiveEvent['type']) {
      const entry = timers.get(type)
      if (entry) entry.more = true
      else write(type)
    },
    stop() {
      for (const { timer } of timers.values()) clearTimeout(timer)
    },
  }
}

type Streamed = {
  stream: SSEStreamingApi
  customerId: string
  session: string
  network: string
  heartbeatMs: number
}

/** Streams events until the browser leaves, the session ends, newer streams replace this one, or the server stops. */
async function streamEvents(
  deps: Pick<Deps, 'events' | 'streams' | 'db' | 'clock' | 'policy'>,
  options: Streamed,
): Promise<void> {
  const { stream, customerId, session, network, heartbeatMs } = options
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const gather = gatherer(stream)
  const beat = async () => {
    // If the database does not respond, the stream stays open.
    const lives = await isSessionLive(deps, session).catch(() => true)
    if (!lives) end()
    else await stream.write(': still here\n\n')
  }
  const leave = deps.streams.open({
    session,
    customerId,
    network,
    // A tab that receives this event does not reconnect at once. Otherwise tabs would keep closing each other's streams.
    replace: () =>
      void stream.writeSSE({ data: JSON.stringify({ type: 'replaced' } satisfies LiveEvent) }).then(end, end),
  })
  const unsubscribe = deps.events.subscribe(customerId, (type) => {
    if (type === 'closed') end()
    else if (type === 'session') void beat()
    else gather.add(type)
  })
  const heartbeat = setInterval(() => void beat(), heartbeatMs)
  stream.onAbort(end)
  await stream.write(`retry: ${retryMs()}\n\n`)
  await over
  clearInterval(heartbeat)
  gather.stop()
  unsubscribe()
  leave()
}

export function eventRoutes({ heartbeatMs = HEARTBEAT_MS }: { heartbeatMs?: number } = {}) {
  return routes('Events').get(
    '/events',
    {
      summary: 'Live events about changes',
      description:
        'Server-sent events. Each is a JSON object with the type of the changed data. The stream ends with its session.',
      responses: {
        200: {
          description: 'A stream of events',
          content: {
            'text/event-stream': {
              schema: z.string().meta({ example: `data: ${JSON.stringify({ type: 'balance' } satisfies LiveEvent)}` }),
            },
          },
        },
      },
    },
    (c) => {
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      const network = clientNetwork(c.http)
      // Without this header, proxies such as nginx hold events back until their buffer is full.
      c.http.header('X-Accel-Buffering', 'no')
      return streamSSE(c.http, (stream) => streamEvents(deps, { stream, customerId, session, network, heartbeatMs }))
    },
  )
}

import { randomInt } from 'node:crypto'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { z } from 'zod'
import type { LiveEvent } from '#contract/events.ts'
import type { Deps } from '#server/platform/deps.ts'
import { clientNetwork } from '#server/platform/http/caller.ts'
import { routes } from '#server/identity/access/route.ts'
import { sessionLives } from '#server/identity/sessions/sessions.ts'

/** Proxies cut a silent stream, and a session is looked at again this often. Milliseconds. */
const HEARTBEAT_MS = 25_000
/** Events of one kind that follow each other closer than this become one. Milliseconds. */
const GATHER_MS = 150
/**
 * How long a browser waits before it opens a broken stream again, each another time: after a restart they would all come at
 * the same moment. Milliseconds.
 */
const RETRY_MS = { least: 500, most: 5_000 }

const retryMs = (): number => randomInt(RETRY_MS.least, RETRY_MS.most)

/** Writes events, the first at once and those that follow closely together. */
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

/** Answers when the stream is over: the browser left, the session ended, newer streams took its place or the server stops. */
async function streamEvents(
  deps: Pick<Deps, 'events' | 'streams' | 'db' | 'clock' | 'policy'>,
  options: Streamed,
): Promise<void> {
  const { stream, customerId, session, network, heartbeatMs } = options
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const gather = gatherer(stream)
  const beat = async () => {
    // A database that does not answer is no reason to send anybody away.
    const lives = await sessionLives(deps, session).catch(() => true)
    if (!lives) end()
    else await stream.write(': still here\n\n')
  }
  const leave = deps.streams.open({
    session,
    customerId,
    network,
    // A tab that reads this does not reconnect at once, or tabs would keep closing each other's streams.
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
      summary: 'What changes, as it changes',
      description:
        'Server-sent events, each a JSON object with the type of what changed. The stream ends with its session.',
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
      // Proxies of the nginx family would otherwise keep events back until their buffer is full.
      c.http.header('X-Accel-Buffering', 'no')
      return streamSSE(c.http, (stream) => streamEvents(deps, { stream, customerId, session, network, heartbeatMs }))
    },
  )
}

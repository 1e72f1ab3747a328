import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { Logger } from 'pino'
import { Refusal } from '#contract/errors.ts'
import {
  BANK_EVENT,
  BANK_EVENT_TYPES,
  type BankEventType,
  eventPayloads,
  notifyWithin,
} from '#server/platform/events/bank-event.ts'
import { openWriteBuffer } from '#server/platform/write-buffer.ts'
import { MIGRATIONS_CHANNEL } from '#server/platform/db/compatibility.ts'
import { READ_ONLY } from '#server/platform/db/pool.ts'
import { errorCode } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** Receives the type of each change for one customer, and `closed` when the server stops. */
export type Listener = (type: BankEventType | 'closed') => void

/** Carries events about customers from the server that made a change to all servers that these customers are connected to. */
export type EventHub = {
  /** Calls `listener` on each event of the customer, until the returned function is called. */
  subscribe(customerId: string, listener: Listener): () => void
  /** Sends the event to the customers when the SQL transaction of `db` commits. */
  notify(db: Kysely<Database>, customerIds: string[], type: BankEventType): Promise<void>
  /**
   * Sends an event about a committed change a moment later, together with others, so that no commit waits for it. The event is
   * lost if the server dies in that moment, but clients refetch when they reconnect.
   */
  notifySoon(customerIds: Iterable<string>, type: BankEventType): void
  /** Ends every subscription. Events are still sent to other servers. */
  endSubscriptions(): void
  /** Ends every subscription, sends the waiting events and closes the hub's connection. */
  close(): Promise<void>
}

const message = z.object({ type: z.enum(BANK_EVENT_TYPES), holders: z.array(z.string()) })

/** The first and the longest pause before reconnecting, in milliseconds. */
const RECONNECT_FIRST_MS = 100
const MAX_RECONNECT_MS = 5_000
/** The interval between two probes of an idle connection, in milliseconds. A broken network reports no error by itself. */
const PROBE_MS = 5_000

type HubOptions = {
  /** Only the pool's settings are used: the hub listens on a separate connection. */
  pool: Pick<pg.Pool, 'options'>
  log: Pick<Logger, 'warn' | 'info'>
  /** Called when migrations are coming, have run, or may have run while the connection was lost. */
  onMigrations?: () => void
  /** The interval between two probes, and the time to answer one, in milliseconds; 5 s by default. */
  probeMs?: number
}

/** Opens a hub that listens. Throws if the first connection fails. Later failures are repaired by reconnecting. */
export async function openEventHub({
  pool,
  log,
  onMigrations = () => undefined,
  probeMs = PROBE_MS,
}: HubOptions): Promise<EventHub> {
  const subscribers = new Map<string, Set<Listener>>()
  const stopController = new AbortController()

  const dispatch = (holder: string, type: BankEventType | 'closed') => {
    for (const listener of subscribers.get(holder) ?? []) listener(type)
  }
  const onMessage = (payload: string | undefined) => {
    // On a busy bank, most messages are about customers who are not connected here.
    if (subscribers.size === 0 || !payload) return
    const { type, holders } = message.parse(JSON.parse(payload))
    for (const holder of holders) dispatch(holder, type)
  }
  /** Events may have been missed during the outage, so all clients must refetch. */
  const tellAll = () => {
    for (const holder of subscribers.keys()) for (const type of BANK_EVENT_TYPES) dispatch(holder, type)
  }

  const settings = { ...pool.options, application_name: 'alder-events', query_timeout: probeMs }
  const openConnection = () => listenOn(settings, { onMessage, onMigrations }, { log, probeMs })
  let connection = await openConnection()
  const keepListening = async () => {
    while (!stopController.signal.aborted) {
      await connection.lost
      if (stopController.signal.aborted) return
      log.warn('live events: the database connection was lost')
      const newConnection = await reconnect(openConnection, stopController.signal)
      if (!newConnection) return
      connection = newConnection
      log.info('live events: listening again')
      tellAll()
      onMigrations()
      void outbox.flush()
    }
  }
  const outbox = openOutbox((payloads) => connection.send(payloads), log)
  const listenLoop = keepListening()
  const endSubscriptions = () => {
    stopController.abort()
    for (const holder of subscribers.keys()) dispatch(holder, 'closed')
    subscribers.clear()
  }

  return {
    subscribe(customerId, listener) {
      if (stopController.signal.aborted) listener('closed')
      const listeners = subscribers.get(customerId) ?? new Set()
      subscribers.set(customerId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && subscribers.get(customerId) === listeners) subscribers.delete(customerId)
      }
    },
    notify: notifyWithin,
    notifySoon: (customerIds, type) => {
      for (const holder of customerIds) outbox.add({ type, holder })
    },
    endSubscriptions,
    async close() {
      endSubscriptions()
      await outbox.close()
      await connection.close()
      await listenLoop
    },
  }
}

/** Gathers events for a moment and sends them together. Events that could not be sent are sent again with the next ones. */
function openOutbox(send: (payloads: string[]) => Promise<void>, log: HubOptions['log']) {
  return openWriteBuffer<{ type: BankEventType; holder: string }>({
    waitMs: 20,
    batch: 10_000,
    most: 100_000,
    keyOf: ({ type, holder }) => `${type} ${holder}`,
    write: async (events) => {
      const byType = Map.groupBy(events, ({ type }) => type)
      try {
        await send(
          [...byType].flatMap(([type, streams]) =>
            eventPayloads(
              type,
              streams.map(({ holder }) => holder),
            ),
          ),
        )
      } catch (error) {
        log.warn({ err: error }, 'live events: not sent yet')
        throw new Refusal('unavailable')
      }
    },
    onError: (error) => log.warn({ err: error }, 'live events: not sent'),
  })
}

type Connection = { lost: Promise<void>; send(payloads: string[]): Promise<void>; close(): Promise<void> }

async function listenOn(
  settings: pg.ClientConfig,
  { onMessage, onMigrations }: { onMessage: (payload: string | undefined) => void; onMigrations: () => void },
  { log, probeMs }: Required<Pick<HubOptions, 'log' | 'probeMs'>>,
): Promise<Connection> {
  const client = new pg.Client(settings)
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  client.on('error', () => lose())
  client.on('end', () => lose())
  client.on('notification', ({ channel, payload }) => {
    try {
      if (channel === MIGRATIONS_CHANNEL) onMigrations()
      else onMessage(payload)
    } catch (error) {
      log.warn({ err: error }, 'live events: a message could not be parsed')
    }
  })
  const close = () => client.end().catch(() => undefined)
  try {
    await client.connect()
    await client.query(`LISTEN ${BANK_EVENT}; LISTEN ${MIGRATIONS_CHANNEL}`)
  } catch (error) {
    await close()
    throw error
  }
  const probe = setInterval(() => {
    client.query('SELECT 1').catch(() => {
      lose()
      void close()
    })
  }, probeMs)
  probe.unref()
  void lost.then(() => clearInterval(probe))
  const send = async (payloads: string[]) => {
    const text = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload'
    try {
      await client.query(text, [BANK_EVENT, payloads])
    } catch (error) {
      // With this error, the connection leads to the former primary. Events cannot be sent there, and none arrive from there.
      if (errorCode(error) === READ_ONLY) {
        lose()
        void close()
      }
      throw error
    }
  }
  return { lost, send, close }
}

async function reconnect(
  openConnection: () => Promise<Connection>,
  stopSignal: AbortSignal,
): Promise<Connection | null> {
  for (let delay = RECONNECT_FIRST_MS; ; delay = Math.min(delay * 2, MAX_RECONNECT_MS)) {
    try {
      // The pause is random, so that many servers do not reconnect at the same instant.
      await wait(delay * (0.5 + Math.random() / 2), undefined, { signal: stopSignal })
      const connection = await openConnection()
      if (!stopSignal.aborted) return connection
      await connection.close()
      return null
    } catch {
      if (stopSignal.aborted) return null
    }
  }
}

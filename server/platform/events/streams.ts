export type StreamLimits = {
  /**
   * The largest number of streams of one session. A browser shows one page at a time, but each of its visible tabs keeps a
   * stream.
   */
  perSession: number
  perCustomer: number
  /** The largest number of streams from one address. Many people may share an address. */
  perAddress: number
}

const LIMITS: StreamLimits = { perSession: 8, perCustomer: 30, perAddress: 1_000 }

type OpenStream = {
  session: string
  customerId: string
  network: string
  /** Ends the stream in favor of a newer one. */
  replace(): void
}

/** The open event streams of this server. Their number is limited by session, customer and address. */
export type EventStreams = {
  /** Counts a stream until the returned function is called. If the stream exceeds a limit, an older stream is ended. */
  open(stream: OpenStream): () => void
  count(): number
}

export function openStreams(options: Partial<StreamLimits> = {}): EventStreams {
  const limits = { ...LIMITS, ...options }
  // Each set is in the order of opening.
  const streams = new Set<OpenStream>()
  const groups = new Map<string, Set<OpenStream>>()
  const keysOf = (stream: OpenStream) =>
    [
      [`session ${stream.session}`, limits.perSession],
      [`customer ${stream.customerId}`, limits.perCustomer],
      [`network ${stream.network}`, limits.perAddress],
    ] as const
  const leave = (stream: OpenStream): void => {
    streams.delete(stream)
    for (const [key] of keysOf(stream)) {
      const group = groups.get(key)
      group?.delete(stream)
      if (group?.size === 0) groups.delete(key)
    }
  }
  return {
    open(stream) {
      for (const [key, maxStreams] of keysOf(stream)) {
        const group = groups.get(key)
        const streamToReplace = group && group.size >= maxStreams ? oldestOfGreediest(group) : undefined
        if (!streamToReplace) continue
        leave(streamToReplace)
        streamToReplace.replace()
      }
      streams.add(stream)
      for (const [key] of keysOf(stream)) groups.set(key, (groups.get(key) ?? new Set()).add(stream))
      return () => leave(stream)
    },
    count: () => streams.size,
  }
}

/**
 * Returns the oldest stream of the customer with the most streams. At a shared address, a customer with few streams keeps
 * theirs.
 */
function oldestOfGreediest(streams: Set<OpenStream>): OpenStream | undefined {
  const byCustomer = [...Map.groupBy(streams, ({ customerId }) => customerId).values()]
  return byCustomer.reduce(
    (longest, queue) => (queue.length > longest.length ? queue : longest),
    byCustomer[0] ?? [],
  )[0]
}

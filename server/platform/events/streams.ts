export type StreamLimits = {
  /** A browser shows one page at a time, and each of its tabs that is in view keeps a stream. */
  perSession: number
  perCustomer: number
  /** Many people may share an address. */
  perAddress: number
}

const LIMITS: StreamLimits = { perSession: 8, perCustomer: 30, perAddress: 1_000 }

type OpenStream = {
  session: string
  customerId: string
  network: string
  /** Ends it, because a newer one has taken its place. */
  replace(): void
}

/** The event streams that are open on this server, which are only so many for anybody. */
export type EventStreams = {
  /** Notes a stream until the answered function is called. Where it is one too many, an older one is ended. */
  open(stream: OpenStream): () => void
  count(): number
}

export function openStreams(given: Partial<StreamLimits> = {}): EventStreams {
  const limits = { ...LIMITS, ...given }
  // Each set in the order they were opened.
  const all = new Set<OpenStream>()
  const groups = new Map<string, Set<OpenStream>>()
  const keysOf = (stream: OpenStream) =>
    [
      [`session ${stream.session}`, limits.perSession],
      [`customer ${stream.customerId}`, limits.perCustomer],
      [`network ${stream.network}`, limits.perAddress],
    ] as const
  const leave = (stream: OpenStream): void => {
    all.delete(stream)
    for (const [key] of keysOf(stream)) {
      const group = groups.get(key)
      group?.delete(stream)
      if (group?.size === 0) groups.delete(key)
    }
  }
  return {
    open(stream) {
      for (const [key, most] of keysOf(stream)) {
        const group = groups.get(key)
        const spare = group && group.size >= most ? oldestOfGreediest(group) : undefined
        if (!spare) continue
        leave(spare)
        spare.replace()
      }
      all.add(stream)
      for (const [key] of keysOf(stream)) groups.set(key, (groups.get(key) ?? new Set()).add(stream))
      return () => leave(stream)
    },
    count: () => all.size,
  }
}

/** The oldest stream of the customer who has the most, so that at a shared address a customer with few keeps theirs. */
function oldestOfGreediest(streams: Set<OpenStream>): OpenStream | undefined {
  const byCustomer = [...Map.groupBy(streams, ({ customerId }) => customerId).values()]
  return byCustomer.reduce((most, own) => (own.length > most.length ? own : most), byCustomer[0] ?? [])[0]
}

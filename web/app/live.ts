import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'sonner'
import { OWN_MOVES, type Transaction } from '#contract/accounts.ts'
import { liveEvent } from '#contract/events.ts'
import { formatAmount } from '#contract/money.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { meQuery } from '#web/lib/me.ts'

const EVENTS = '/api/v1/events'
const RETRY_MS = { first: 1000, most: 30_000 }

/** What else an event may have changed; a reviewer's decision comes with a notice. */
const TOUCHED = { balance: ['transactions'], notification: ['notifications', 'kyc'] } as const

/** Two payments may be booked in another order than their times by this much. */
const LEEWAY_MS = 60_000

/** The transactions seen so far, and the time of the latest. */
type Known = { ids: ReadonlySet<string>; latestMs: number }

export function know(before: Known | null, recent: readonly Transaction[]): Known {
  return {
    ids: new Set([...(before?.ids ?? []), ...recent.map((transaction) => transaction.id)]),
    latestMs: Math.max(before?.latestMs ?? 0, ...recent.map((transaction) => Date.parse(transaction.bookedAt))),
  }
}

/** What came in from someone else since; an old transaction that moves up into the recent ones is no news. */
export function arrivals(known: Known, recent: readonly Transaction[]): Transaction[] {
  return recent.filter(
    (transaction) =>
      transaction.amountMinor > 0 &&
      transaction.status === 'completed' &&
      !OWN_MOVES.includes(transaction.category) &&
      !known.ids.has(transaction.id) &&
      Date.parse(transaction.bookedAt) >= known.latestMs - LEEWAY_MS,
  )
}

function tell(transaction: Transaction): void {
  const amount = formatAmount(transaction.amountMinor, transaction.asset)
  toast.success(`${transaction.name} sent you ${amount}`, {
    id: `arrival-${transaction.id}`,
    ...(transaction.note && { description: transaction.note }),
  })
}

/** Listens to the bank while the page is in view. Answers the way to stop. */
function listen(queries: QueryClient): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let delayMs = RETRY_MS.first
  let known: Known | null = null
  let asking = Promise.resolve()
  let stopped = false
  let heard = false

  /** Asks for the figures again, one question at a time, and tells what came in since the last answer. */
  function refresh(): void {
    asking = asking
      .then(async () => {
        const dashboard = await queries.fetchQuery({ ...dashboardQuery, staleTime: 0 })
        const seen = known
        known = know(seen, dashboard.recent)
        if (seen) arrivals(seen, dashboard.recent).forEach(tell)
      })
      .catch(() => {})
  }

  function open(): void {
    clearTimeout(timer)
    if (stopped || source || document.visibilityState === 'hidden') return
    source = new EventSource(EVENTS)
    source.addEventListener('open', () => {
      delayMs = RETRY_MS.first
      // What happened while nobody listened is not told again.
      refresh()
      if (heard) for (const key of Object.values(TOUCHED).flat()) void queries.invalidateQueries({ queryKey: [key] })
      heard = true
    })
    source.addEventListener('message', (message: MessageEvent<string>) => hear(message.data))
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return
      close()
      openLater()
    })
  }

  /** Refused for good: the session may have ended or the bank be down. A question finds out, and may get a session. */
  function openLater(): void {
    timer = setTimeout(() => {
      if (stopped) return
      queries.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(open, openLater)
    }, delayMs)
    delayMs = Math.min(delayMs * 2, RETRY_MS.most)
  }

  function hear(data: string): void {
    const event = liveEvent.safeParse(JSON.parse(data))
    if (!event.success) return
    refresh()
    for (const key of TOUCHED[event.data.type]) void queries.invalidateQueries({ queryKey: [key] })
  }

  function close(): void {
    source?.close()
    source = null
    clearTimeout(timer)
  }

  function onVisibility(): void {
    if (document.visibilityState === 'hidden') close()
    else open()
  }

  // The first question also makes sure that there is a session, which EventSource could not ask for.
  document.addEventListener('visibilitychange', onVisibility)
  void queries.ensureQueryData(dashboardQuery).then((dashboard) => {
    known = know(null, dashboard.recent)
    open()
  }, openLater)
  return () => {
    stopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}

/** Keeps the figures on the screen those of the bank, and tells when money comes in. */
export function useLive(on: boolean): void {
  const queries = useQueryClient()
  useEffect(() => (on ? listen(queries) : undefined), [on, queries])
}

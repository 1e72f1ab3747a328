import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Quote, QuoteRequest } from '#contract/crypto.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { getQuote } from '#web/crypto/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'

/** A quote, and how long it is honoured by this device's clock. */
export type Quoted = {
  quote: Quote
  /** Counted from when it was asked for, so that none is shown for longer than the bank honours it. */
  fromMs: number
  untilMs: number
  /** The price of the quote before it, where there was one. */
  beforeMicros: number | null
}

/** Asks the bank for quotes; what it refuses because of the amount goes to `onRefused`. */
export function useQuote(onRefused: (refusal: Refusal) => void) {
  const [quoted, setQuoted] = useState<Quoted | null>(null)
  const asking = useMutation({ mutationFn: getQuote, retry: false })

  async function ask(request: QuoteRequest): Promise<boolean> {
    if (asking.isPending) return false
    const fromMs = Date.now()
    try {
      const quote = await asking.mutateAsync(request)
      const beforeMicros = quoted?.quote.priceMicros ?? null
      setQuoted({ quote, fromMs, untilMs: fromMs + quote.seconds * 1000, beforeMicros })
      return true
    } catch (error) {
      if (error instanceof Refusal && quoted === null && ABOUT_AMOUNT.has(error.code)) onRefused(error)
      else toastError(error)
      return false
    }
  }

  return { quoted, busy: asking.isPending, ask, drop: () => setQuoted(null) }
}

const ABOUT_AMOUNT: ReadonlySet<ErrorCode> = new Set([
  'amount_invalid',
  'amount_too_small',
  'amount_too_large',
  'insufficient_funds',
  'coins_short',
  'market_limit_reached',
])

const TICK_MS = 200

/** How many seconds are left until a moment, rounded up: right however long the page slept. */
export function useSecondsLeft(untilMs: number): number {
  const left = () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const look = () => setSeconds(Math.max(0, Math.ceil((untilMs - Date.now()) / 1000)))
    look()
    const timer = setInterval(look, TICK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [untilMs])
  return seconds
}

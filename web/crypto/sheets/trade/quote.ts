import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Quote, QuoteRequest } from '#contract/crypto.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { getQuote } from '#web/crypto/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'

/** A quote and its period of validity on this device's clock. */
export type ActiveQuote = {
  quote: Quote
  /** The start of validity is the time of the request, so that no quote is shown longer than the bank honors it. */
  fromMs: number
  untilMs: number
  /** The price of the previous quote, or null without one. */
  beforeMicros: number | null
}

/**
 * Returns the current quote, and functions that request a quote from the bank and drop it. If the bank refuses the amount while
 * no quote is shown, the refusal is passed to `onRefused`. All other errors are shown in a toast.
 */
export function useQuote(onRefused: (refusal: Refusal) => void) {
  const [quoted, setQuoted] = useState<ActiveQuote | null>(null)
  const quoteMutation = useMutation({ mutationFn: getQuote, retry: false })

  async function requestQuote(request: QuoteRequest): Promise<boolean> {
    if (quoteMutation.isPending) return false
    const fromMs = Date.now()
    try {
      const quote = await quoteMutation.mutateAsync(request)
      const beforeMicros = quoted?.quote.priceMicros ?? null
      setQuoted({ quote, fromMs, untilMs: fromMs + quote.seconds * 1000, beforeMicros })
      return true
    } catch (error) {
      if (error instanceof Refusal && quoted === null && ABOUT_AMOUNT.has(error.code)) onRefused(error)
      else toastError(error)
      return false
    }
  }

  return { quoted, busy: quoteMutation.isPending, ask: requestQuote, drop: () => setQuoted(null) }
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

/** Returns the seconds until a time, rounded up. The result is correct even if the page slept. */
export function useSecondsLeft(untilMs: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    const updateCountdown = () => setSeconds(Math.max(0, Math.ceil((untilMs - Date.now()) / 1000)))
    updateCountdown()
    const timer = setInterval(updateCountdown, TICK_MS)
    document.addEventListener('visibilitychange', updateCountdown)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', updateCountdown)
    }
  }, [untilMs])
  return seconds
}

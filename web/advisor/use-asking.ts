import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { conversationQuery, askAdvisor, cacheExchange } from '#web/advisor/queries.ts'
import { customerLeftSignal, messageOf } from '#web/lib/api.ts'
import { delay } from '#web/lib/abortable.ts'

/** The shortest time until a reply is shown, in milliseconds. */
const REPLY_MS = 1_000

/** A question without a reply. A retry keeps its idempotency key. */
type PendingQuestion = { question: string; key: string; failure: string | null }

/**
 * Returns the question that waits for a reply, and functions that send a question to the advisor. One question is sent at a
 * time.
 */
export function useAskAdvisor() {
  const queries = useQueryClient()
  const [pending, setPending] = useState<PendingQuestion | null>(null)
  const inFlight = useRef(false)

  async function send(question: string, key: string): Promise<void> {
    if (inFlight.current) return
    inFlight.current = true
    setPending({ question, key, failure: null })
    const replyDelay = delay(REPLY_MS, customerLeftSignal())
    // If the customer leaves before the bank answers, no code awaits this promise. Its rejection is ignored.
    replyDelay.catch(() => undefined)
    try {
      await queries.cancelQueries({ queryKey: conversationQuery.queryKey, exact: true })
      const exchange = await askAdvisor(question, key)
      await replyDelay
      cacheExchange(queries, exchange)
      setPending(null)
    } catch (error) {
      setPending({ question, key, failure: messageOf(error) })
    } finally {
      inFlight.current = false
    }
  }

  return {
    pending,
    isBusy: pending !== null && pending.failure === null,
    ask: (question: string) => void send(question, crypto.randomUUID()),
    askAgain: () => {
      if (pending) void send(pending.question, pending.key)
    },
    drop: () => setPending(null),
  }
}

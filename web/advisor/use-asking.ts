import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { conversationQuery, askAdvisor, putExchange } from '#web/advisor/queries.ts'
import { customerHasLeft, messageOf } from '#web/lib/api.ts'
import { pause } from '#web/lib/waiting.ts'

/** How long the advisor takes to reply, at the least. */
const REPLY_MS = 1_000

/** A question that has no reply yet. Sent again, it keeps its key. */
type Asked = { question: string; key: string; failure: string | null }

/** Asks the advisor one question at a time. */
export function useAsking() {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const inFlight = useRef(false)

  async function send(question: string, key: string): Promise<void> {
    if (inFlight.current) return
    inFlight.current = true
    setAsked({ question, key, failure: null })
    const replied = pause(REPLY_MS, customerHasLeft())
    // Whoever leaves before the bank has answered has nobody wait for it.
    replied.catch(() => undefined)
    try {
      await queries.cancelQueries({ queryKey: conversationQuery.queryKey, exact: true })
      const exchange = await askAdvisor(question, key)
      await replied
      putExchange(queries, exchange)
      setAsked(null)
    } catch (error) {
      setAsked({ question, key, failure: messageOf(error) })
    } finally {
      inFlight.current = false
    }
  }

  return {
    asked,
    isBusy: asked !== null && asked.failure === null,
    ask: (question: string) => void send(question, crypto.randomUUID()),
    askAgain: () => {
      if (asked) void send(asked.question, asked.key)
    },
    drop: () => setAsked(null),
  }
}

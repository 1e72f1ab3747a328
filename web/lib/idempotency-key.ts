import { v7 } from 'uuid'

/**
 * The Idempotency-Key of a form. It is made before the first try and stays the same while the outcome is unknown; other
 * content, or a decision of the server, ends it.
 */
export type RequestKey = {
  keyFor(content: unknown): string
  /** The server has decided: the next request is a new one. */
  answered(): void
}

export function requestKey(): RequestKey {
  let current: { content: string; key: string } | null = null
  return {
    keyFor(content) {
      const text = JSON.stringify(content)
      if (current?.content !== text) current = { content: text, key: v7() }
      return current.key
    },
    answered() {
      current = null
    },
  }
}

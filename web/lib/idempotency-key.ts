import { v7 } from 'uuid'

/**
 * Names one request of a person across all its tries. The key is made before the first try and stays the same while
 * it is not known whether the bank did it; another content, or an answer, ends it.
 */
export type RequestKey = {
  keyFor(content: unknown): string
  /** The bank has answered, yes or no: the next request is a new one. */
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

import { Refusal } from '#contract/errors.ts'

/**
 * Parses a partner's signed message; returns undefined if it is not JSON. If a key occurs twice in one object, some parsers
 * take the first value and others, such as JSON.parse, the last. A partner and the bank could then read different amounts in
 * one message. Throws Refusal `request_invalid` with the name of the key.
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const duplicateKey = repeatedKey(text)
  if (duplicateKey !== undefined) throw new Refusal('request_invalid', duplicateKey)
  return value
}

/** Matches a string, with a colon if it is a key, or a brace of an object. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

/** Returns the first key of a valid JSON text that is repeated in its object, in any spelling. */
function repeatedKey(text: string): string | undefined {
  const objects: Set<string>[] = []
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (colon !== undefined && string !== undefined) {
      const key = JSON.parse(string) as string
      const keys = objects.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}

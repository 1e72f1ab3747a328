import { Refusal } from '#contract/errors.ts'

/**
 * Parses what a partner has signed; undefined where it is no JSON. Of a key that occurs twice in one object, some parsers
 * take the first value and others, as JSON.parse does, the last, so a partner and the bank could read two amounts in one
 * message. Throws Refusal `request_invalid` naming the key.
 */
export function parseUnambiguous(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const twice = repeatedKey(text)
  if (twice !== undefined) throw new Refusal('request_invalid', twice)
  return value
}

/** A string with the colon that makes it a key, or a bracket of an object. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

/** The first key of a valid JSON text that its object has already, however the two are spelled. */
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

import { afterAll, expect } from 'vitest'
import { namedStatements } from '#server/platform/db/named-statements.ts'

/**
 * A test file must have fewer named statements than this. The number is below the bank's limit and easy for one connection of
 * PostgreSQL.
 */
const MAX_STATEMENTS = 1_600

/** Returns a statement with each of its lists shortened to one value. */
const withoutLengths = (text: string): string => text.replaceAll(/\$\d+(?:\s*,\s*\$\d+)*/g, '$')
const valuesIn = (text: string): number => new Set(text.match(/\$\d+/g)).size

/** Returns groups of statements that differ only in the lengths of their lists. */
function sameButForLength(texts: Iterable<string>): string[][] {
  const shapes = [...Map.groupBy(texts, withoutLengths).values()]
  return shapes.filter((shape) => new Set(shape.map(valuesIn)).size > 1)
}

// Every connection prepares each statement text and keeps it. A list must therefore be one array, so that its length does not
// change the text.
afterAll(() => {
  const texts = [...namedStatements().keys()]
  expect(sameButForLength(texts)).toEqual([])
  expect(texts.length).toBeLessThan(MAX_STATEMENTS)
})

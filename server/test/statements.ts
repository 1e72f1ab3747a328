import { afterAll, expect } from 'vitest'
import { namedStatements } from '#server/platform/db/named-statements.ts'

/** Far fewer than the most that are named, and what one connection of PostgreSQL holds with ease. */
const MOST = 1_600

/** A statement as it would read if each of its lists had one value. */
const withoutLengths = (text: string): string => text.replaceAll(/\$\d+(?:\s*,\s*\$\d+)*/g, '$')
const valuesIn = (text: string): number => new Set(text.match(/\$\d+/g)).size

/** Statements that differ by how many values they list. */
function sameButForLength(texts: Iterable<string>): string[][] {
  const shapes = [...Map.groupBy(texts, withoutLengths).values()]
  return shapes.filter((same) => new Set(same.map(valuesIn)).size > 1)
}

// Each text is prepared and kept by every connection: a list has to be one array, however long it is.
afterAll(() => {
  const texts = [...namedStatements().keys()]
  expect(sameButForLength(texts)).toEqual([])
  expect(texts.length).toBeLessThan(MOST)
})

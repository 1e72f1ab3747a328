import { expect, test } from 'vitest'
import { readXml, textAt } from '#server/statements/imports/xml-tree.ts'

test('a text in several parts is cut where the whole text reaches its limit', () => {
  const document = readXml(`<a><b>${'x'.repeat(999)}<![CDATA[${'y'.repeat(999)}]]>${'z'.repeat(999)}</b></a>`)
  expect(textAt(document, 'b')).toBe(`${'x'.repeat(999)}y`)
})

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The words that Title Case writes in lower case, except at the beginning. */
const SMALL = new Set('a an and at by for from in of on or over per the to with'.split(' '))

const TITLE = /<Section title=\{t(?:`([^`]+)`|\(\{ message: (['"])(.+?)\2)/g

const isTitle = (text: string) =>
  text.split(' ').every((word, index) => /^[^a-z]/.test(word) || (index > 0 && SMALL.has(word)))

test('the headings of sections are in Title Case (docs/words.md)', () => {
  const screens = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const titles = screens.flatMap((file) =>
    [...readFileSync(`web/${file}`, 'utf8').matchAll(TITLE)].map(([, title, , described]) => title ?? described ?? ''),
  )
  expect(titles.length).toBeGreaterThan(20)
  expect(titles.filter((title) => !isTitle(title))).toEqual([])
})

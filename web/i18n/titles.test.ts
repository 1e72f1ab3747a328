import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Words that Title Case leaves small, unless they come first. */
const SMALL = new Set('a an and at by for from in of on or over per the to with'.split(' '))

const TITLE = /<Section title=\{t(?:`([^`]+)`|\(\{ message: (['"])(.+?)\2)/g

const isTitle = (text: string) =>
  text.split(' ').every((word, index) => /^[^a-z]/.test(word) || (index > 0 && SMALL.has(word)))

test('the headings of sections are in Title Case (docs/words.md)', () => {
  const screens = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const titles = screens.flatMap((file) =>
    [...readFileSync(`web/${file}`, 'utf8').matchAll(TITLE)].map(([, plain, , described]) => plain ?? described ?? ''),
  )
  expect(titles.length).toBeGreaterThan(20)
  expect(titles.filter((title) => !isTitle(title))).toEqual([])
})

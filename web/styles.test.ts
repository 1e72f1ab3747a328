import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PROPERTY =
  '(?:bg|text|border(?:-[tbesxy])?|ring-offset|ring|from|to|via|fill|stroke|divide|outline|accent|caret|placeholder)'
const COLOR_CLASS = new RegExp(
  `(?<![\\w-])(?:[\\w\\]\\[&>.:()-]+:)?!?${PROPERTY}-([a-z]+(?:-[a-z]+)*)(?:/[\\d.]+)?(?=["'\`\\s])`,
  'g',
)

/** The values with the same prefixes that are not colors: sizes, sides, alignment and styles. */
const OTHER_VALUES = new Set(
  `xs sm base lg xl transparent current none start end center left right balance pretty wrap nowrap ellipsis clip
  solid dashed dotted collapse t b e s x y linear-to-br inset`.split(/\s+/),
)

function classNamesIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(COLOR_CLASS)].flatMap(([, name]) => name ?? [])
}

test('every color in a class name is a token of the theme', () => {
  const tokens = new Set(
    [...readFileSync('web/styles.css', 'utf8').matchAll(/^\s*--color-([a-z-]+):/gm)].map(([, name]) => name),
  )
  const screens = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((file) => /\.(tsx|svg)$/.test(file))
  const unknownNames = screens.flatMap((file) =>
    classNamesIn(`web/${file}`)
      .filter((name) => !tokens.has(name) && !OTHER_VALUES.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(screens.length).toBeGreaterThan(50)
  expect(unknownNames).toEqual([])
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fold } from '#contract/folding.ts'
import { contrast } from '#web/test/contrast.ts'

const text = (path: string): string => readFileSync(path, 'utf8')
const found = (path: string, pattern: RegExp): string[] => [...text(path).matchAll(pattern)].map(([, one = '']) => one)

const pictures = found('web/accounts/shared/merchant-marks.svg', /<symbol id="([a-z-]+)"/g)

/** Whom the sample bank pays, and who collects and pays there. */
const COMPANIES = [
  ...found('server/card-scheme/shops.ts', /^ {2}'?([^']+?)'?: \{ mcc/gm),
  ...found('server/sample/elsewhere.ts', /billerName: '([^']+)'/g),
  ...found('server/direct-debits/story.ts', /billerName: '([^']+)'/g),
  ...found('server/payments/story.ts', /EMPLOYER = '([^']+)'/g),
]

test('every company of the sample bank has a picture, and every picture is of one', () => {
  const companies = COMPANIES.map(fold)
  expect(companies.length).toBeGreaterThan(30)
  expect(pictures.toSorted()).toEqual(
    [...new Set(companies)].map((name) => name.replaceAll(/[^a-z]+/g, '-')).toSorted(),
  )
  const source = text('web/accounts/shared/merchant-mark.tsx')
  for (const name of companies) expect(source).toMatch(new RegExp(`^ {2}'?${name}'?: '[a-z]+',$`, 'm'))
})

test('initials and pictures are legible on every colour', () => {
  const colours = found('web/styles.css', /--color-mark-[a-z]+: (#[0-9a-f]{6});/g)
  const [ink = ''] = found('web/styles.css', /--color-on-brand: (#[0-9a-f]{6});/g)
  expect(colours).toHaveLength(12)
  for (const colour of colours) expect(contrast(ink, colour), colour).toBeGreaterThanOrEqual(4.5)
})

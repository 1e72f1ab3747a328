import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fold } from '#contract/folding.ts'
import { contrast } from '#web/test/contrast.ts'

const text = (path: string): string => readFileSync(path, 'utf8')
const findAll = (path: string, pattern: RegExp): string[] =>
  [...text(path).matchAll(pattern)].map(([, match = '']) => match)

const pictures = findAll('web/accounts/shared/merchant-marks.svg', /<symbol id="([a-z-]+)"/g)

/** The companies that the sample bank pays, and those that collect from it or pay into it. */
const COMPANIES = [
  ...findAll('server/card-scheme/sample-shops.ts', /^ {2}'?([^']+?)'?: \{ mcc/gm),
  ...findAll('server/sample/other-banks.ts', /billerName: '([^']+)'/g),
  ...findAll('server/direct-debits/sample-history.ts', /billerName: '([^']+)'/g),
  ...findAll('server/payments/sample-history.ts', /EMPLOYER = '([^']+)'/g),
]

test('every company of the sample bank has a picture, and every picture has a company', () => {
  const companies = COMPANIES.map(fold)
  expect(companies.length).toBeGreaterThan(30)
  expect(pictures.toSorted()).toEqual(
    [...new Set(companies)].map((name) => name.replaceAll(/[^a-z]+/g, '-')).toSorted(),
  )
  const source = text('web/accounts/shared/merchant-mark.tsx')
  for (const name of companies) expect(source).toMatch(new RegExp(`^ {2}'?${name}'?: '[a-z]+',$`, 'm'))
})

test('initials and pictures are legible on every color', () => {
  const colors = findAll('web/styles.css', /--color-mark-[a-z]+: (#[0-9a-f]{6});/g)
  const [ink = ''] = findAll('web/styles.css', /--color-on-brand: (#[0-9a-f]{6});/g)
  expect(colors).toHaveLength(12)
  for (const color of colors) expect(contrast(ink, color), color).toBeGreaterThanOrEqual(4.5)
})

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COLORS, HEART, MARK, ON_BRAND, RINGS } from '#server/platform/brand/brand.ts'

const readWebFile = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../web/${path}`, import.meta.url)), 'utf8')
const [styles, icon, rings] = ['styles.css', 'public/icon.svg', 'ui/rings.svg'].map(readWebFile) as [
  string,
  string,
  string,
]

/** Returns the rings of a picture, each with its path and line width. */
const ringsOf = (svg: string) =>
  [...svg.matchAll(/<path d="([^"]+)" stroke-width="([\d.]+)"/g)].map(([, path, width]) => ({
    path,
    width: Number(width),
  }))

test.each(Object.entries(COLORS))('%s is the same color as in the app', (name, [light, dark]) => {
  expect(styles).toContain(`--color-${name}: light-dark(${light}, ${dark});`)
})

test('the logo is the icon of the app', () => {
  expect(ringsOf(icon)).toEqual(MARK.rings)
  const { heart, branch, corner, size } = MARK
  expect(icon).toContain(`viewBox="0 0 ${size} ${size}"`)
  expect(icon).toContain(`rx="${corner}" fill="${COLORS.brand[0]}"`)
  expect(icon).toContain(`<path d="${branch}" fill="${COLORS.brand[0]}"/>`)
  expect(icon).toContain(`<circle cx="${heart.x}" cy="${heart.y}" r="${heart.radius}" fill="${HEART}"/>`)
  expect(icon).toContain(`stroke="${ON_BRAND}"`)
})

test('the rings are the same as in the app', () => {
  expect(ringsOf(rings)).toEqual(RINGS)
})

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COLOURS, HEART, MARK, ON_BRAND, RINGS } from '#server/platform/brand/brand.ts'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../web/${path}`, import.meta.url)), 'utf8')
const [styles, icon, rings] = ['styles.css', 'public/icon.svg', 'ui/rings.svg'].map(read) as [string, string, string]

/** The rings of a picture, each as its path and the width of its line. */
const ringsOf = (svg: string) =>
  [...svg.matchAll(/<path d="([^"]+)" stroke-width="([\d.]+)"/g)].map(([, path, width]) => ({
    path,
    width: Number(width),
  }))

test.each(Object.entries(COLOURS))('%s is the colour that the app has', (name, [light, dark]) => {
  expect(styles).toContain(`--color-${name}: light-dark(${light}, ${dark});`)
})

test('the mark is the icon of the app', () => {
  expect(ringsOf(icon)).toEqual(MARK.rings)
  const { heart, branch, corner, size } = MARK
  expect(icon).toContain(`viewBox="0 0 ${size} ${size}"`)
  expect(icon).toContain(`rx="${corner}" fill="${COLOURS.brand[0]}"`)
  expect(icon).toContain(`<path d="${branch}" fill="${COLOURS.brand[0]}"/>`)
  expect(icon).toContain(`<circle cx="${heart.x}" cy="${heart.y}" r="${heart.radius}" fill="${HEART}"/>`)
  expect(icon).toContain(`stroke="${ON_BRAND}"`)
})

test('the rings are those of the app', () => {
  expect(ringsOf(rings)).toEqual(RINGS)
})

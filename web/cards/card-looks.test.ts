import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CARD_COLORS, CARD_DESIGNS } from '#contract/card-terms.ts'
import { contrast, blend } from '#web/test/contrast.ts'

const css = readFileSync('web/cards/card-art.css', 'utf8')
const ruleOf = (name: string): string => new RegExp(`\\.card-${name}\\b[^{]*\\{([^}]*)\\}`).exec(css)?.[1] ?? ''
const INK = '#f7f5ee'
/** The opacity of the strongest ring (card-drawing.tsx). The other designs state theirs in their CSS rule. */
const DRAWN = 0.15

test('the text on a card is legible on each of its colors, including those with drawings', () => {
  for (const colour of [...CARD_COLORS, 'frozen']) {
    const rule = ruleOf(colour)
    const [soft = ''] = /--card-soft: (#\w{6})/.exec(rule)?.slice(1) ?? []
    const grounds = [...(/gradient\((.*)\)/.exec(rule)?.[1] ?? '').matchAll(/#\w{6}/g)].map(([color]) => color)
    expect(grounds, colour).toHaveLength(3)
    for (const ground of grounds)
      for (const ink of [INK, soft])
        expect(contrast(ink, blend(ground, INK, DRAWN)), `${colour}: ${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  }
})

test('every design except the rings has its own picture, fainter than the rings', () => {
  expect(Number(/opacity: ([\d.]+)/.exec(ruleOf('grain'))?.[1])).toBeLessThanOrEqual(DRAWN)
  for (const design of CARD_DESIGNS.filter((candidate) => candidate !== 'rings'))
    expect(css).toContain(`--drawn: url('./designs/${design}.svg')`)
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CARD_COLOURS, CARD_DESIGNS } from '#contract/card-terms.ts'
import { contrast, mixed } from '#web/test/contrast.ts'

const css = readFileSync('web/cards/card-art.css', 'utf8')
const ruleOf = (name: string): string => new RegExp(`\\.card-${name}\\b[^{]*\\{([^}]*)\\}`).exec(css)?.[1] ?? ''
const INK = '#f7f5ee'
/** Of rings, the strongest that is drawn (card-drawing.tsx); of the others, what their rule says. */
const DRAWN = 0.15

test('what is written on a card is legible on each of its colours, also where something is drawn', () => {
  for (const colour of [...CARD_COLOURS, 'frozen']) {
    const rule = ruleOf(colour)
    const [soft = ''] = /--card-soft: (#\w{6})/.exec(rule)?.slice(1) ?? []
    const grounds = [...(/gradient\((.*)\)/.exec(rule)?.[1] ?? '').matchAll(/#\w{6}/g)].map(([one]) => one)
    expect(grounds, colour).toHaveLength(3)
    for (const ground of grounds)
      for (const ink of [INK, soft])
        expect(contrast(ink, mixed(ground, INK, DRAWN)), `${colour}: ${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  }
})

test('every design but the rings is drawn from a picture of its own, more faintly than they are', () => {
  expect(Number(/opacity: ([\d.]+)/.exec(ruleOf('grain'))?.[1])).toBeLessThanOrEqual(DRAWN)
  for (const design of CARD_DESIGNS.filter((one) => one !== 'rings'))
    expect(css).toContain(`--drawn: url('./designs/${design}.svg')`)
})

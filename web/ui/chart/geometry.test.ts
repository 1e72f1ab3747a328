import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChartPoint } from '#web/ui/chart/chart-props.ts'
import { drawChart, nearestIndex } from '#web/ui/chart/geometry.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()
const chart = (...values: number[]): ChartPoint[] => values.map((value, index) => ({ at: day(index + 1), value }))
const draw = (points: ChartPoint[]) => drawChart(points) ?? expect.fail('nothing was drawn')

describe('a chart', () => {
  it('spans its width in time and its height in value', () => {
    const { places, highest, lowest } = draw(chart(100, 300, 200))
    expect(places).toEqual([
      { x: 0, y: 100, baseY: null },
      { x: 50, y: 0, baseY: null },
      { x: 100, y: 50, baseY: null },
    ])
    expect([highest, lowest]).toEqual([1, 0])
  })
  it('places points at their time, not at equal distances', () => {
    const points = [1, 2, 11].map((number) => ({ at: day(number), value: number }))
    expect(draw(points).places.map(({ x }) => x)).toEqual([0, 10, 100])
  })
  it('has room for both series', () => {
    const { places, base } = draw([
      { at: day(1), value: 100, base: 0 },
      { at: day(2), value: 200, base: 50 },
    ])
    expect(places.map(({ y, baseY }) => [y, baseY])).toEqual([
      [50, 100],
      [0, 75],
    ])
    // The base stays the same until the day of its change.
    expect(base).toBe('M0,100L100,100L100,75')
  })
  it('shows deposits as a step of both series, and the area between them as a gain or a loss', () => {
    // The customer pays in 100 twice. The value gains 10 before the second payment, and loses 20 after it.
    const { line, over, under } = draw([
      { at: day(1), value: 100, base: 100 },
      { at: day(2), value: 210, base: 200 },
      { at: day(3), value: 180, base: 200 },
    ])
    // The line first rises by the gain, and then by the payment.
    expect(line.split('L')[1]).toBe('50,90.909')
    expect(line.split('L')[2]).toBe('50,0')
    // The lines meet a third of the way between the second and the third day.
    expect(over).toContain('66.667,9.091')
    expect(under).toContain('66.667,9.091')
    expect(under).toContain('100,27.273')
    expect(over).not.toContain('27.273')
  })
  it('keeps a gain when money is withdrawn', () => {
    const { line } = draw([
      { at: day(1), value: 150, base: 100 },
      { at: day(2), value: 75, base: 50 },
    ])
    expect(line.split('L').slice(0, 2)).toEqual(['M0,0', '100,0'])
  })
  it('draws the future apart from the past', () => {
    const { line, ahead, latest } = drawChart(chart(1, 2, 3), { until: day(2) }) ?? expect.fail('nothing was drawn')
    expect(line).toMatch(/^M0,100.*50,50$/)
    expect(ahead).toMatch(/^M50,50.*100,0$/)
    expect(latest).toBe(1)
    expect(draw(chart(1, 2, 3)).ahead).toBe('')
  })
  it('omits the part that the second series does not have yet', () => {
    expect(draw([...chart(100, 200), { at: day(3), value: 300, base: 300 }]).base).toBe('M100,0Z')
    expect(draw(chart(100, 200)).base).toBeNull()
  })
  it('begins at zero, or below, if requested', () => {
    const heights = (...values: number[]) => drawChart(chart(...values), { fromZero: true })?.places.map(({ y }) => y)
    expect(heights(100, 75)).toEqual([0, 25])
    expect(heights(-100, -50)).toEqual([100, 50])
    expect(heights(100, -100)).toEqual([0, 100])
  })
  it('draws nothing without points', () => expect(drawChart([])).toBeNull())
  it('puts a single point in the middle', () => {
    expect(draw(chart(5))).toMatchObject({ places: [{ x: 50, y: 50 }], highest: 0, lowest: null })
  })
  it('draws a constant value across the middle', () => {
    const { places, lowest } = draw(chart(7, 7, 7))
    expect(places.map(({ y }) => y)).toEqual([50, 50, 50])
    expect(lowest).toBeNull()
  })
  it('draws the largest and the smallest numbers', () => {
    const { places, line } = draw(chart(-Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER))
    expect(places.map(({ y }) => y)).toEqual([100, 0, 50])
    expect(line).not.toMatch(/NaN|Infinity/)
  })
})

it('stays within its bounds, for any values', () => {
  const points = fc.array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.maxSafeInteger(), fc.maxSafeInteger()), {
    minLength: 1,
    maxLength: 50,
  })
  fc.assert(
    fc.property(points, (rows) => {
      const inOrder = rows.toSorted(([first], [second]) => first - second)
      const drawing = draw(inOrder.map(([at, value, base]) => ({ at: day(at), value, base })))
      for (const { x, y, baseY } of drawing.places) {
        for (const part of [x, y, baseY ?? 0]) expect(part >= 0 && part <= 100).toBe(true)
      }
      const yValues = drawing.places.map(({ y }) => y)
      expect(yValues[drawing.highest]).toBe(Math.min(...yValues))
      if (drawing.lowest !== null) expect(yValues[drawing.lowest]).toBe(Math.max(...yValues))
      // A pointer at a point finds this point, or another one of the same time.
      for (const { x } of drawing.places) expect(drawing.places[nearestIndex(drawing.places, x)]?.x).toBe(x)
      for (const path of [drawing.line, drawing.ahead, drawing.base, drawing.over, drawing.under])
        expect(path).not.toMatch(/NaN|Infinity/)
    }),
  )
})

it('finds the nearest point', () => {
  const { places } = draw(chart(1, 2, 3))
  expect([-20, 0, 24, 26, 74, 76, 130].map((x) => nearestIndex(places, x))).toEqual([0, 0, 0, 1, 1, 2, 2])
})

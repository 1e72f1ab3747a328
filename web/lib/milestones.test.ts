import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reachedSince } from '#web/lib/milestones.ts'

let kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
}

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

const ids = (...milestones: Parameters<typeof reachedSince>[0][number][]) =>
  reachedSince(milestones).map(({ id }) => id)

test('what was ahead and is reached is told once, ever', () => {
  expect(ids({ id: 'sea', isReached: false }, { id: 'car', isReached: false })).toEqual([])
  expect(ids({ id: 'sea', isReached: true }, { id: 'car', isReached: false })).toEqual(['sea'])
  expect(ids({ id: 'sea', isReached: true }, { id: 'car', isReached: false })).toEqual([])
  // Below its target again, and reached again.
  expect(ids({ id: 'sea', isReached: false })).toEqual([])
  expect(ids({ id: 'sea', isReached: true })).toEqual([])
})

test('what this device only knows as reached is not told, unless it is new', () => {
  expect(ids({ id: 'sea', isReached: true })).toEqual([])
  expect(ids({ id: 'salary', isReached: true, isNew: true })).toEqual(['salary'])
  expect(ids({ id: 'salary', isReached: true, isNew: true })).toEqual([])
})

test('without storage nothing is told, for it would be told again', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  })
  expect(ids({ id: 'salary', isReached: true, isNew: true })).toEqual([])
  kept.set('alder.milestones', 'no JSON')
  vi.stubGlobal('localStorage', storage)
  expect(ids({ id: 'sea', isReached: false })).toEqual([])
})

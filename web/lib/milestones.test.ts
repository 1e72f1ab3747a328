import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeNewMilestones } from '#web/lib/milestones.ts'

let entries = new Map<string, string>()
const storage = {
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
}

beforeEach(() => {
  entries = new Map()
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

const ids = (...milestones: Parameters<typeof takeNewMilestones>[0][number][]) =>
  takeNewMilestones(milestones).map(({ id }) => id)

test('a reached milestone is announced once', () => {
  expect(ids({ id: 'sea', isReached: false }, { id: 'car', isReached: false })).toEqual([])
  expect(ids({ id: 'sea', isReached: true }, { id: 'car', isReached: false })).toEqual(['sea'])
  expect(ids({ id: 'sea', isReached: true }, { id: 'car', isReached: false })).toEqual([])
  // The goal falls below its target and reaches it again.
  expect(ids({ id: 'sea', isReached: false })).toEqual([])
  expect(ids({ id: 'sea', isReached: true })).toEqual([])
})

test('a milestone that this device first sees as reached is not announced, unless it is new', () => {
  expect(ids({ id: 'sea', isReached: true })).toEqual([])
  expect(ids({ id: 'salary', isReached: true, isNew: true })).toEqual(['salary'])
  expect(ids({ id: 'salary', isReached: true, isNew: true })).toEqual([])
})

test('without storage no milestone is announced, because it would be repeated', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  })
  expect(ids({ id: 'salary', isReached: true, isNew: true })).toEqual([])
  entries.set('alder.milestones', 'no JSON')
  vi.stubGlobal('localStorage', storage)
  expect(ids({ id: 'sea', isReached: false })).toEqual([])
})

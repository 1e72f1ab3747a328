import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountsOfBatch, assignBatches, type QueuedBatch } from '#server/ledger/lanes.ts'

type NumberedBatch = QueuedBatch & { place: number }

function queued(place: number, accounts: number[]): NumberedBatch {
  const legs = accounts.slice(1).map((credit, index) => {
    const debit = accounts[index] ?? 0
    return { kind: 'transfer' as const, debit, credit, amountMinor: 1 }
  })
  const operation = { id: '', kind: 'test', fingerprint: '', bookedAt: new Date(0), detail: {}, legs }
  return { place, operations: [operation] }
}

const accounts = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 3 })

test('lanes share no account, keep each account’s order, stay within their maximum and lose no operation', () => {
  const property = fc.property(
    fc.array(accounts, { maxLength: 20 }),
    fc.array(accounts, { maxLength: 2 }),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 1, max: 8 }),
    (batches, underWay, idle, size) => {
      const allBatches = batches.map((names, place) => queued(place, names))
      const queue = [...allBatches]
      const busy = underWay.map((names) => new Set(names))
      const lanes = assignBatches(queue, busy, idle, size)
      expect(lanes.length).toBeLessThanOrEqual(idle)
      expect([...lanes.flat(), ...queue].map((batch) => batch.place).toSorted((a, b) => a - b)).toEqual(
        allBatches.map((name) => name.place),
      )
      const accountSets = [
        ...busy,
        ...lanes.map((lane) => new Set(lane.flatMap((batch) => [...accountsOfBatch(batch)]))),
      ]
      for (const [index, accountSet] of accountSets.entries()) {
        for (const otherSet of accountSets.slice(Math.max(index + 1, busy.length)))
          expect([...accountSet].filter((id) => otherSet.has(id))).toEqual([])
      }
      for (const lane of lanes) {
        expect(lane.length).toBeLessThanOrEqual(size)
        for (const batch of lane) {
          const batchesBefore = queue.filter((queuedBatch) => queuedBatch.place < batch.place)
          const before = new Set(batchesBefore.flatMap((one) => [...accountsOfBatch(one)]))
          expect([...accountsOfBatch(batch)].filter((id) => before.has(id))).toEqual([])
        }
        expect(lane.map((batch) => batch.place)).toEqual(lane.map((batch) => batch.place).toSorted((a, b) => a - b))
      }
    },
  )
  fc.assert(property, { numRuns: 2_000 })
})

test('a few busy accounts fill one lane, and unrelated accounts are spread over both', () => {
  const busyFew = [
    [1, 2],
    [3, 4],
    [2, 3],
    [4, 1],
    [1, 3],
  ].map((names, place) => queued(place, names))
  expect(assignBatches([...busyFew], [], 2, 100).map((lane) => lane.length)).toEqual([5])
  const strangers = [
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8],
  ].map((names, place) => queued(place, names))
  expect(assignBatches([...strangers], [], 2, 100).map((lane) => lane.length)).toEqual([2, 2])
  expect(assignBatches([...strangers], [new Set([3])], 1, 100).map((lane) => lane.length)).toEqual([3])
})

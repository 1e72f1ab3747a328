import { expect, test } from 'vitest'
import { SECURITY_EVENTS } from '#contract/security-events.ts'
import { SLICES } from '#server/api.ts'
import { BANK_EVENT_TYPES } from '#server/platform/events/bank-event.ts'
import type { Slice } from '#server/platform/slice.ts'

const slices: readonly Slice[] = SLICES

test('every kind of security event belongs to one slice', () => {
  const kinds = slices.flatMap(({ securityEvents = [] }) => securityEvents)
  expect(kinds.toSorted()).toEqual(Object.keys(SECURITY_EVENTS).toSorted())
})

test('every live event belongs to one slice', () => {
  const types = slices.flatMap(({ liveEvents = [] }) => liveEvents)
  expect(types.toSorted()).toEqual([...BANK_EVENT_TYPES].toSorted())
})

/** Jobs without `isDue`. The list stays short, because such jobs make an idle bank write at each turn. */
const EACH_TURN_IS_A_RUN = ['identity.purge']

test('a job that recurs many times per hour checks for due work, so that an idle bank does not run it', () => {
  const silentSlices = slices
    .flatMap(({ jobs = [] }) => jobs)
    .filter(({ everyMinutes, isDue }) => everyMinutes !== null && everyMinutes < 60 && !isDue)
  expect(silentSlices.map(({ name }) => name).toSorted()).toEqual(EACH_TURN_IS_A_RUN)
})

import { expect, test } from 'vitest'
import { SECURITY_EVENTS } from '#contract/security-events.ts'
import { SLICES } from '#server/api.ts'
import { BANK_EVENT_TYPES } from '#server/platform/events/bank-event.ts'
import type { Slice } from '#server/platform/slice.ts'

const slices: readonly Slice[] = SLICES

test('every kind of security event is one slice’s', () => {
  const kinds = slices.flatMap(({ securityEvents = [] }) => securityEvents)
  expect(kinds.toSorted()).toEqual(Object.keys(SECURITY_EVENTS).toSorted())
})

test('every live event is one slice’s', () => {
  const types = slices.flatMap(({ liveEvents = [] }) => liveEvents)
  expect(types.toSorted()).toEqual([...BANK_EVENT_TYPES].toSorted())
})

/** They are few, or the bank writes at each of their turns. */
const EACH_TURN_IS_A_RUN = ['identity.purge']

test('a job that recurs many times an hour says whether something is due, so that a quiet bank does not run it', () => {
  const silent = slices
    .flatMap(({ jobs = [] }) => jobs)
    .filter(({ everyMinutes, isDue }) => everyMinutes !== null && everyMinutes < 60 && !isDue)
  expect(silent.map(({ name }) => name).toSorted()).toEqual(EACH_TURN_IS_A_RUN)
})

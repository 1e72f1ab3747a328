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

import { expect, test } from 'vitest'
import { SECURITY_EVENTS } from '#contract/security-events.ts'
import { NOTICE_PARAMS } from '#contract/notifications.ts'
import { SLICES } from '#server/api.ts'
import { BANK_EVENT_TYPES } from '#server/platform/events/bank-event.ts'
import type { Slice } from '#server/platform/slice.ts'

const slices: readonly Slice[] = SLICES

/** Kept by versions whose notices were sentences; no slice sends it any more. */
const FORMER = 'earlier'

test('every kind of notice is one slice’s', () => {
  const kinds = slices.flatMap(({ notices = {} }) => Object.values(notices).map(({ kind }) => kind))
  expect(kinds.toSorted()).toEqual(
    Object.keys(NOTICE_PARAMS)
      .filter((kind) => kind !== FORMER)
      .toSorted(),
  )
})

test('every kind of security event is one slice’s', () => {
  const kinds = slices.flatMap(({ securityEvents = [] }) => securityEvents)
  expect(kinds.toSorted()).toEqual(Object.keys(SECURITY_EVENTS).toSorted())
})

test('every live event is one slice’s', () => {
  const types = slices.flatMap(({ liveEvents = [] }) => liveEvents)
  expect(types.toSorted()).toEqual([...BANK_EVENT_TYPES].toSorted())
})

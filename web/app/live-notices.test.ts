import { expect, it } from 'vitest'
import { isShownByScreen, findNewNotices } from '#web/app/live-notices.ts'

const AT = '2026-08-28T09:41:00.000Z'

const notice = (id: string, changes: object = {}) => ({
  id,
  kind: 'card_payment',
  params: {},
  createdAt: AT,
  readAt: null,
  ...changes,
})

const since = { announced: new Set(['said']), sinceMs: Date.parse(AT) }

it('announces notices that arrive while the page is visible, oldest first', () => {
  expect(findNewNotices([notice('2'), notice('1')], since).map(({ id }) => id)).toEqual(['1', '2'])
})

it.each([
  ['a notice that was already announced', { id: 'said' }],
  ['a notice that was read on another device', { readAt: AT }],
  ['a notice that was there before', { createdAt: '2026-08-28T09:40:54.000Z' }],
  ['a payment, which has its own announcement', { kind: 'payment_received' }],
])('does not announce %s', (_what, changes) => {
  expect(findNewNotices([notice('new', changes)], since)).toEqual([])
})

it('announces three of many', () => {
  const manyNotices = Array.from({ length: 8 }, (_, index) => notice(String(8 - index)))
  expect(findNewNotices(manyNotices, since).map(({ id }) => id)).toEqual(['6', '7', '8'])
})

it.each(['carbon_offset', 'loan_disbursed', 'loan_repaid'] as const)(
  'does not announce %s on the screen where it was done',
  (kind) => {
    const path = kind === 'carbon_offset' ? '/carbon-footprint' : '/loans'
    expect(isShownByScreen(path, { kind, params: {} })).toBe(true)
    expect(isShownByScreen('/dashboard', { kind, params: {} })).toBe(false)
  },
)

it('announces a late loan on every screen', () => {
  expect(isShownByScreen('/loans', { kind: 'loan_late', params: {} })).toBe(false)
})

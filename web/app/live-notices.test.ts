import { expect, it } from 'vitest'
import { isSaidBy, newNotices } from '#web/app/live-notices.ts'

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

it('announces notices that came while somebody looks, oldest first', () => {
  expect(newNotices([notice('2'), notice('1')], since).map(({ id }) => id)).toEqual(['1', '2'])
})

it.each([
  ['what was announced before', { id: 'said' }],
  ['what was read on another device', { readAt: AT }],
  ['what was there before', { createdAt: '2026-08-28T09:40:54.000Z' }],
  ['a payment, which is announced by itself', { kind: 'payment_received' }],
])('keeps quiet about %s', (_what, changes) => {
  expect(newNotices([notice('new', changes)], since)).toEqual([])
})

it('announces three of many', () => {
  const many = Array.from({ length: 8 }, (_, index) => notice(String(8 - index)))
  expect(newNotices(many, since).map(({ id }) => id)).toEqual(['6', '7', '8'])
})

it.each(['carbon_offset', 'loan_disbursed', 'loan_repaid'] as const)(
  'keeps quiet about %s on the screen where it was done',
  (kind) => {
    const path = kind === 'carbon_offset' ? '/carbon-footprint' : '/loans'
    expect(isSaidBy(path, { kind, params: {} })).toBe(true)
    expect(isSaidBy('/dashboard', { kind, params: {} })).toBe(false)
  },
)

it('says what happened to a customer wherever they are', () => {
  expect(isSaidBy('/loans', { kind: 'loan_late', params: {} })).toBe(false)
})

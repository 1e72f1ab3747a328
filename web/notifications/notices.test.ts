import { expect, it } from 'vitest'
import { noticePath, NOTICES } from '#contract/notices.ts'
import { noticeWords } from '#contract/read-notice.ts'
import { type TextOf, TEXTS } from '#contract/texts.ts'
import { noticeAction } from '#web/i18n/notice-action.ts'
import { paths } from '#web/lib/paths.ts'
import { groupDays } from '#web/notifications/group-days.ts'
import { newestOf } from '#web/notifications/seen.ts'

it('leads to a screen of the app, whatever a notice is about', () => {
  const known = new Set<string | null>([...Object.values(paths), null])
  for (const kind of Object.keys(NOTICES))
    expect(known).toContain(noticePath({ kind, params: {} })?.split('?')[0] ?? null)
})

it('leads to the one transaction that a notice names', () => {
  const path = noticePath({ kind: 'card_payment', params: { transactionId: 'a b' } })
  expect(path).toBe(`${paths.transactionDetail}?id=a%20b`)
})

it('leads to the one request that a notice names', () => {
  const path = noticePath({ kind: 'request_received', params: { requestId: 'a b' } })
  expect(path).toBe(`${paths.request}?id=a%20b`)
})

it('leads to what declined a payment: the controls of the card, where that is known', () => {
  const path = (reason: string, cardId?: string) =>
    noticePath({ kind: 'card_declined', params: { reason, ...(cardId && { cardId }) } })
  expect(path('payment_limit', 'a b')).toBe(`${paths.cards}?controls=a%20b`)
  expect(path('payment_limit')).toBe(paths.cards)
  expect(path('card_frozen', 'a')).toBe(paths.cards)
  expect(path('insufficient_funds', 'a')).toBe(paths.addMoney)
})

it('says the most a card can pay where no limit can be raised over it, and offers nothing to change', () => {
  const textOf: TextOf = (table, code, params = {}) =>
    String(TEXTS[table][code]).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const params = { amountMinor: 5_200_00, asset: 'USD', name: 'Pixel Harbor', cardId: 'a', mostMinor: 5_000_00 }
  const declined = { kind: 'card_declined', params: { ...params, reason: 'card_maximum' } }
  expect(noticeWords(declined, { textOf, language: 'en' })?.message).toBe(
    '$5,200.00 at Pixel Harbor was declined. This is over the most a card can pay, $5,000.',
  )
  expect(noticeAction(declined)).toBeNull()
  expect(noticePath(declined)).toBe(paths.cards)
})

it('leads nowhere from what is not known', () => {
  expect(noticePath({ kind: 'of_tomorrow', params: {} })).toBeNull()
})

const notice = (id: string, createdAt: string) => ({ id, kind: 'new_feature', params: {}, createdAt, readAt: null })

it('finds the newest by when it was written, not by what it is about', () => {
  const earlier = notice('0198f000-0000-7000-8000-000000000002', '2026-08-20T09:00:00Z')
  const later = notice('0198f000-0000-7000-8000-000000000001', '2026-08-28T09:00:00Z')
  expect(newestOf([later, earlier])).toBe(earlier.id)
  expect(newestOf([])).toBeNull()
})

it('parts a list by the bank’s days', () => {
  const list = ['2026-08-28T00:00:00Z', '2026-08-27T23:59:00Z', '2026-08-27T00:00:00Z'].map((at) => notice(at, at))
  const days = groupDays(list, new Date('2026-08-28T09:41:00Z'))
  expect(days.map(({ title, notices }) => [title, notices.length])).toEqual([
    ['Today', 1],
    ['Yesterday', 2],
  ])
})

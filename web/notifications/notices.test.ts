import { expect, it } from 'vitest'
import { noticePath, NOTICES } from '#contract/notices.ts'
import { noticeWords } from '#contract/parse-notice.ts'
import { type TextOf, TEXTS } from '#contract/texts.ts'
import { noticeAction } from '#web/i18n/notice-action.ts'
import { paths } from '#web/lib/paths.ts'
import { groupNoticesByDay } from '#web/notifications/group-days.ts'
import { newestNoticeId } from '#web/notifications/mark-seen.ts'

it('every kind of notice links to a screen of the app', () => {
  const knownPaths = new Set<string | null>([...Object.values(paths), null])
  for (const kind of Object.keys(NOTICES))
    expect(knownPaths).toContain(noticePath({ kind, params: {} })?.split('?')[0] ?? null)
})

it('a notice links to its transaction', () => {
  const path = noticePath({ kind: 'card_payment', params: { transactionId: 'a b' } })
  expect(path).toBe(`${paths.transactionDetail}?id=a%20b`)
})

it('a notice links to its request', () => {
  const path = noticePath({ kind: 'request_received', params: { requestId: 'a b' } })
  expect(path).toBe(`${paths.request}?id=a%20b`)
})

it('a notice of a declined payment links to its cause: the controls of the card, if known', () => {
  const path = (reason: string, cardId?: string) =>
    noticePath({ kind: 'card_declined', params: { reason, ...(cardId && { cardId }) } })
  expect(path('payment_limit', 'a b')).toBe(`${paths.cards}?controls=a%20b`)
  expect(path('payment_limit')).toBe(paths.cards)
  expect(path('card_frozen', 'a')).toBe(paths.cards)
  expect(path('insufficient_funds', 'a')).toBe(paths.addMoney)
})

it('shows the maximum of a card if no limit can be raised above it, and offers no change', () => {
  const textOf: TextOf = (table, code, params = {}) =>
    String(TEXTS[table][code]).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const params = { amountMinor: 5_200_00, asset: 'USD', name: 'Pixel Harbor', cardId: 'a', mostMinor: 5_000_00 }
  const declinedNotice = { kind: 'card_declined', params: { ...params, reason: 'card_maximum' } }
  expect(noticeWords(declinedNotice, { textOf, language: 'en' })?.message).toBe(
    '$5,200.00 at Pixel Harbor was declined. This is over the $5,000 maximum for one card payment.',
  )
  expect(noticeAction(declinedNotice)).toBeNull()
  expect(noticePath(declinedNotice)).toBe(paths.cards)
})

it('an unknown notice has no link', () => {
  expect(noticePath({ kind: 'of_tomorrow', params: {} })).toBeNull()
})

const notice = (id: string, createdAt: string) => ({ id, kind: 'new_feature', params: {}, createdAt, readAt: null })

it('finds the newest notice by its creation time, not by its subject’s time', () => {
  const earlierNotice = notice('0198f000-0000-7000-8000-000000000002', '2026-08-20T09:00:00Z')
  const laterNotice = notice('0198f000-0000-7000-8000-000000000001', '2026-08-28T09:00:00Z')
  expect(newestNoticeId([laterNotice, earlierNotice])).toBe(earlierNotice.id)
  expect(newestNoticeId([])).toBeNull()
})

it('divides a list by the bank’s days', () => {
  const list = ['2026-08-28T00:00:00Z', '2026-08-27T23:59:00Z', '2026-08-27T00:00:00Z'].map((createdAt) =>
    notice(createdAt, createdAt),
  )
  const days = groupNoticesByDay(list, new Date('2026-08-28T09:41:00Z'))
  expect(days.map(({ title, notices }) => [title, notices.length])).toEqual([
    ['Today', 1],
    ['Yesterday', 2],
  ])
})

import { z } from '@hono/zod-openapi'
import { pageQuery } from '#contract/common.ts'
import {
  noticePage,
  noticePreferenceChange,
  noticePreferences,
  readRequest,
  unreadNotices,
} from '#contract/notifications.ts'
import { routes } from '#server/identity/access/route.ts'
import {
  changeNoticePreferences,
  listNotices,
  noticePreferencesOf,
  readOne,
  readUpTo,
} from '#server/notifications/reading.ts'
import { unreadCount } from '#server/notifications/service.ts'

export const noticeRoutes = routes('Notifications')
  .get(
    '/notifications',
    {
      summary: 'What the bank told you, newest first',
      description: 'A notice is a kind with parameters; the app says it in your language.',
      query: z.strictObject(pageQuery),
      response: noticePage,
      responseDescription: 'A page',
    },
    (c) => listNotices(c.deps, c.customer.id, c.query),
  )
  .get(
    '/notifications/unread',
    { summary: 'How many you have not read', response: unreadNotices, responseDescription: 'How many' },
    async (c) => ({ unread: await unreadCount(c.deps, c.customer.id) }),
  )
  .get(
    '/notifications/preferences',
    { summary: 'What you want to hear of', response: noticePreferences, responseDescription: 'As they stand' },
    (c) => noticePreferencesOf(c.deps, c.customer.id),
  )
  .patch(
    '/notifications/preferences',
    {
      summary: 'Choose what you want to hear of',
      description:
        'What is left out stays. You always hear of the security of your account. Without `notifications` you hear of nothing else; without `transactionAlerts` of no money that moved.',
      body: noticePreferenceChange,
      response: noticePreferences,
      responseDescription: 'As they stand',
    },
    (c) => changeNoticePreferences(c.deps, c.customer.id, c.body),
  )
  .post(
    '/notifications/read',
    {
      key: 'none',
      refuses: ['not_found'],
      summary: 'Mark all up to the newest you have seen as read',
      description: 'What came after that one stays unread.',
      body: readRequest,
      response: unreadNotices,
      responseDescription: 'How many are left',
    },
    async (c) => {
      const [deps, { id }] = [c.deps, c.customer]
      await readUpTo(deps, id, c.body.upTo)
      return { unread: await unreadCount(deps, id) }
    },
  )
  .post(
    '/notifications/{id}/read',
    { key: 'none', summary: 'Mark one as read', response: unreadNotices, responseDescription: 'How many are left' },
    async (c) => {
      const [deps, { id }] = [c.deps, c.customer]
      await readOne(deps, id, c.params.id.toLowerCase())
      return { unread: await unreadCount(deps, id) }
    },
  )

import { z } from '@hono/zod-openapi'
import { pageQuery } from '#contract/common.ts'
import {
  noticePage,
  noticePreferenceChange,
  noticePreferences,
  markReadRequest,
  unreadNotices,
} from '#contract/notifications.ts'
import { routes } from '#server/identity/access/route.ts'
import {
  changeNoticePreferences,
  listNotices,
  noticePreferencesOf,
  markOneRead,
  markReadUpTo,
} from '#server/notifications/reading.ts'
import { unreadCount } from '#server/notifications/service.ts'

export const noticeRoutes = routes('Notifications')
  .get(
    '/notifications',
    {
      summary: 'Your notices, newest first',
      description: 'A notice is a kind with parameters. The app words it in your language.',
      query: z.strictObject(pageQuery),
      response: noticePage,
      responseDescription: 'A page',
    },
    (c) => listNotices(c.deps, c.customer.id, c.query),
  )
  .get(
    '/notifications/unread',
    { summary: 'The number of your unread notices', response: unreadNotices, responseDescription: 'The number' },
    async (c) => ({ unread: await unreadCount(c.deps, c.customer.id) }),
  )
  .get(
    '/notifications/preferences',
    { summary: 'Your notice preferences', response: noticePreferences, responseDescription: 'The current preferences' },
    (c) => noticePreferencesOf(c.deps, c.customer.id),
  )
  .patch(
    '/notifications/preferences',
    {
      summary: 'Change your notice preferences',
      description:
        'A missing field stays as it is. You always get notices about the security of your account. Without `notifications` you get no others; without `transactionAlerts` you get none about payments.',
      body: noticePreferenceChange,
      response: noticePreferences,
      responseDescription: 'The current preferences',
    },
    (c) => changeNoticePreferences(c.deps, c.customer.id, c.body),
  )
  .post(
    '/notifications/read',
    {
      key: 'none',
      refuses: ['not_found'],
      summary: 'Mark all notices up to a given one as read',
      description: 'Later notices stay unread.',
      body: markReadRequest,
      response: unreadNotices,
      responseDescription: 'The number of unread notices',
    },
    async (c) => {
      const [deps, { id }] = [c.deps, c.customer]
      await markReadUpTo(deps, id, c.body.upTo)
      return { unread: await unreadCount(deps, id) }
    },
  )
  .post(
    '/notifications/{id}/read',
    {
      key: 'none',
      summary: 'Mark one notice as read',
      response: unreadNotices,
      responseDescription: 'The number of unread notices',
    },
    async (c) => {
      const [deps, { id }] = [c.deps, c.customer]
      await markOneRead(deps, id, c.params.id.toLowerCase())
      return { unread: await unreadCount(deps, id) }
    },
  )

import { z } from '@hono/zod-openapi'
import { pageQuery } from '#contract/common.ts'
import {
  noticePage,
  noticePreferenceChange,
  noticePreferences,
  readRequest,
  unreadNotices,
} from '#contract/notifications.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import {
  changeNoticePreferences,
  listNotices,
  noticePreferencesOf,
  readOne,
  readUpTo,
} from '#server/notifications/reading.ts'
import { unreadCount } from '#server/notifications/service.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const tags = ['Notifications']

const list = defineRoute({
  method: 'get',
  path: '/notifications',
  summary: 'What the bank told you, newest first',
  description: 'A notice is a kind with parameters; the app says it in your language.',
  tags,
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'A page', content: { 'application/json': { schema: noticePage } } } },
})

const unreadResponse = (description: string) => ({
  200: { description, content: { 'application/json': { schema: unreadNotices } } },
})

const countUnread = defineRoute({
  method: 'get',
  path: '/notifications/unread',
  summary: 'How many you have not read',
  tags,
  responses: unreadResponse('How many'),
})

const read = defineRoute({
  method: 'post',
  path: '/notifications/read',
  needs: { key: 'none' },
  summary: 'Mark all up to the newest you have seen as read',
  description: 'What came after that one stays unread.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: readRequest } } } },
  responses: unreadResponse('How many are left'),
})

const readNotice = defineRoute({
  method: 'post',
  path: '/notifications/{id}/read',
  needs: { key: 'none' },
  summary: 'Mark one as read',
  tags,
  request: { params: idParam },
  responses: unreadResponse('How many are left'),
})

const preferencesResponse = {
  200: { description: 'As they stand', content: { 'application/json': { schema: noticePreferences } } },
}

const getPreferences = defineRoute({
  method: 'get',
  path: '/notifications/preferences',
  summary: 'What you want to hear of',
  tags,
  responses: preferencesResponse,
})

const patchPreferences = defineRoute({
  method: 'patch',
  path: '/notifications/preferences',
  summary: 'Choose what you want to hear of',
  description:
    'What is left out stays. You always hear of the security of your account. Without `notifications` you hear of nothing else; without `transactionAlerts` of no money that moved.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: noticePreferenceChange } } } },
  responses: preferencesResponse,
})

export const noticeRoutes = router()
  .openapi(list, async (c) => {
    return c.json(await listNotices(c.get('deps'), c.get('customer').id, c.req.valid('query')), 200)
  })
  .openapi(countUnread, async (c) => c.json({ unread: await unreadCount(c.get('deps'), c.get('customer').id) }, 200))
  .openapi(getPreferences, async (c) => c.json(await noticePreferencesOf(c.get('deps'), c.get('customer').id), 200))
  .openapi(patchPreferences, async (c) => {
    return c.json(await changeNoticePreferences(c.get('deps'), c.get('customer').id, c.req.valid('json')), 200)
  })
  .openapi(read, async (c) => {
    const [deps, { id }] = [c.get('deps'), c.get('customer')]
    await readUpTo(deps, id, c.req.valid('json').upTo)
    return c.json({ unread: await unreadCount(deps, id) }, 200)
  })
  .openapi(readNotice, async (c) => {
    const [deps, { id }] = [c.get('deps'), c.get('customer')]
    await readOne(deps, id, c.req.valid('param').id.toLowerCase())
    return c.json({ unread: await unreadCount(deps, id) }, 200)
  })

import { z } from '@hono/zod-openapi'
import { pageQuery } from '#contract/common.ts'
import { Refusal } from '#contract/errors.ts'
import { deviceList, securityEventPage } from '#contract/identity.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { clearSessionCookie } from '#server/identity/access/session.ts'
import { recordSecurityEvent, securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { devicesOf, endSessionById, endSessionsOf } from '#server/identity/sessions/sessions.ts'
import { isUuid } from '#server/platform/uuid.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const tags = ['Security']

const getDevices = defineRoute({
  method: 'get',
  path: '/sessions',
  summary: 'The devices you are signed in on, the latest used first',
  tags,
  responses: { 200: { description: 'All of them', content: { 'application/json': { schema: deviceList } } } },
})

const deleteDevice = defineRoute({
  method: 'delete',
  path: '/sessions/{id}',
  needs: { protects: true },
  summary: 'Sign a device out',
  description: 'Right away. To sign out the device that asks is to sign out.',
  tags,
  request: { params: idParam },
  responses: { 204: { description: 'It is signed out' } },
})

const deleteOthers = defineRoute({
  method: 'delete',
  path: '/sessions',
  needs: { protects: true },
  summary: 'Sign all other devices out',
  tags,
  responses: { 200: { description: 'The one left', content: { 'application/json': { schema: deviceList } } } },
})

const getEvents = defineRoute({
  method: 'get',
  path: '/security-events',
  summary: 'What happened to the security of your account, newest first',
  tags,
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'A page', content: { 'application/json': { schema: securityEventPage } } } },
})

/** The cursor is the id of the last event of the page before. */
function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const id = /^[1-9]\d*$/.test(cursor) ? Number(cursor) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new Refusal('cursor_invalid', 'cursor')
  return id
}

export const deviceRoutes = router()
  .openapi(getDevices, async (c) => {
    return c.json({ devices: await devicesOf(c.get('deps'), c.get('customer').id, c.get('session')) }, 200)
  })
  .openapi(deleteDevice, async (c) => {
    const deps = c.get('deps')
    const { id: customerId } = c.get('customer')
    const id = c.req.valid('param').id.toLowerCase()
    if (!isUuid(id)) throw new Refusal('not_found')
    const own = await inTransaction(deps.db, async (trx) => {
      const ended = await endSessionById(trx, customerId, id)
      if (!ended) throw new Refusal('not_found')
      const kind = ended === c.get('session') ? 'signed_out' : 'device_signed_out'
      await recordSecurityEvent(deps, trx, { customerId, kind, caller: callerOf(c) })
      return kind === 'signed_out'
    })
    if (own) clearSessionCookie(c)
    return c.body(null, 204)
  })
  .openapi(deleteOthers, async (c) => {
    const deps = c.get('deps')
    const [{ id: customerId }, session] = [c.get('customer'), c.get('session')]
    await inTransaction(deps.db, async (trx) => {
      if ((await endSessionsOf(trx, customerId, session)) === 0) return
      await recordSecurityEvent(deps, trx, { customerId, kind: 'other_devices_signed_out', caller: callerOf(c) })
    })
    return c.json({ devices: await devicesOf(deps, customerId, session) }, 200)
  })
  .openapi(getEvents, async (c) => {
    const { cursor, limit } = c.req.valid('query')
    const before = readCursor(cursor)
    const events = await securityEventsOf(c.get('deps'), c.get('customer').id, { before, limit: limit + 1 })
    const page = events.slice(0, limit)
    return c.json({ events: page, nextCursor: events.length > limit ? (page.at(-1)?.id ?? null) : null }, 200)
  })

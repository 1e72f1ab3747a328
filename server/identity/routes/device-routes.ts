import { z } from '@hono/zod-openapi'
import { pageQuery } from '#contract/common.ts'
import { Refusal } from '#contract/errors.ts'
import { deviceList, securityEventPage } from '#contract/identity.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import { routes } from '#server/identity/access/route.ts'
import { clearSessionCookie } from '#server/identity/access/session.ts'
import { recordSecurityEvent, securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { devicesOf, endSessionById, endSessionsOf } from '#server/identity/sessions/sessions.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** Reads a cursor, which is the id of the last event on the previous page. */
function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const id = /^[1-9]\d*$/.test(cursor) ? Number(cursor) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new Refusal('cursor_invalid', 'cursor')
  return id
}

export const deviceRoutes = routes('Security')
  .get(
    '/sessions',
    {
      summary: 'Your signed-in devices, most recently used first',
      response: deviceList,
      responseDescription: 'All devices',
    },
    async (c) => ({ devices: await devicesOf(c.deps, c.customer.id, c.session) }),
  )
  .delete(
    '/sessions/{id}',
    {
      protects: true,
      summary: 'Sign a device out',
      description: 'Takes effect at once. You can sign out the calling device, too.',
    },
    async (c) => {
      const deps = c.deps
      const { id: customerId } = c.customer
      const id = c.params.id.toLowerCase()
      if (!isUuid(id)) throw new Refusal('not_found')
      const isCurrentSession = await inTransaction(deps.db, async (trx) => {
        const ended = await endSessionById(trx, customerId, id)
        if (!ended) throw new Refusal('not_found')
        const kind = ended === c.session ? 'signed_out' : 'device_signed_out'
        await recordSecurityEvent(deps, trx, { customerId, kind, caller: callerOf(c.http) })
        return kind === 'signed_out'
      })
      if (isCurrentSession) clearSessionCookie(c.http)
    },
  )
  .delete(
    '/sessions',
    {
      protects: true,
      summary: 'Sign all other devices out',
      response: deviceList,
      responseDescription: 'The remaining device',
    },
    async (c) => {
      const deps = c.deps
      const [{ id: customerId }, session] = [c.customer, c.session]
      await inTransaction(deps.db, async (trx) => {
        if ((await endSessionsOf(trx, customerId, session)) === 0) return
        await recordSecurityEvent(deps, trx, { customerId, kind: 'other_devices_signed_out', caller: callerOf(c.http) })
      })
      return { devices: await devicesOf(deps, customerId, session) }
    },
  )
  .get(
    '/security-events',
    {
      summary: 'The security events of your account, newest first',
      query: z.strictObject(pageQuery),
      response: securityEventPage,
      responseDescription: 'A page',
    },
    async (c) => {
      const { cursor, limit } = c.query
      const before = readCursor(cursor)
      const events = await securityEventsOf(c.deps, c.customer.id, { before, limit: limit + 1 })
      const page = events.slice(0, limit)
      return { events: page, nextCursor: events.length > limit ? (page.at(-1)?.id ?? null) : null }
    },
  )

import { idParam, readId } from '#server/platform/http/id-param.ts'
import {
  scheduleChange,
  scheduleList,
  scheduleRequest,
  scheduleResponse,
  SCHEDULES_MOST,
  scheduleSkip,
} from '#contract/schedules.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { cancelSchedule, changeSchedule, createSchedule, schedulesOf, skipNext } from '#server/schedules/service.ts'

const tags = ['Scheduled payments']
const responses = {
  200: { description: 'As it is now', content: { 'application/json': { schema: scheduleResponse } } },
}

const list = defineRoute({
  method: 'get',
  path: '/schedules',
  summary: 'Your scheduled payments, the next one first',
  tags,
  responses: {
    200: { description: `At most ${SCHEDULES_MOST}`, content: { 'application/json': { schema: scheduleList } } },
  },
})

const create = defineRoute({
  method: 'post',
  path: '/schedules',
  needs: { money: true, proof: true },
  summary: 'Schedule a payment, once or again and again',
  description:
    'Each payment is made on its date, or on the next business day where the banks are closed. A month that is too short has it on its last day. Where the money does not suffice it is tried again on the next two business days, and then skipped.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: scheduleRequest } } } },
  responses,
})

const change = defineRoute({
  method: 'post',
  path: '/schedules/{id}/changes',
  needs: { money: true, proof: true },
  summary: 'Change the amount, note, next date or end of a scheduled payment',
  tags,
  request: { params: idParam, body: { required: true, content: { 'application/json': { schema: scheduleChange } } } },
  responses,
})

const skip = defineRoute({
  method: 'post',
  path: '/schedules/{id}/skip',
  summary: 'Skip the next date of a scheduled payment',
  tags,
  request: { params: idParam, body: { required: true, content: { 'application/json': { schema: scheduleSkip } } } },
  responses,
})

const cancel = defineRoute({
  method: 'post',
  path: '/schedules/{id}/cancel',
  summary: 'End a scheduled payment',
  tags,
  request: { params: idParam },
  responses,
})

export const scheduleRoutes = router({ live: true })
  .openapi(list, async (c) => {
    return c.json({ schedules: await schedulesOf(c.get('deps'), c.get('customer').id) }, 200)
  })
  .openapi(create, async (c) => {
    const schedule = await createSchedule(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key'))
    return c.json({ schedule }, 200)
  })
  .openapi(change, async (c) => {
    const id = readId(c.req.valid('param').id)
    const schedule = await changeSchedule(c.get('deps'), c.get('customer'), id, c.req.valid('json'), c.get('key'))
    return c.json({ schedule }, 200)
  })
  .openapi(skip, async (c) => {
    const id = readId(c.req.valid('param').id)
    const { version } = c.req.valid('json')
    return c.json({ schedule: await skipNext(c.get('deps'), c.get('customer'), id, version, c.get('key')) }, 200)
  })
  .openapi(cancel, async (c) => {
    const id = readId(c.req.valid('param').id)
    return c.json({ schedule: await cancelSchedule(c.get('deps'), c.get('customer'), id, c.get('key')) }, 200)
  })

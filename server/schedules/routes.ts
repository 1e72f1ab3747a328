import {
  scheduleChange,
  scheduleList,
  scheduleRequest,
  scheduleResponse,
  MAX_SCHEDULES,
  scheduleSkip,
} from '#contract/schedules.ts'
import { routes } from '#server/identity/access/route.ts'
import { cancelSchedule, changeSchedule, createSchedule, schedulesOf, skipNext } from '#server/schedules/service.ts'

export const scheduleRoutes = routes('Scheduled payments', { live: true })
  .get(
    '/schedules',
    {
      summary: 'Your scheduled payments, the next one first',
      response: scheduleList,
      responseDescription: `At most ${MAX_SCHEDULES}`,
    },
    async (c) => ({ schedules: await schedulesOf(c.deps, c.customer.id) }),
  )
  .post(
    '/schedules',
    {
      money: true,
      proof: true,
      refuses: ['recipient_is_self', 'schedules_full', 'amount_too_large'],
      summary: 'Schedule a one-time or repeated payment',
      description:
        'Each payment is made on its date, or on the next business day if banks are closed. In a shorter month it is made on the last day. If the money does not suffice, it is tried again on the next two business days, and then skipped.',
      body: scheduleRequest,
      response: scheduleResponse,
      responseDescription: 'As it is now',
    },
    async (c) => {
      const schedule = await createSchedule(c.deps, c.customer, c.body, c.key)
      return { schedule }
    },
  )
  .post(
    '/schedules/{id}/changes',
    {
      money: true,
      proof: true,
      refuses: ['schedule_over', 'schedule_changed', 'amount_too_large'],
      summary: 'Change the amount, note, next date or end of a scheduled payment',
      body: scheduleChange,
      response: scheduleResponse,
      responseDescription: 'As it is now',
    },
    async (c) => {
      const id = c.id
      const schedule = await changeSchedule(c.deps, c.customer, id, c.body, c.key)
      return { schedule }
    },
  )
  .post(
    '/schedules/{id}/skip',
    {
      refuses: ['schedule_over', 'schedule_changed'],
      summary: 'Skip the next date of a scheduled payment',
      body: scheduleSkip,
      response: scheduleResponse,
      responseDescription: 'As it is now',
    },
    async (c) => {
      const id = c.id
      const { version } = c.body
      return { schedule: await skipNext(c.deps, c.customer, id, version, c.key) }
    },
  )
  .post(
    '/schedules/{id}/cancel',
    {
      refuses: ['schedule_over', 'schedule_changed'],
      summary: 'End a scheduled payment',
      response: scheduleResponse,
      responseDescription: 'As it is now',
    },
    async (c) => {
      const id = c.id
      return { schedule: await cancelSchedule(c.deps, c.customer, id, c.key) }
    },
  )

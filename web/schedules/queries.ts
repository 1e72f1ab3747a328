import { queryOptions } from '@tanstack/react-query'
import type { ScheduleChange, ScheduleRequest } from '#contract/schedules.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

/** The customer's scheduled payments, the next one first. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  meta: { ...OFFLINE_DATED, touchedBy: ['notification', 'change'] },
  queryFn: ({ signal }) => unwrap(api.schedules.$get({}, withSignal(signal))),
})

export function createSchedule(content: ScheduleRequest, key: string) {
  return unwrap(api.schedules.$post({ json: content }, withIdempotencyKey(key)))
}

export function changeSchedule({ id, ...json }: ScheduleChange & { id: string }, key: string) {
  return unwrap(api.schedules[':id'].changes.$post({ param: { id }, json }, withIdempotencyKey(key)))
}

export function skipSchedule({ id, version }: { id: string; version: number }, key: string) {
  return unwrap(api.schedules[':id'].skip.$post({ param: { id }, json: { version } }, withIdempotencyKey(key)))
}

export function cancelSchedule({ id }: { id: string }, key: string) {
  return unwrap(api.schedules[':id'].cancel.$post({ param: { id } }, withIdempotencyKey(key)))
}

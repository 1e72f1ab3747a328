import { queryOptions } from '@tanstack/react-query'
import type { ChargeRequest, ClockRequest } from '#contract/sample.ts'
import { unwrap, api, withIdempotencyKey, withSignal } from '#web/lib/api.ts'

export const panelQuery = queryOptions({
  queryKey: ['sample'],
  queryFn: ({ signal }) => unwrap(api.sample.$get({}, withSignal(signal))),
})

export const putDateForward = (change: ClockRequest) => unwrap(api.sample.clock.$post({ json: change }))

export const chargeCard = (charge: ChargeRequest, key: string) =>
  unwrap(api.sample.charges.$post({ json: charge }, withIdempotencyKey(key)))

export const paySalary = (key: string) => unwrap(api.sample.salary.$post({ json: {} }, withIdempotencyKey(key)))

export const friendAsks = (key: string) => unwrap(api.sample.requests.$post({ json: {} }, withIdempotencyKey(key)))

export const friendPays = (key: string) => unwrap(api.sample.payments.$post({ json: {} }, withIdempotencyKey(key)))

export const startOver = () => unwrap(api.sample.restart.$post({ json: {} }))

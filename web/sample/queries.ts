import { queryOptions } from '@tanstack/react-query'
import type { ChargeRequest, ClockRequest } from '#contract/sample.ts'
import { answerOf, bank, named, until } from '#web/lib/client.ts'

export const panelQuery = queryOptions({
  queryKey: ['sample'],
  queryFn: ({ signal }) => answerOf(bank.sample.$get({}, until(signal))),
})

export const putDateForward = (by: ClockRequest) => answerOf(bank.sample.clock.$post({ json: by }))

export const chargeCard = (charge: ChargeRequest, key: string) =>
  answerOf(bank.sample.charges.$post({ json: charge }, named(key)))

export const paySalary = (key: string) => answerOf(bank.sample.salary.$post({ json: {} }, named(key)))

export const startOver = () => answerOf(bank.sample.restart.$post({ json: {} }))

import { queryOptions } from '@tanstack/react-query'
import type { SendRequest } from '#contract/payments.ts'
import { answerOf, bank, named, until } from '#web/lib/client.ts'

export const contactsQuery = queryOptions({
  queryKey: ['contacts'],
  queryFn: ({ signal }) => answerOf(bank.contacts.$get({}, until(signal))),
})

export function sendMoney(content: SendRequest, key: string) {
  return answerOf(bank.transfers.$post({ json: content }, named(key)))
}

export function cancelTransfer(operationId: string, key: string) {
  return answerOf(bank.transfers[':operationId'].cancel.$post({ param: { operationId } }, named(key)))
}

export function claimQuery(token: string) {
  return queryOptions({
    queryKey: ['claim', token],
    queryFn: ({ signal }) => answerOf(bank.claims[':token'].$get({ param: { token } }, until(signal))),
  })
}

export function acceptClaim(token: string, key: string) {
  return answerOf(bank.claims[':token'].$post({ param: { token } }, named(key)))
}
